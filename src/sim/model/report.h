// The report of a step contains the outcome of its solves and the conserved quantities.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/trace.h"
#include "potentials/grab_springs.h"
#include "potentials/joints/joints.h"
#include "sim/model/forces.h"
#include "sim/model/model.h"

namespace marrow {

struct Energies {
  double kinetic = 0;  // [J]
  double elastic = 0;
  double gravity = 0;  // from the initial positions
  double springs = 0;  // of joints
};

// What the projections of a step did (sim/projective).
struct ProjectiveReport {
  int iterations = 0;               // local and global steps
  double residual = 0;              // unbalanced acceleration before the last global step [m/s²]
  size_t constraints = 0;           // projected in each iteration
  double local_seconds = 0;         // of all iterations
  double global_seconds = 0;        // likewise
  int quasi_newton_iterations = 0;  // certified: steps with the constant matrix
  bool is_unguarded = false;        // detected: bodies may intersect
  size_t contacts = 0;              // detected: vertices found inside of other bodies
  double penetration = 0;           // detected: how deep the deepest one is at the end [m]
  Index penetrating_body = kNone;   // that vertex's body …
  Index penetrated_body = kNone;    // … and the one it is in
};

// What the remeshing of a step did (sim/remesh).
struct RemeshReport {
  bool is_on = false;
  int rounds = 0;          // solves after the first
  int proposals = 0;       // edges whose split might gain enough
  int solved = 0;          // of these, by a solve on a patch
  int refused = 0;         // edges that would make a tet too thin, whatever is split before
  int splits = 0;          // made, those of longer edges before others included
  double gain = 0;         // of these, each by itself [J]
  Index nodes = 0;         // of the remeshed bodies, at the end
  bool is_capped = false;  // a body has as many nodes as it may have
  double seconds = 0;      // of all after the first solve
};

struct StepReport {
  int step = 0;
  double time = 0;
  NewtonReport newton;
  int motion_rounds = 0;        // extra solves that prescribed motion needed
  double motion_remaining = 0;  // largest distance of a prescribed node from its target [m]
  Index motion_node = kNone;    // that node
  int substeps = 0;             // 1, or more if the step had to be split
  size_t contacts = 0;          // at the end of the step
  double smallest_gap = std::numeric_limits<double>::infinity();  // of the contacts at the end [m]
  double end_scale = 1;          // of forces at the end of the last part [s²], sim/terms/integrator.h
  double stiffness = 0;          // κ at the end [kg m²]
  CullingReport culling;         // of certificates, if bodies have them
  double affine_error = 0;       // the largest |A Aᵀ − 1| of an affine body
  double turn = 0;               // largest rotation of an affine or rigid body per step [rad]
  Index turning_body = kNone;    // that body
  int friction_rounds = 0;       // solves with friction
  double friction_residual = 0;  // velocity change that another solve would make [m/s]
  ProjectiveReport projective;   // if that is the stepper
  RemeshReport remesh;           // of bodies that are remeshed
  JointReport joints;            // of all of them
  std::vector<JointStatus> joint_states;  // of each
  std::vector<GrabSprings::Pull> pulls;   // of each grab, at the end
  StepForces forces;
  // If the step failed: the length of the part that failed, and the last iterations there.
  double failed_length = 0;  // [s]
  double memory_needed = 0;  // by the linear solver, if it was refused for that [bytes]
  bool runs_away = false;    // nodes moved by many times the size of a body
  std::vector<IterationRecord> history;
  Energies energies;
  Vec3 momentum = Vec3::Zero();          // [kg m/s]
  Vec3 angular_momentum = Vec3::Zero();  // about the origin [kg m²/s]
  double seconds = 0;
  std::map<std::string, double> scopes;  // seconds by named scope
  trace::LoopUse loops;                  // that ran on several threads
  int threads = 1;                       // that loops could use

  // The part of the time in loops on several threads, and how many threads worked on average.
  double parallel_share() const { return seconds > 0 ? loops.seconds / seconds : 0; }
  double threads_used() const { return seconds > 0 ? (seconds - loops.seconds + loops.busy) / seconds : 1; }
};

// Explains in one or two sentences why a step failed.
std::string explain_failure(const StepReport& report);

// Fills in energies and momenta of a state.
void add_conserved(const Model& model, const State& state, StepReport& report);

Energies compute_energies(const Model& model, const State& state);
Vec3 compute_momentum(const Model& model, const State& state);
Vec3 compute_angular_momentum(const Model& model, const State& state);

}  // namespace marrow
