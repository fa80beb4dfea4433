// This file holds the terms of a time step's objective and the scratch of its solves. They are made once per
// run. Every part of a step resets them, so that a step depends on the state and on nothing else.
//
//   E(n) = ½ |n − ñ|²_M + s (elasticity + gravity + loads + pressure + joints) + s_e (damping + grabs +
//          barrier + friction), while prescribed nodes are drawn to their targets + their pull
//
// ñ, s and s_e are the integrator's (sim/terms/integrator.h). κ of the barrier contains s_e.
#pragma once

#include <functional>
#include <memory>

#include "kinematics/body_size.h"
#include "kinematics/node_path.h"
#include "potentials/carried_force.h"
#include "potentials/elastic/elastic_terms.h"
#include "potentials/force.h"
#include "potentials/grab_springs.h"
#include "potentials/gravity.h"
#include "potentials/inertia.h"
#include "potentials/joints/joints.h"
#include "potentials/prescribed.h"
#include "potentials/pressure.h"
#include "sim/model/forces.h"
#include "sim/model/model.h"
#include "sim/projective/penetrations.h"
#include "sim/projective/projection.h"
#include "sim/terms/contact_terms.h"
#include "sim/terms/integrator.h"
#include "solve/objective.h"
#include "solve/projected_newton.h"

namespace marrow {

// A piece of time: a step, or a part of one.
struct Interval {
  double length = 0;  // [s]
  double end = 0;     // [s]
};

// Called with every configuration to which the nodes are moved, also in solves that fail; may be empty.
// is_start: nothing moved, a solve begins here.
using MoveObserver = std::function<void(const VecX& n, bool is_start)>;

struct StepTerms {
  // The model must outlive this.
  explicit StepTerms(const Model& model);
  StepTerms(const StepTerms&) = delete;
  StepTerms& operator=(const StepTerms&) = delete;

  // Constant.
  const Model& model;
  const bool has_contact;
  const double strain_speed;          // of affine bodies [m/s]
  const std::vector<BodySize> sizes;  // by body

  // The nodes that are prescribed in this part of a step, by group, and a flag for each node.
  std::vector<Index> prescribed;
  std::vector<char> is_prescribed;

  // The terms.
  Inertia inertia;
  ElasticTerms elastic;
  const std::vector<double> node_stiffness;  // of elastic, at time 0 [N/m]
  Gravity gravity;
  Loads loads;
  std::vector<std::unique_ptr<Pressure>> pressures;
  std::vector<std::unique_ptr<Potential>> added;  // by add_potential
  // Added by callers: adds −force on each node, for the part that begins with this state at this time.
  std::function<void(const State& state, double time, VecX& gradient)> added_forces;
  CarriedForce added_force;
  CarriedForce carried;
  GrabSprings grabs;
  Joints joints;
  ContactTerms contact;
  PrescribedPull pull;
  Objective objective;

  // The forces of this part (sim/terms/step_forces.h).
  const std::vector<Index> node_bodies;   // the body of each node
  const std::vector<Index> point_bodies;  // … and of each point
  ContactForces contact_forces;           // of the last solve
  VecX carried_loads, carried_springs;    // gradients at the start, by node [N]
  // Bodies whose velocity at the end is that of their path (sim/integrators/rebounds.h), set by `finish`.
  std::vector<char> follows_path;

  // The data of this part, and the scratch of its solves.
  Balance balance;
  Restraint restraint;  // without inertia only
  NewtonWork work;
  std::unique_ptr<Projection> projection;           // null unless that is the stepper
  std::unique_ptr<PenetrationFinder> penetrations;  // null unless it has no guarantee
  double previous_stiffness = 0;                    // κ of the solve before this part; 0: no such solve
  VecX expected;  // where a solve of the same step led on another mesh; empty: there was none
  MoveObserver observer;
};

// Reports every move to the observer from now on.
void set_observer(StepTerms& terms, MoveObserver observer);

// Fixes the nodes that are prescribed in a part that ends at this time, and frees the others.
void update_prescribed(StepTerms& terms, double time);

// Adds a term to the objective, for forces that act over the whole step.
void add_potential(StepTerms& terms, std::unique_ptr<Potential> potential);

// Adds the gradient of gravity and all loads at n, with the values that are set.
void add_load_gradient(StepTerms& terms, const VecX& n, VecX& gradient);

// Begins a part of a step: sets targets, weights and loads of all terms, and the memory of joints.
void start_part(StepTerms& terms, const StepPlan& plan, const Interval& interval, const State& state);

// Begins a solve of the part at n: resets what is kept from iteration to iteration.
void start_at(StepTerms& terms, const StepPlan& plan, const State& state, const VecX& n);

}  // namespace marrow
