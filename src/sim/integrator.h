// Time integrators as minimisations (docs/models/time_step.md):
//
//   nᵗ⁺¹ = argmin  ½ |n − ñ|²_M + s (Σ potentials + a·n) + contact
//
// They differ in where nodes go without forces (ñ), in how strongly the potentials act (s [s²]), in whether
// the forces at the start act too (a, Newmark), and in the velocity that the result implies.
#pragma once

#include "kinematics/free_flight.h"
#include "sim/model.h"

namespace marrow {

struct StepPlan {
  FlownState flown;             // ñ, and the velocities there; these not of multistep and static steps
  double scale = 0;             // s
  double inertia = 1;           // weight of the first term; 0 without inertia
  bool carries_forces = false;  // a is the gradient of the potentials at the start
  bool is_multistep = false;    // the previous step is used
};

// How a step of length h from this state is taken. is_fixed: nodes that follow a prescribed motion.
StepPlan plan_step(const Model& model, const std::vector<char>& is_fixed, const State& state, double h);

// The state after the step to n, its time and number left to the caller. coupled: the bodies that act on each
// other there, kNone: the world; asked for by multistep plans only.
void finish_step(const Model& model, const std::vector<char>& is_fixed, const StepPlan& plan, double h,
                 const std::vector<IndexPair>& coupled, VecX n, State& state);

}  // namespace marrow
