// One time step of implicit Euler, as a minimisation (docs/models/time_step.md):
//
//   nᵗ⁺¹ = argmin  ½ |n − (nᵗ + h vᵗ)|²_M + h² (elasticity + gravity)      prescribed nodes at their targets
//   vᵗ⁺¹ = (nᵗ⁺¹ − nᵗ) / h
#pragma once

#include "potentials/elasticity.h"
#include "potentials/gravity.h"
#include "potentials/inertia.h"
#include "potentials/prescribed.h"
#include "sim/report.h"
#include "solve/objective.h"
#include "solve/projected_newton.h"

namespace marrow {

// The potentials and scratch of a run, made once for a model.
class Stepper {
 public:
  // initial_nodes: where nodes are at time 0. The model must outlive this.
  Stepper(const Model& model, const VecX& initial_nodes);

  // Advances the state by one step. On failure the state stays as it was.
  StepReport step(State& state);

 private:
  NewtonReport solve_step(const State& state, VecX& n, StepReport& report);
  NewtonReport pull_prescribed(const Points& targets, VecX& n, StepReport& report);
  double push_prescribed(const Points& targets, VecX& n) const;
  double compute_remaining(const Points& targets, const VecX& n) const;
  Points compute_targets(double time) const;

  const Model& model_;
  VecX initial_nodes_;
  std::vector<Index> prescribed_;  // all prescribed nodes, ascending by group
  std::vector<char> is_prescribed_, is_free_;
  Inertia inertia_;
  Elasticity elasticity_;
  Gravity gravity_;
  PrescribedPull pull_;
  Objective objective_, pulled_objective_;
  NewtonWork work_;
};

}  // namespace marrow
