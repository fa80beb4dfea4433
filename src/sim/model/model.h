// This file defines what a run needs: the model, which is constant, and the state, which is all that a
// restart needs.
#pragma once

#include <memory>
#include <string>

#include "contact/options.h"
#include "kinematics/body.h"
#include "kinematics/motion.h"
#include "linalg/linear_solver.h"
#include "potentials/force.h"
#include "potentials/joints/joint.h"
#include "potentials/materials/material.h"
#include "potentials/pressure.h"
#include "sim/model/remesh_options.h"
#include "solve/newton_options.h"
#include "solve/projective_options.h"

namespace marrow {

enum class Integrator { ImplicitEuler, Bdf2, Newmark, QuasiStatic };

template <>
struct EnumNames<Integrator> {
  static constexpr const char* names[] = {"implicit_euler", "bdf2", "newmark", "quasi_static"};
};

struct TimeOptions {
  double step = 0.01;
  double duration = 1;
  int frame_every = 1;
  Integrator integrator = Integrator::ImplicitEuler;
  bool operator==(const TimeOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, TimeOptions& o) {
  visit("step", o.step,
        {.unit = "s", .above = 0, .doc = "Time step; larger steps are faster and damp motion more."});
  visit("duration", o.duration, {.unit = "s", .above = 0, .doc = "Simulated time, rounded to whole steps."});
  visit("frame_every", o.frame_every, {.at_least = 1, .doc = "Number of steps per frame."});
  visit("integrator", o.integrator,
        {.doc = "implicit_euler damps motion most, bdf2 less. newmark (average acceleration) does not damp, "
                "and gains energy if a body vibrates with a period much shorter than a step. quasi_static "
                "has no inertia: every step ends in equilibrium."});
}

// A body whose mesh changes within its steps (docs/models/remeshing.md).
struct RemeshedBody {
  Index body = 0;
  double density = 0;  // [kg/m³]
  Index material = 0;
  RemeshOptions options;
};

// The present mesh of such a body.
struct ChangedMesh {
  Index body = 0;
  Points points;  // at rest
  std::vector<Tet> tets;
  std::vector<Index> origins;   // of each point, its number in the scene's mesh; kNone if it was made
  std::vector<IndexPair> held;  // made points that are prescribed: the group, and the point
};

struct Model {
  Kinematics kinematics;
  std::vector<Material> materials;
  std::vector<PrescribedNodes> prescribed;
  std::vector<NodalLoad> loads;
  std::vector<PressureLoad> pressures;
  std::vector<Joint> joints;
  ScalarMatrix mass;   // of all nodes
  VecX initial_nodes;  // at time 0
  Vec3 gravity = Vec3::Zero();
  ContactModel contact;
  TimeOptions time;
  NewtonOptions newton;
  Stepper stepper = Stepper::Newton;
  ProjectiveOptions projective;  // if that is the stepper
  LinearSolverOptions linear;
  JointOptions joint_options;
  std::vector<RemeshedBody> remeshed;  // ascending by body
  double size = 1;  // box diagonal of the smallest body that is not an obstacle, at rest [m]

  int step_count() const;

  // Steps end where projections lead, without a step limit: bodies may intersect.
  bool is_unguarded() const {
    return stepper == Stepper::Projective && projective.contact == ProjectiveContact::Detected;
  }

  // Newton's stop length in a step of length h: tolerance · size · h, but at most tolerance · size, and for
  // an equilibrium at most a hundredth of that. [m]
  double stop_length(double h) const;
};

struct State {
  int step = 0;
  double time = 0;  // step · h
  VecX nodes;
  VecX velocities;
  // BDF2 only: nodes and velocities of the step before, and the velocities of the path between the two. Empty
  // if there is no previous step of the same length.
  VecX previous_nodes;
  VecX previous_velocities;
  VecX path_velocities;
  JointMemory joints;                       // empty: as at time 0
  double contact_stiffness = 0;             // κ of the last solve over its scale; 0: no solve yet
  std::vector<PairActivation> activations;  // of bodies that started closer than d̂ to each other
  SolverMemory linear;                      // of the linear solver that chooses by itself
  // In place of the scene's meshes; the nodes above are of these. Never changed, only replaced.
  std::vector<std::shared_ptr<const ChangedMesh>> meshes;
};

}  // namespace marrow
