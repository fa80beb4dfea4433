// One time step, as a minimisation (docs/models/time_step.md):
//
//   nᵗ⁺¹ = argmin  ½ |n − ñ|²_M + s (elasticity + gravity + loads + joints) + barrier + friction
//
//   with prescribed nodes at their targets
//
// ñ and s are the integrator's (sim/integrator.h). Friction is lagged: solved again with the forces found;
// within that, joints are solved again until they hold.
// A step that fails is taken in two halves, and these again, down to 1/64.
#pragma once

#include "potentials/carried_force.h"
#include "potentials/elastic_terms.h"
#include "potentials/force.h"
#include "potentials/gravity.h"
#include "potentials/inertia.h"
#include "potentials/joints.h"
#include "potentials/prescribed.h"
#include "potentials/pressure.h"
#include "sim/contact_terms.h"
#include "sim/integrator.h"
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

  // Told of every place the nodes are moved to, also in solves that fail; may be empty. is_start: nothing
  // moved, a solve begins here.
  using Observer = std::function<void(const VecX& n, bool is_start)>;
  void set_observer(Observer observer);

  const ContactTerms& contact() const { return contact_; }

 private:
  // A piece of time: a step, or a part of one.
  struct Interval {
    double length;
    double end;
  };
  bool advance(State& state, const Interval& interval, int halvings, StepReport& report);
  NewtonReport solve_step(const StepPlan& plan, const Interval& interval, const State& state, VecX& n,
                          StepReport& report);
  void predict(const StepPlan& plan, double h, VecX& n);
  std::vector<char> flag_straight(const StepPlan& plan, const VecX& n, double h) const;
  double find_stop_length(double h) const;
  NodePath find_expected_path(const StepPlan& plan, const VecX& n) const;
  NewtonReport solve_with_friction(double h, int max_iterations, VecX& n, StepReport& report);
  NewtonReport solve_once(double h, int max_iterations, VecX& n);
  NewtonReport pull_prescribed(const Points& targets, double h, bool is_braced, VecX& n, StepReport& report);
  bool can_brace(const Points& targets, const VecX& n) const;
  void brace_against_pull(double usual, const VecX& n);
  void carry_prescribed(const StepPlan& plan, const Points& targets, VecX& n) const;
  double push_prescribed(const Points& targets, VecX& n) const;
  bool push_if_room(const Points& targets, VecX& n) const;
  double compute_remaining(const Points& targets, const VecX& n) const;
  void report_remaining(const Points& targets, const VecX& n, StepReport& report) const;
  Points compute_targets(double time) const;
  void update_prescribed(double time);
  std::vector<IndexPair> list_coupled(const VecX& n) const;
  void set_weights(const StepPlan& plan, const Interval& interval, const State& state);
  void start_at(const StepPlan& plan, const VecX& n, double h);
  void start_joints(const StepPlan& plan, const Interval& interval, const State& state);
  void choose_stiffness(const VecX& n);
  double compute_friction_residual(double h, const VecX& n);

  const Model& model_;
  bool has_contact_;
  double strain_speed_;  // of affine bodies [m/s]
  VecX initial_nodes_;
  std::vector<Index> prescribed_;  // the nodes prescribed at present, by group
  std::vector<char> is_prescribed_;
  Inertia inertia_;
  ElasticTerms elastic_;
  Gravity gravity_;
  Loads loads_;
  std::vector<std::unique_ptr<Pressure>> pressures_;
  CarriedForce carried_;
  PrescribedPull pull_;
  Joints joints_;
  bool may_yield_ = false;              // joints, in this part of a step
  double last_stiffness_ = 0;           // κ of the solve before this one; 0: there was none
  std::vector<double> node_stiffness_;  // at first [N/m]
  ContactTerms contact_;
  Objective objective_, pulled_objective_;
  NewtonWork work_;
  Observer observer_;
};

}  // namespace marrow
