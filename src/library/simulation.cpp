#include <marrow/simulation.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "library/parts.h"
#include "output/run/checkpoint.h"
#include "potentials/point_potential.h"
#include "scene/build/build.h"
#include "sim/start/check_start.h"
#include "sim/step.h"

namespace marrow {

api::StepReport make_public(const StepReport& report) {
  api::StepReport out;
  out.is_solved = is_success(report.newton.verdict);
  out.outcome = to_string(report.newton.verdict);
  if (!out.is_solved) out.explanation = explain_failure(report);
  out.step = report.step;
  out.time = report.time;
  out.newton_iterations = report.newton.iterations;
  out.parts = report.substeps;
  out.contacts = report.contacts;
  out.smallest_gap = report.smallest_gap;
  out.motion_remaining = report.motion_remaining;
  out.kinetic_energy = report.energies.kinetic;
  out.elastic_energy = report.energies.elastic;
  out.gravity_energy = report.energies.gravity;
  out.spring_energy = report.energies.springs;
  out.momentum = make_public(report.momentum);
  out.angular_momentum = make_public(report.angular_momentum);
  return out;
}

namespace {

struct AddedForce {
  size_t body;
  api::ForceField force;
};

struct AddedPotential {
  std::string body;
  const Potential* potential;  // owned by the terms of the step
};

bool is_finite(const api::Vec3& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

// True while it lives.
class SteppingScope {
 public:
  explicit SteppingScope(bool& flag) : flag_(flag) { flag_ = true; }
  ~SteppingScope() { flag_ = false; }
  SteppingScope(const SteppingScope&) = delete;
  SteppingScope& operator=(const SteppingScope&) = delete;

 private:
  bool& flag_;
};

// W v of all points.
Points compute_velocities(const Kinematics& kinematics, const VecX& velocities) {
  Points v;
  compute_points(kinematics, velocities, v);
  return v;
}

}  // namespace

struct api::Simulation::Parts {
  explicit Parts(const api::Scene::Parts& from)
      : path(from.path), built(build_scene(from.scene, from.path)), terms(built.model), state(built.state) {
    if (!built.model.remeshed.empty()) {
      throw marrow::InputError({path, 0, 0, {}}, "a scene with remesh cannot be stepped by the library",
                               "Run it as a whole, or remove remesh.");
    }
    require_start(check_start(built.model, state), built.model.kinematics, {path, 0, 0, {}});
    update_points();
  }

  // Forces on points become forces on the nodes that they follow. From now on they are part of the steps.
  void connect_forces() {
    terms.added_forces = [this](const State& now, double time, VecX& gradient) {
      const Kinematics& kinematics = built.model.kinematics;
      Points x;
      compute_points(kinematics, now.nodes, x);
      const Points v = compute_velocities(kinematics, now.velocities);
      for (const AddedForce& added : forces) {
        const Body& body = kinematics.bodies[added.body];
        const size_t first = static_cast<size_t>(body.first_point), count = body.rest.points.size();
        std::vector<api::Vec3> on_points(count, api::Vec3{});
        added.force(time, view_points(x).subspan(first, count), view_points(v).subspan(first, count),
                    on_points);
        const auto bad = std::find_if_not(on_points.begin(), on_points.end(), is_finite);
        if (bad != on_points.end()) {
          throw api::InputError(fmt::format("{}: the force on point {} of \"{}\" is not finite at {:g} s",
                                            path, bad - on_points.begin(), body.name, time));
        }
        add_to_nodes(body, on_points, gradient);
      }
    };
  }

  static void add_to_nodes(const Body& body, const std::vector<api::Vec3>& forces, VecX& gradient) {
    for (size_t i = 0; i < forces.size(); ++i) {
      for (Index k = body.W.offsets[i]; k < body.W.offsets[i + 1]; ++k) {
        for (int c = 0; c < 3; ++c) {
          gradient[3 * (body.first_node + body.W.indices[k]) + c] -=
              body.W.values[k] * forces[i][static_cast<size_t>(c)];
        }
      }
    }
  }

