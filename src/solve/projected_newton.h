// Projected Newton: minimises the objective over the free nodes.
//
//   repeat  H Δn = −g  (H: sum of positive semi-definite element Hessians),  n ← n + α Δn
//           (… of exact ones where that converges slowly and H is still positive definite)
//   until   forces balance on every body and max |Δn| <= tolerance · size · h   (solve/newton_progress.h)
//
// The last Δn is still taken, so the true error is far below the tolerance (Newton converges quadratically).
// If two whole steps show that the next Δn would be a tenth of that or less, it is not computed.
// docs/models/time_step.md says what happens when it fails.
#pragma once

#include <deque>
#include <functional>

#include "kinematics/rotated_steps.h"
#include "solve/newton_progress.h"
#include "solve/newton_system.h"

namespace marrow {

// Memory that is kept from one solve to the next, and the results that a solve leaves.
struct NewtonWork {
  NewtonSystem system;
  VecX gradient;                        // over the nodes; 0 if they are fixed
  std::deque<IterationRecord> history;  // the last iterations of the last solve
};

// The input of a solve beside the objective.
struct NewtonProblem {
  const std::vector<char>& is_fixed;  // nodes that must not move, one flag each
  NewtonLimits limits;
  const Kinematics* kinematics = nullptr;  // of bodies whose steps may be bent (kinematics/rotated_steps.h)
  double least_turn = 0;                   // of affine ones [rad]
  const Restraint* restraint = nullptr;    // for directions that are far too long; null: none
  // Called after an iteration that did not end the solve. Returns true if it changed the objective. May be
  // empty.
  std::function<bool(const VecX& n, const StepLength& length, IterationRecord& record)> after_iteration = {};
};

NewtonReport minimize(Objective& objective, const NewtonProblem& problem, VecX& n, NewtonWork& work);

}  // namespace marrow
