// These numbers steer Newton's method (solve/newton_progress.h, solve/projected_newton.h). They have a header
// of their own, so that a change of one rebuilds only two files.
#pragma once

#include <cstddef>

namespace marrow {

struct NewtonHeuristics {
  // Newton crawls when a whole step is longer than this fraction of the whole step before. More: fewer steps
  // count as crawling, so that exact Hessians and stretched steps come later. [D12]
  double crawling = 0.5;
  // The most iterations to wait before an exact Hessian is tried again. More: fewer factorisations that find
  // it indefinite, and fewer exact steps. [D12]
  int max_patience = 16;
  // From this many crawling steps on, until steps shrink again, they are stretched, to at most this many
  // times their length. [D18]
  int long_crawl = 2;
  double max_stretch = 4;
  // At rounding, a solve continues while a whole step promises no more than this fraction of what the whole
  // step before promised. 0: it ends at the first step that rounding hides; 1000 m from the origin, that is
  // too early. [measured: tests/physics, row "invariance"]
  double nearing = 0.25;
  // At rounding, a step of this many stop lengths still counts as converged; beyond it something is wrong,
  // and the time step is halved. [ablation: rounding_slack]
  double rounding_slack = 1e3;
  // A step truncated by its limit below this fraction is no evidence of convergence. 0: every short step is.
  // [ablation: held_up]
  double held_up = 0.5;
  // After this many such steps in a row without progress, the solve ends anyway [iterations]. [ablation:
  // max_idle_steps]
  int max_idle_steps = 10;
  // The solve creeps if less than this fraction of the direction is safe (NewtonLimits::creeping_steps).
  // [ablation: creeping]
  double creeping = 1e-3;
  // The next step is not computed if it would be shorter than this fraction of the stop length, assuming that
  // the steps continue to shrink as they did. 0: it always is. [ablation: far_below]
  double far_below = 0.1;
  // Paths that would be bent by less than this fraction of the stop length stay straight: the difference
  // changes no step that counts. [ablation: least_swing]
  double least_swing = 0.1;
  // The largest promise of a last step, over m (a s)² of a body: −g·Δn bounds the kinetic energy of the error
  // in the quadratic model. More: solves end earlier, and are less exact inside bodies. [D20]
  double last_promise = 0.1 * 0.1;
  // The number of iterations that a failed solve reports. [report only]
  size_t kept_iterations = 100;
};

inline constexpr NewtonHeuristics kNewton;

}  // namespace marrow
