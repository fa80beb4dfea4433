// The last iterations of a solve show why it stalled: what kept the steps short.
#include <fmt/format.h>

#include "core/memory.h"
#include "sim/model/report.h"

namespace marrow {
namespace {

constexpr double kShortStep = 0.1;  // of the direction [report only]

// The number of the last iterations that took a short step, by the cause.
struct ShortSteps {
  size_t collision = 0;
  size_t inversion = 0;
  size_t descent = 0;
};

ShortSteps count_short_steps(const std::vector<IterationRecord>& history) {
  ShortSteps count;
  for (const IterationRecord& iteration : history) {
    if (iteration.alpha >= kShortStep) continue;
    const bool is_limited = iteration.limit.alpha < kShortStep;
    count.collision += is_limited && iteration.limit.cause == LimitCause::Collision ? 1 : 0;
    count.inversion += is_limited && iteration.limit.cause == LimitCause::Inversion ? 1 : 0;
    count.descent += is_limited ? 0 : 1;
  }
  return count;
}

std::string explain_too_many(const StepReport& report) {
  const std::vector<IterationRecord>& history = report.history;
  const ShortSteps count = count_short_steps(history);
  const size_t all = count.collision + count.inversion + count.descent;
  if (2 * all < history.size() || history.empty()) {
    return fmt::format(
        "The solve was still moving nodes, by {:.3g} m in the last iteration: increase "
        "solver.max_iterations.",
        report.newton.last_step);
  }
  const auto explain = [&](size_t some, const char* cause) {
    return fmt::format("{} of the last {} iterations took less than a tenth of their step, because {}.", some,
                       history.size(), cause);
  };
  if (count.collision >= count.inversion && count.collision >= count.descent) {
    return explain(count.collision, "surfaces would have collided");
  }
  if (count.inversion >= count.descent) return explain(count.inversion, "elements would have inverted");
  return explain(count.descent, "the energy would have increased: it is far from smooth there");
}

std::string explain_memory(const StepReport& report) {
  return fmt::format(
      "The linear systems do not fit into memory: they need about {}, and of the {} that the program may "
      "use, "
      "{} are taken. \"linear_solver\": \"automatic\" or \"pcg\" needs least; otherwise take a coarser mesh "
      "or "
      "a larger machine.",
      format_memory(report.memory_needed), format_memory(memory_limit()), format_memory(memory_in_use()));
}

}  // namespace

std::string explain_failure(const StepReport& report) {
  if (report.runs_away && !is_success(report.newton.verdict)) {
    return "The solution diverged: a force or pressure is stronger than everything that resists it, or "
           "(quasi_static) a body is unconstrained and has no equilibrium. Fix some of its points, or lower "
           "the load.";
  }
  switch (report.newton.verdict) {
    case Verdict::TooManyIterations:
      return explain_too_many(report);
    case Verdict::NoDescent:
    case Verdict::Blocked:
    case Verdict::LostInRounding:
      return "No step along the Newton direction decreases the energy, however short: the problem is too "
             "badly scaled for double precision. Very different stiffnesses or masses, or a tiny "
             "contact.d_hat, can cause this.";
    case Verdict::JointsPress:
      return "Joints cannot close: the bodies they hold are pressed against something, and shorter steps did "
             "not help. Look for a joint that pulls a body into another, or let these bodies ignore each "
             "other (contact.pairs).";
    case Verdict::LinearSolveFailed:
      return "The linear system could not be solved, even with a shifted diagonal: positions or forces are "
             "out of range, or \"pcg\" did not converge (try \"linear_solver\": \"cholmod\").";
    case Verdict::OutOfMemory:
      return explain_memory(report);
    case Verdict::Converged:
    case Verdict::CutShort:
    case Verdict::AtRounding:
      break;
  }
  return {};
}

}  // namespace marrow
