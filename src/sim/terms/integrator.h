// Time integrators are minimisations (docs/models/time_step.md), one file each:
//
//   nᵗ⁺¹ = argmin  ½ |n − ñ|²_M + s (Σ potentials + a·n) + contact
//
// They differ in the prediction without forces (ñ), in how strongly the potentials act (s [s²]), in whether
// the forces at the start act too (a, Newmark), and in the velocity that the result implies.
//
// A force that acts only at the end of the step, such as that of contact, held joints, motors and dampers,
// has the impulse h F if −∇ = s_e F there, with s_e = h/rate and rate = ∂v/∂n: h² (implicit Euler), 4h²/9
// (BDF2), h²/2 (Newmark). Forces are reported, and limited, by s_e.
#pragma once

#include "kinematics/free_flight.h"
#include "sim/model/model.h"

namespace marrow {

struct StepTerms;

struct StepPlan {
  double length = 0;            // h [s]
  Prediction prediction = {};   // ñ, and the velocities there, if has_rotations
  VecX path_velocities = {};    // BDF2: of the path that leads to ñ
  double scale = 0;             // s [s²]
  double end_scale = 0;         // s_e [s²]
  double inertia = 1;           // weight of the first term; 0 without inertia
  bool carries_forces = false;  // a is the gradient of the potentials at the start
  bool has_rotations = false;   // affine and rigid bodies turn freely to ñ
};

class TimeIntegrator {
 public:
  virtual ~TimeIntegrator() = default;

  // Plans a step of length h from this state. is_fixed: nodes that follow a prescribed motion.
  virtual StepPlan plan(const Model& model, const std::vector<char>& is_fixed, const State& state,
                        double h) const = 0;

  // Makes the state after the step to n. The caller sets its time and number.
  virtual void finish(StepTerms& terms, const StepPlan& plan, VecX n, State& state) const = 0;
};

// The closed set of integrators.
const TimeIntegrator& find_integrator(Integrator kind);

// Discards the step before, because its length differs from that of the next.
void forget_history(State& state);

// Integrators share the plan of a free flight, and the velocities after it. rate: the velocity per
// displacement that forces caused [1/s].
StepPlan plan_inertial(const Model& model, const std::vector<char>& is_fixed, const State& state, double h);
VecX compute_end_velocities(const StepTerms& terms, const Prediction& prediction, double rate, double h,
                            const VecX& n, const State& state);

// One of each, by file.
const TimeIntegrator& get_implicit_euler();
const TimeIntegrator& get_bdf2();
const TimeIntegrator& get_newmark();
const TimeIntegrator& get_quasi_static();

}  // namespace marrow
