#include "solve/newton_options.h"

namespace marrow {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Converged:
      return "converged";
    case Verdict::CutShort:
      return "cut short";
    case Verdict::AtRounding:
      return "at rounding";
    case Verdict::TooManyIterations:
      return "too many iterations";
    case Verdict::NoDescent:
      return "no descent";
    case Verdict::Blocked:
      return "blocked";
    case Verdict::LostInRounding:
      return "lost in rounding";
    case Verdict::JointsPress:
      return "joints press";
    case Verdict::LinearSolveFailed:
      return "linear solve failed";
    case Verdict::OutOfMemory:
      return "out of memory";
  }
  return "unknown";
}

void add_report(const NewtonReport& round, NewtonReport& total) {
  total.verdict = round.verdict;
  total.iterations += round.iterations;
  total.halvings += round.halvings;
  total.linear_iterations += round.linear_iterations;
  total.inversion_limits += round.inversion_limits;
  total.collision_limits += round.collision_limits;
  total.last_step = round.last_step;
  total.gradient_norm = round.gradient_norm;
}

}  // namespace marrow
