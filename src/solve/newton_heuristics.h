// The numbers that steer Newton's method (solve/newton_progress.h, solve/projected_newton.h). A header of its
// own, so that a change of one rebuilds two files.
#pragma once

#include <cstddef>

namespace marrow {

struct NewtonHeuristics {
  // Newton crawls where a whole step is longer than this part of the whole step before. More: it crawls less
  // often, exact Hessians and stretched steps come later. [D12]
  double crawling = 0.5;
  // The most iterations to wait before an exact Hessian is tried again. More: fewer factorisations that find
  // it indefinite, and fewer exact steps. [D12]
  int max_patience = 16;
  // From this many crawling steps on, until steps shrink again, they are stretched, to at most this many
  // times their length. [D18]
  int long_crawl = 2;
  double max_stretch = 4;
  // At rounding, a solve goes on while a whole step promises no more than this part of what the whole step
  // before did. 0: it ends at the first step that rounding hides, and 1000 m from the origin that is too
  // early. [measured: tests/physics, row "invariance"]
  double nearing = 0.25;
  // At rounding, a step of this many stop lengths still counts as converged; beyond it something is wrong,
  // and the time step is halved. [ablation: rounding_slack]
  double rounding_slack = 1e3;
  // A step truncated by its limit below this fraction is no evidence of convergence. 0: every short step is.
  // [ablation: held_up]
  double held_up = 0.5;
  // After this many such steps in a row without progress the solve ends all the same [iterations].
  // [ablation: max_idle_steps]
  int max_idle_steps = 10;
  // Less than this part of the direction is safe: the solve creeps (NewtonLimits::creeping_steps).
  // [ablation: creeping]
  double creeping = 1e-3;
  // A next step that would be shorter than this part of the stop length, were the steps to go on shrinking as
  // they did, is not computed. 0: it always is. [ablation: far_below]
  double far_below = 0.1;
  // Bends of paths by less than this part of the stop length are left out: they change no step that counts.
  // [ablation: least_swing]
  double least_swing = 0.1;
  // The most that a last step may promise, over m (a s)² of a body: −g·Δn bounds the kinetic energy of the
  // error in the quadratic model. More: solves end earlier, and less exact inside of bodies. [D20]
  double last_promise = 0.1 * 0.1;
  // Iterations of which a failed solve can tell. [report only]
  size_t kept_iterations = 100;
};

inline constexpr NewtonHeuristics kNewton;

}  // namespace marrow
