#include "solve/newton_progress.h"

#include <algorithm>

#include "solve/newton_heuristics.h"

namespace marrow {

Curvature CurvatureChoice::next() const {
  return is_wanted_ && wait_ == 0 ? Curvature::Exact : Curvature::Projected;
}

void CurvatureChoice::report_indefinite() {
  wait_ = patience_;
  patience_ = std::min(2 * patience_, kNewton.max_patience);
}

void CurvatureChoice::report_step(Curvature used, bool is_crawling, const StepLength& length) {
  is_wanted_ = length.alpha == 1 && (used == Curvature::Exact || is_crawling);
  wait_ = std::max(wait_ - 1, 0);
  if (used == Curvature::Exact) patience_ = 1;
}

void Stretch::report_step(bool is_crawling, double previous_step, const StepLength& length) {
  if (length.alpha < 1) {
    factor_ = std::max(1.0, 0.5 * factor_);
  } else if (is_crawling) {
    if (++crawling_steps_ >= kNewton.long_crawl) factor_ = std::min(2 * factor_, kNewton.max_stretch);
  } else if (previous_step > 0) {
    factor_ = 1;
    crawling_steps_ = 0;
  }
}

bool NewtonProgress::may_go_on() {
  if (report_.iterations >= limits_.iterations) return false;
  ++report_.iterations;
  return true;
}

bool NewtonProgress::is_crawling(const DirectionFacts& direction) const {
  return previous_length_ > 0 && direction.length > kNewton.crawling * previous_length_;
}

double NewtonProgress::choose_stretch(const DirectionFacts& direction) const {
  return stretch_.get(is_crawling(direction) && direction.curvature == Curvature::Projected &&
                      direction.length > limits_.stop_length);
}

// True if the next direction is certain to be small: two whole steps in a row shrank so fast that, at the
// same rate, the next one would be far below the stop length. It then need not be computed.
bool NewtonProgress::is_next_small(const DirectionFacts& direction, const StepLength& length) const {
  return length.alpha == 1 && previous_length_ > 0 &&
         direction.length * (direction.length / previous_length_) <= kNewton.far_below * limits_.stop_length;
}

void NewtonProgress::count(const DirectionFacts& direction, const StepLength& length) {
  report_.last_step = direction.length;
  report_.halvings += length.halvings;
  report_.inversion_limits += length.limit.cause == LimitCause::Inversion;
  report_.collision_limits += length.limit.cause == LimitCause::Collision;
}

std::optional<Verdict> NewtonProgress::judge(const DirectionFacts& direction, const StepLength& length,
                                             const Imbalance& forces) {
  count(direction, length);
  const bool is_small = direction.length <= limits_.stop_length || is_next_small(direction, length);
  const bool is_whole = length.alpha == 1;
  const bool is_nearing = is_whole && direction.decrement <= kNewton.nearing * previous_decrement_;
  curvature_.report_step(direction.curvature, is_crawling(direction), length);
  stretch_.report_step(is_crawling(direction), previous_length_, length);
  previous_length_ = is_whole ? direction.length : 0;
  previous_decrement_ = is_whole ? direction.decrement : 0;
  if (limits_.balance != nullptr && forces.is_settled()) return Verdict::Converged;
  if (length.alpha == 0) return is_small ? Verdict::AtRounding : Verdict::NoDescent;

  // An obstruction may have kept the step that short; it may be gone after the next steps.
  const bool is_held_up = length.limit.alpha < kNewton.held_up;
  idle_steps_ = is_held_up && (is_small || length.is_rounding) ? idle_steps_ + 1 : 0;
  const bool is_idle = idle_steps_ == kNewton.max_idle_steps;
  const bool is_believed = !is_held_up || is_idle;
  if (limits_.balance != nullptr) {
    const bool is_last = is_small && direction.promise <= kNewton.last_promise;
    if (is_last && forces.is_balanced()) return Verdict::Converged;
    if (is_small && is_idle) return Verdict::AtRounding;
  } else if (is_small && is_believed) {
    return Verdict::Converged;
  }
  creeping_steps_ = length.limit.alpha < kNewton.creeping ? creeping_steps_ + 1 : 0;
  if (creeping_steps_ >= limits_.creeping_steps) return Verdict::Blocked;

  // At rounding, values show nothing any more; the promise of the next step still does.
  if (!length.is_rounding || !is_believed || is_nearing) return {};
  const bool is_nearly_done = !is_held_up && direction.length <= kNewton.rounding_slack * limits_.stop_length;
  return is_nearly_done ? Verdict::AtRounding : Verdict::LostInRounding;
}

NewtonReport NewtonProgress::finish(Verdict verdict, double gradient_norm) {
  report_.verdict = verdict;
  report_.gradient_norm = gradient_norm;
  return report_;
}

}  // namespace marrow
