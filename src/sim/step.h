// One time step is a minimisation (docs/models/time_step.md):
//
//   nᵗ⁺¹ = argmin E(n)   with prescribed nodes at their targets; the terms of E: sim/terms/step_terms.h
//
// The loops of a step, from the outside in:
//
//   loop                         where                  at most   what changes between rounds
//   split where fast bodies meet sim/impacts            64        how much of the step is left
//   halve the step               sim/step               64 parts  h; joints may stay open from 1/8 on
//   reach the prescribed motion  sim/reach_targets      4 tries   where prescribed nodes are, κ
//   … pull them                  sim/reach_targets      30        multipliers and stiffness of the pull
//   lag friction                 solve_with_friction    2         normal forces and tangents of friction
//   hold joints                  solve_with_joints      12        multipliers and stiffness of joints
//   Newton                       minimize               1000      n; κ doubles where gaps are tiny
//   linear system                NewtonSystem           2 × 4     exact or projected Hessian, its shift
//   line search                  solve/line_search      6 + 50    α
//
// With the projective stepper the solve starts where projections lead (sim/projective_start); if its contact
// is only detected, a step has none of these loops (sim/projective_step).
#pragma once

#include "sim/model/report.h"
#include "sim/terms/step_terms.h"

namespace marrow {

// Advances the state by one step. On failure the state stays as it was.
StepReport take_step(StepTerms& terms, State& state);

}  // namespace marrow
