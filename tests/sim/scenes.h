// Small models for the tests of the time step, made without a scene file.
#pragma once

#include "mesh/shapes.h"
#include "sim/simulate.h"

namespace marrow::test {

struct SmallRun {
  Model model;
  State state;
  VecX initial;
};

struct BodySpec {
  Shape shape = BoxShape{};
  double youngs_modulus = 1e5;
  double poissons_ratio = 0.4;
  double density = 1000;
  MassKind mass = MassKind::Lumped;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
};

inline SmallRun make_run(const BodySpec& spec, double h, double duration) {
  SmallRun run;
  Model& model = run.model;
  model.materials.push_back(
      make_material(MaterialModel::NeoHookean, spec.youngs_modulus, spec.poissons_ratio));
  const Points points =
      add_soft_body("body", build_shape(spec.shape), spec.density, spec.mass, 0, model.kinematics);
  model.mass = model.kinematics.bodies[0].mass;
  model.time.step = h;
  model.time.duration = duration;
  run.state.nodes.resize(3 * model.kinematics.node_count);
  run.state.velocities.resize(3 * model.kinematics.node_count);
  Eigen::AlignedBox3d box;
  for (size_t i = 0; i < points.size(); ++i) {
    box.extend(points[i]);
    run.state.nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
    run.state.velocities.segment<3>(3 * static_cast<Index>(i)) =
        spec.velocity + spec.angular_velocity.cross(points[i]);
  }
  model.size = box.diagonal().norm();
  run.initial = run.model.initial_nodes = run.state.nodes;
  return run;
}

// Prescribes the nodes that the predicate takes.
template <class Predicate>
void prescribe(SmallRun& run, const Predicate& is_taken, const Motion& motion = {}) {
  PrescribedNodes group;
  group.motion = motion;
  for (Index i = 0; i < run.model.kinematics.node_count; ++i) {
    const Vec3 X = run.initial.segment<3>(3 * i);
    if (!is_taken(X)) continue;
    group.nodes.push_back(i);
    group.initial.push_back(X);
  }
  run.model.prescribed.push_back(group);
}

// Runs to the end and returns the report of every step.
inline std::vector<StepReport> run_all(SmallRun& run) {
  std::vector<StepReport> reports;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) { reports.push_back(report); };
  simulate(run.model, run.state, hooks);
  return reports;
}

inline bool has_inversion(const SmallRun& run) {
  for (size_t e = 0; e < run.model.kinematics.elements.count(); ++e) {
    if (compute_deformation_gradient(run.model.kinematics.elements, e, run.state.nodes).determinant() <= 0)
      return true;
  }
  return false;
}

}  // namespace marrow::test