  // The energies of others must be finite where a step starts, or nothing can be compared with it.
  void check_potentials() const {
    for (const AddedPotential& added : potentials) {
      if (std::isfinite(added.potential->compute_value(state.nodes))) continue;
      throw api::InputError(
          fmt::format("{}: the energy of the potential added to \"{}\" is not finite where step {} starts\n  "
                      "An infinite energy keeps a body away from places; it must not be there already.",
                      path, added.body, state.step + 1));
    }
  }

  // Forces and potentials of others run within a step, where the state is half done.
  void require_not_stepping(const char* function) const {
    if (!is_stepping) return;
    throw api::InputError(
        fmt::format("{}: Simulation::{} was called by a force or a potential during a step", path, function));
  }

  void update_points() {
    compute_points(built.model.kinematics, state.nodes, points);
    velocities = compute_velocities(built.model.kinematics, state.velocities);
  }

  const Body& find(const std::string& name) const {
    const std::vector<Body>& bodies = built.model.kinematics.bodies;
    std::vector<std::string> names;
    for (const Body& body : bodies) {
      if (body.name == name) return body;
      names.push_back(body.name);
    }
    const std::string near = nearest_name(name, names);
    throw api::InputError(fmt::format("{}: there is no body \"{}\"{}", path, name,
                                      near.empty() ? "" : fmt::format("\n  Did you mean \"{}\"?", near)));
  }

  void require_not_obstacle(const Body& body, const char* what) const {
    if (!body.is_obstacle()) return;
    throw api::InputError(
        fmt::format("{}: \"{}\" is an obstacle; {} would not move it", path, body.name, what));
  }

