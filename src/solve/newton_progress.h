// NewtonProgress judges a solve by its iterations: has it converged, is it stuck, does it crawl?
//
// A solve has converged when, at the point that the last step led to,
//   forces balance on every body (solve/balance.h), and the last step was short (max |Δn| ≤ the stop length)
//   and promised little; or nothing is left to balance, inside of bodies either.
// Without a balance, as while prescribed nodes are drawn to their targets, a short step counts only if it is
// evidence. A direction that was mostly forbidden, because something is in the way, is none.
#pragma once

#include <optional>

#include "solve/balance.h"
#include "solve/line_search.h"
#include "solve/newton_options.h"

namespace marrow {

// When a solve ends.
struct NewtonLimits {
  double stop_length = 0;  // shorter steps have converged: tolerance · size · h [m]
  int iterations = 0;
  bool may_be_cut_short = false;  // after these iterations the step ends, however exact it is
  // After this many steps in a row of which less than a thousandth is safe, a solve gives up.
  int creeping_steps = std::numeric_limits<int>::max();
  Balance* balance = nullptr;  // of forces at the end; null: only lengths decide
};

// Which Hessian to try (docs/decisions/0012-exact-hessian.md). The projected one always leads downhill, but
// may be far stiffer than the true one; whole steps that hardly shrink show this. The exact one is then
// tried, and kept as long as its steps are taken whole. The more often it was indefinite, the longer the wait
// before the next try.
class CurvatureChoice {
 public:
  Curvature next() const;
  void report_indefinite();
  void report_step(Curvature used, bool is_crawling, const StepLength& length);

 private:
  bool is_wanted_ = false;
  int wait_ = 0, patience_ = 1;  // [iterations]
};

// How far to go along a crawling projected direction (docs/decisions/0018-stretched-steps.md): further and
// further while whole steps are taken. The line search shortens steps that were stretched too far.
class Stretch {
 public:
  double get(bool is_crawling) const { return is_crawling ? factor_ : 1; }
  // previous_step: 0 unless it was taken whole.
  void report_step(bool is_crawling, double previous_step, const StepLength& length);

 private:
  double factor_ = 1;
  int crawling_steps_ = 0;  // whole ones, since the last step that was not whole
};

// The properties of a direction by which progress is judged.
struct DirectionFacts {
  double length = 0;     // max |Δn| [m]
  double decrement = 0;  // −g·Δn [J s²]
  double promise = 0;    // the same of the worst body, over m (a s)²
  Curvature curvature = Curvature::Projected;
};

class NewtonProgress {
 public:
  explicit NewtonProgress(const NewtonLimits& limits) : limits_(limits) {}

  // Begins an iteration, if one more is allowed.
  bool may_go_on();

  CurvatureChoice& curvature() { return curvature_; }

  // The multiple of the direction at which the line search should begin.
  double choose_stretch(const DirectionFacts& direction) const;

  // Records a step, and the forces at its end. Returns a verdict if the solve is over.
  std::optional<Verdict> judge(const DirectionFacts& direction, const StepLength& length,
                               const Imbalance& forces);

  NewtonReport finish(Verdict verdict, double gradient_norm);

 private:
  bool is_crawling(const DirectionFacts& direction) const;
  bool is_next_small(const DirectionFacts& direction, const StepLength& length) const;
  void count(const DirectionFacts& direction, const StepLength& length);

  NewtonLimits limits_;
  NewtonReport report_;
  CurvatureChoice curvature_;
  Stretch stretch_;
  // Those of the iteration before, if it was taken whole.
  double previous_length_ = 0, previous_decrement_ = 0;
  int idle_steps_ = 0;      // in a row that were held up and made no progress
  int creeping_steps_ = 0;  // in a row of which next to nothing was safe
};

}  // namespace marrow
