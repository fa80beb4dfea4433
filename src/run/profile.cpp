#include "run/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace marrow {
namespace {

struct Stage {
  const char* scope;
  const char* parent;  // the stage that it is a part of
  const char* text;
};

// The stages of a step, each after the one that it is a part of; scopes that are not here are loops within
// these.
constexpr Stage kStages[] = {
    {"step.total", nullptr, "all steps"},
    {"newton.total", "step.total", "Newton's method"},
    {"newton.gradient", "newton.total", "gradient"},
    {"newton.hessian", "newton.total", "Hessian"},
    {"assembly.total", "newton.hessian", "assembly of the matrix"},
    {"charts.total", "newton.total", "unknowns of rigid bodies"},
    {"linear.analyze", "newton.total", "analysis of the matrix"},
    {"linear.factorize", "newton.total", "factorisation"},
    {"linear.solve", "newton.total", "linear solve"},
    {"newton.line_search", "newton.total", "line search"},
    {"contact.step_limit", "newton.line_search", "collisions on the way"},
    {"newton.value", "newton.line_search", "energy"},
    {"newton.balance", "newton.total", "balance of forces"},
    {"step.forces", "step.total", "contact forces"},
};
// These are parts of several stages.
constexpr Stage kAcross[] = {
    {"contact.search", nullptr, "search for near pairs"},
    {"contact.set", nullptr, "distances of near pairs"},
    {"contact.set_stencils", nullptr, "lists of contacts"},
    {"assembly.pattern", nullptr, "lists of the assembly"},
};
// Not part of a step.
constexpr Stage kOutput[] = {
    {"output.frame", nullptr, "frames"},
    {"output.check", "output.frame", "the witness's check"},
    {"output.checkpoint", nullptr, "checkpoints"},
};

int depth_of(const Stage& stage, const Stage* first, const Stage* last) {
  int depth = 0;
  for (const char* parent = stage.parent; parent != nullptr; ++depth) {
    const auto found =
        std::find_if(first, last, [&](const Stage& s) { return s.scope == std::string(parent); });
    parent = found == last ? nullptr : found->parent;
  }
  return depth;
}

}  // namespace

void Profile::add(const StepReport& report) {
  ++steps_;
  threads_ = report.threads;
  split_steps_ += report.substeps > 1 ? 1 : 0;
  seconds_ += report.seconds;
  loops_.seconds += report.loops.seconds;
  loops_.busy += report.loops.busy;
  newton_.iterations += report.newton.iterations;
  newton_.halvings += report.newton.halvings;
  newton_.collision_limits += report.newton.collision_limits;
  newton_.inversion_limits += report.newton.inversion_limits;
  newton_.linear_iterations += report.newton.linear_iterations;
  for (const auto& [name, seconds] : report.scopes) scopes_[name] += seconds;
}

std::string Profile::format() const {
  if (steps_ == 0 || !(seconds_ > 0)) return "Profile: no steps.\n";
  std::string text = fmt::format("Profile: {:.3g} s in {} steps, {} Newton iterations\n\n", seconds_, steps_,
                                 newton_.iterations);
  text += fmt::format("  {:<34}{:>10}{:>8}{:>16}\n", "stage", "seconds", "share", "ms/iteration");
  const auto add_stage = [&](const Stage& stage, int depth) {
    const auto found = scopes_.find(stage.scope);
    if (found == scopes_.end()) return;
    text +=
        fmt::format("  {:<34}{:>10.3f}{:>7.1f}%{:>16.3f}\n",
                    std::string(2 * static_cast<size_t>(depth), ' ') + stage.text, found->second,
                    100 * found->second / seconds_, 1000 * found->second / std::max(newton_.iterations, 1));
  };
  for (const Stage& stage : kStages)
    add_stage(stage, depth_of(stage, std::begin(kStages), std::end(kStages)));
  text += "  in several of these:\n";
  for (const Stage& stage : kAcross) add_stage(stage, 1);
  text += "  beside the steps:\n";
  for (const Stage& stage : kOutput)
    add_stage(stage, 1 + depth_of(stage, std::begin(kOutput), std::end(kOutput)));
  const double used = (seconds_ - loops_.seconds + loops_.busy) / seconds_;
  text += fmt::format(
      "\n  Threads: {} of {} worked on average; {:.0f} % of the time was in loops on several threads.\n",
      fmt::format("{:.1f}", used), threads_, 100 * loops_.seconds / seconds_);
  const auto share = [&](int count) { return 100.0 * count / std::max(newton_.iterations, 1); };
  text += fmt::format(
      "  Newton steps: {:.0f} % cut by collisions, {:.0f} % by elements that would invert; {:.2f} halvings "
      "per "
      "iteration.\n",
      share(newton_.collision_limits), share(newton_.inversion_limits), share(newton_.halvings) / 100);
  if (newton_.linear_iterations > 0) {
    text += fmt::format("  Iterative solver: {:.0f} iterations per Newton iteration.\n",
                        share(newton_.linear_iterations) / 100);
  }
  if (split_steps_ > 0)
    text += fmt::format("  {} of the {} time steps were taken in parts.\n", split_steps_, steps_);
  return text;
}

}  // namespace marrow