  std::string path;
  BuiltScene built;
  StepTerms terms;
  State state;
  Points points, velocities;  // of all bodies
  StepForces acting;          // in the last step
  std::vector<AddedForce> forces;
  std::vector<AddedPotential> potentials;
  bool is_stepping = false;
};

namespace api {

Simulation::Simulation(const Scene& scene)
    : parts_(call_library([&] { return std::make_unique<Parts>(scene.parts()); })) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

StepReport Simulation::step() {
  parts_->require_not_stepping("step");
  return call_library([&] {
    parts_->check_potentials();
    const SteppingScope stepping(parts_->is_stepping);
    const marrow::StepReport report = take_step(parts_->terms, parts_->state);
    parts_->update_points();
    if (is_success(report.newton.verdict)) parts_->acting = report.forces;
    return make_public(report);
  });
}

bool Simulation::is_finished() const { return current_step() >= step_count(); }
int Simulation::step_count() const { return parts_->built.model.step_count(); }
int Simulation::current_step() const { return parts_->state.step; }
double Simulation::time() const { return parts_->state.time; }

std::vector<std::string> Simulation::bodies() const {
  std::vector<std::string> names;
  for (const Body& body : parts_->built.model.kinematics.bodies) names.push_back(body.name);
  return names;
}

std::span<const Vec3> Simulation::points(const std::string& name) const {
  const Body& body = parts_->find(name);
  return view_points(parts_->points).subspan(static_cast<size_t>(body.first_point), body.rest.points.size());
}

std::span<const Vec3> Simulation::velocities(const std::string& name) const {
  const Body& body = parts_->find(name);
  return view_points(parts_->velocities)
      .subspan(static_cast<size_t>(body.first_point), body.rest.points.size());
}

std::vector<Triangle> Simulation::triangles(const std::string& name) const {
  const Body& body = parts_->find(name);
  std::vector<Triangle> out;
  for (const marrow::Triangle& t : unite_surfaces(body.rest.tets, body.rest.triangles)) {
    out.push_back(
        {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
  }
  return out;
}

std::vector<Tet> Simulation::tets(const std::string& name) const {
  std::vector<Tet> out;
  for (const marrow::Tet& t : parts_->find(name).rest.tets) {
    out.push_back({static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]),
                   static_cast<std::int32_t>(t[2]), static_cast<std::int32_t>(t[3])});
  }
  return out;
}

Pose Simulation::pose(const std::string& name) const {
  const Body& body = parts_->find(name);
  const Model& model = parts_->built.model;
  return make_public(compute_pose(body, model.initial_nodes, parts_->state.nodes, parts_->state.velocities));
}

BodyForces Simulation::forces(const std::string& name) const {
  const auto number = static_cast<size_t>(&parts_->find(name) - parts_->built.model.kinematics.bodies.data());
  if (number >= parts_->acting.bodies.size()) return {};
  return make_public(parts_->acting.bodies[number]);
}

std::vector<ContactForce> Simulation::contact_forces() const {
  std::vector<ContactForce> out;
  for (const PairForces& pair : parts_->acting.pairs) {
    out.push_back(make_public(pair, parts_->built.model.kinematics));
  }
  return out;
}

std::vector<JointForce> Simulation::joint_forces() const {
  const Model& model = parts_->built.model;
  const std::vector<JointStatus>& states = parts_->state.joints.joints;
  std::vector<JointForce> out;
  for (size_t j = 0; j < std::min(parts_->acting.joints.size(), states.size()); ++j) {
    out.push_back(make_public(model.joints[j], states[j], parts_->acting.joints[j], model.kinematics,
                              parts_->state.nodes));
  }
  return out;
}

Checkpoint Simulation::save() const { return {format_checkpoint(parts_->state, parts_->built.fingerprint)}; }

void Simulation::restore(const Checkpoint& checkpoint) {
  parts_->require_not_stepping("restore");
  call_library([&] {
    State state = parse_checkpoint(checkpoint.bytes, "the checkpoint", parts_->built.fingerprint);
    require_start(check_start(parts_->built.model, state), parts_->built.model.kinematics,
                  {"the checkpoint", 0, 0, {}});
    parts_->state = std::move(state);
    parts_->acting = {};
    parts_->update_points();
    return 0;
  });
}

void Simulation::add_force(const std::string& name, ForceField force) {
  parts_->require_not_stepping("add_force");
  const Body& body = parts_->find(name);
  parts_->require_not_obstacle(body, "a force");
  if (!force) throw InputError(fmt::format("{}: the force on \"{}\" is empty", parts_->path, name));
  const size_t index = static_cast<size_t>(&body - parts_->built.model.kinematics.bodies.data());
  parts_->forces.push_back({index, std::move(force)});
  parts_->connect_forces();
}

void Simulation::add_potential(const std::string& name,
                               const std::vector<std::vector<std::int32_t>>& elements,
                               const std::shared_ptr<const Potential>& potential) {
  parts_->require_not_stepping("add_potential");
  const Body& body = parts_->find(name);
  parts_->require_not_obstacle(body, "a potential");
  if (!potential) throw InputError(fmt::format("{}: the potential of \"{}\" is null", parts_->path, name));
  std::vector<std::vector<Index>> points;
  for (const std::vector<std::int32_t>& element : elements) {
    if (element.empty()) {
      throw InputError(fmt::format("{}: element {} of the potential of \"{}\" has no points", parts_->path,
                                   points.size(), name));
    }
    std::vector<Index>& own = points.emplace_back();
    for (const std::int32_t i : element) {
      if (i < 0 || static_cast<size_t>(i) >= body.rest.points.size()) {
        throw InputError(fmt::format("{}: the body \"{}\" has no point {}; it has {}", parts_->path, name, i,
                                     body.rest.points.size()));
      }
      own.push_back(body.first_point + i);
    }
  }
  const auto evaluate = [potential](size_t element, std::span<const marrow::Vec3> x,
                                    std::span<marrow::Vec3> gradient, Eigen::Ref<MatX> hessian) {
    const Points places(x.begin(), x.end());
    std::vector<Vec3> g(gradient.size(), Vec3{});
    std::vector<double> h(static_cast<size_t>(hessian.size()), 0.0);
    const double value = potential->evaluate(element, view_points(places), g, h);
    for (size_t i = 0; i < g.size(); ++i) gradient[i] = marrow::Vec3(g[i][0], g[i][1], g[i][2]);
    for (Index i = 0; i < hessian.rows(); ++i) {
      for (Index j = 0; j < hessian.cols(); ++j)
        hessian(i, j) = h[static_cast<size_t>(i * hessian.cols() + j)];
    }
    return value;
  };
  auto own = std::make_unique<PointPotential>(parts_->built.model.kinematics, std::move(points), evaluate);
  parts_->potentials.push_back({name, own.get()});
  marrow::add_potential(parts_->terms, std::move(own));
}

}  // namespace api
}  // namespace marrow
