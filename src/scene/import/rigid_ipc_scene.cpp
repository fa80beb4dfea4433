#include "scene/import/rigid_ipc_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "kinematics/elements/mass_properties.h"
#include "math/rotation.h"
#include "mesh/point_box.h"
#include "scene/import/import_scene.h"
#include "scene/import/ipc_stage.h"
#include "scene/import/rigid_ipc_body.h"
#include "scene/json/read_fields.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr double kThickness = 1e-2;      // of what has no volume, relative to its box
constexpr double kDefaultDuration = 10;  // [s]

// What a fixture says beside its bodies; the defaults are rigid-ipc's.
struct Settings {
  double timestep = 0.01;
  std::optional<double> max_time;
  std::optional<int> max_iterations;
  Vec3 gravity = Vec3::Zero();
  double friction = 0;
  double restitution = -1;
  double d_hat = 1e-3;
  double separation = 0;
  double epsilon_v = 1e-3;
  int friction_iterations = 1;
  double tolerance = 1e-2;  // [m/s], relative to the diagonal unless is_tolerance_absolute
  bool is_tolerance_absolute = false;
};

// The conversion under way.
struct Stage {
  std::string file;
  std::string target;
  BodyKind kind;
  Settings settings;
  Scene scene;
  std::vector<int> groups;                                    // of each body of the scene
  Eigen::AlignedBox3d box;                                    // of all bodies
  double smallest = std::numeric_limits<double>::infinity();  // diagonal of what moves by itself
  std::vector<std::string> notices;
  std::map<std::string, int> name_counts;

  void note(const std::string& text) { notices.push_back(text); }
};

bool is_comment(const std::string& key) { return key.starts_with("#"); }

// Notes the keys that mean nothing to us.
void note_unknown(const JsonNode& object, const std::vector<std::string>& known, const std::string& where,
                  Stage& stage) {
  for (const std::string& key : object.keys()) {
    if (is_comment(key) || std::find(known.begin(), known.end(), key) != known.end()) continue;
    stage.note(fmt::format("{}{} is ignored", where, key));
  }
}

template <class T>
void read_member(const JsonNode& object, const char* key, const Field& field, T& value) {
  if (const auto member = object.member(key)) read_value(*member, {key, field}, value);
}

void read_problem(const JsonNode& problem, Stage& stage) {
  Settings& s = stage.settings;
  check_object(problem, "an object with the key \"rigid_bodies\"");
  const auto gravity = problem.member("gravity");
  if (gravity && gravity->kind() == JsonNode::Kind::List && gravity->size() == 2) {
    problem.fail_at_key("gravity", "has two coordinates: the fixture is two-dimensional",
                        "Only fixtures in three dimensions can be read.");
  }
  read_member(problem, "gravity", {.unit = "m/s²", .doc = "Acceleration by gravity."}, s.gravity);
  read_member(problem, "coefficient_friction",
              {.at_least = 0, .doc = "Coefficient of friction of all bodies."}, s.friction);
  read_member(problem, "coefficient_restitution", {.doc = "Coefficient of restitution."}, s.restitution);
  if (s.restitution > 0) {
    stage.note(
        fmt::format("coefficient_restitution {:g} is ignored: contact is elastic, and the integrator "
                    "determines how much bodies bounce (with implicit Euler, hardly at all)",
                    s.restitution));
  }
  note_unknown(problem,
               {"gravity", "coefficient_friction", "coefficient_restitution", "rigid_bodies", "collision_eps",
                "do_intersection_check"},
               "rigid_body_problem.", stage);
}

void read_constraints(const JsonNode& root, Stage& stage) {
  Settings& s = stage.settings;
  if (const auto barrier = root.member("distance_barrier_constraint")) {
    read_member(*barrier, "initial_barrier_activation_distance",
                {.unit = "m", .above = 0, .doc = "Distance at which bodies begin to repel each other."},
                s.d_hat);
    read_member(*barrier, "minimum_separation_distance",
                {.unit = "m", .at_least = 0, .doc = "Distance that bodies keep."}, s.separation);
    note_unknown(*barrier, {"initial_barrier_activation_distance", "minimum_separation_distance"},
                 "distance_barrier_constraint.", stage);
  }
  if (const auto friction = root.member("friction_constraints")) {
    read_member(*friction, "static_friction_speed_bound",
                {.unit = "m/s", .above = 0, .doc = "Speed below which bodies stick."}, s.epsilon_v);
    read_member(*friction, "iterations", {.doc = "Friction solves per step."}, s.friction_iterations);
    note_unknown(*friction, {"static_friction_speed_bound", "iterations"}, "friction_constraints.", stage);
  }
  if (const auto solver = root.member("ipc_solver")) {
    read_member(*solver, "velocity_conv_tol", {.above = 0, .doc = "Tolerance at which Newton stops."},
                s.tolerance);
    read_member(*solver, "is_velocity_conv_tol_abs", {.doc = "Whether the tolerance is a velocity in m/s."},
                s.is_tolerance_absolute);
    note_unknown(*solver, {"velocity_conv_tol", "is_velocity_conv_tol_abs"}, "ipc_solver.", stage);
  }
}

void read_settings(const JsonNode& root, Stage& stage) {
  Settings& s = stage.settings;
  read_member(root, "timestep", {.unit = "s", .above = 0, .doc = "Time step."}, s.timestep);
  read_member(root, "max_time", {.unit = "s", .doc = "Time at which the run ends."}, s.max_time);
  read_member(root, "max_iterations", {.doc = "Total number of steps."}, s.max_iterations);
  if (s.max_time && *s.max_time <= 0) s.max_time.reset();
  if (s.max_iterations && *s.max_iterations <= 0) s.max_iterations.reset();
  read_constraints(root, stage);
  note_unknown(root,
               {"scene_type", "solver", "timestep", "max_time", "max_iterations", "rigid_body_problem",
                "distance_barrier_constraint", "friction_constraints", "ipc_solver", "viewport_bbox"},
               "", stage);
}

std::string write_obj_text(const Mesh& mesh) {
  std::string text;
  for (const Vec3& x : mesh.points) text += fmt::format("v {} {} {}\n", x.x(), x.y(), x.z());
  for (const Triangle& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  for (const Edge& e : mesh.edges) text += fmt::format("l {} {}\n", e[0] + 1, e[1] + 1);
  if (mesh.triangles.empty() && mesh.edges.empty()) {
    for (size_t i = 0; i < mesh.points.size(); ++i) text += fmt::format("p {}\n", i + 1);
  }
  return text;
}

// A mesh that is in no file of its own.
std::string store_mesh(const Mesh& mesh, const std::string& name, const Stage& stage) {
  const std::string text = write_obj_text(mesh);
  fs::path folder = fs::absolute(stage.target).parent_path();
  std::string stem = fs::path(stage.target).stem().string() + "_" + name;
  if (stage.target == stage.file) {
    folder = fs::temp_directory_path();
    stem = fmt::format("marrow_{:016x}", hash_bytes(text));
  }
  std::replace(stem.begin(), stem.end(), ' ', '_');
  const std::string file = (folder / (stem + ".obj")).string();
  write_file(file, text);
  return file;
}

// Rigid-ipc's mass of what has no volume: density times area, length or number.
void set_thin_mass(const Mesh& mesh, double diagonal, double density, BodyDescription& body) {
  const double t = kThickness * diagonal;
  body.thickness = t;
  if (!mesh.triangles.empty()) {
    body.material.density = density / t;
  } else if (!mesh.edges.empty()) {
    body.material.density = density / (std::numbers::pi / 4 * t * t);
  } else {
    body.material.density = density / (std::numbers::pi / 6 * t * t * t);
  }
}

Mesh place_mesh(Mesh mesh, const BodyDescription& body) {
  const Mat3 R = rotation_from_degrees(body.rotation);
  for (Vec3& x : mesh.points) x = body.position + R * body.scale.cwiseProduct(x);
  return mesh;
}

double diagonal_of(const Mesh& mesh) { return compute_diagonal(mesh.points); }

// One pose a step, then on with the velocities, as keyframes.
std::vector<Keyframe> list_keyframes(const RigidIpcBody& source, const Vec3& center, const std::string& name,
                                     Stage& stage) {
  const double h = stage.settings.timestep;
  std::vector<Keyframe> keys = {{0, Vec3::Zero(), Vec3::Zero()}};
  for (const RigidIpcPose& pose : source.kinematic_poses) {
    const Vec3 degrees = degrees_from_rotation(rotation_from_vector(pose.rotation));
    keys.push_back({h * static_cast<double>(keys.size()), pose.position - center, degrees});
  }
  const double rest = stage.scene.time.duration - keys.back().time;
  const int turning_axes = static_cast<int>((source.angular_velocity.array() != 0).count());
  const bool is_turned = !keys.back().rotation.isZero(0);
  const bool can_turn = turning_axes == 0 || (turning_axes == 1 && !is_turned);
  if (!can_turn) stage.note(fmt::format("{}: it stops rotating after its last pose", name));
  if (rest > 0) {
    Keyframe last = keys.back();
    last.time += rest;
    last.translation += rest * source.linear_velocity;
    if (can_turn) last.rotation += rest * source.angular_velocity;
    keys.push_back(last);
  }
  return keys;
}

void make_obstacle(const RigidIpcBody& source, const Mesh& placed, BodyDescription& body, Stage& stage) {
  body.kind = BodyKind::Obstacle;
  body.self_contact = true;
  if (source.type != RigidIpcType::Kinematic) return;
  const double thickness = std::max(kThickness * diagonal_of(placed), 1e-12);
  const Vec3 center = compute_mass_properties(placed, 1, thickness).center;
  PrescribedDescription motion;
  motion.select.all = true;
  motion.about = center;
  if (source.kinematic_poses.empty()) {
    motion.velocity = source.linear_velocity;
    motion.angular_velocity = source.angular_velocity * kRadians;
    for (int k = 0; k < 3; ++k) {
      if (source.is_fixed[static_cast<size_t>(k)]) motion.velocity[k] = 0;
      if (source.is_fixed[static_cast<size_t>(k) + 3]) motion.angular_velocity[k] = 0;
    }
  } else {
    motion.keyframes = list_keyframes(source, center, body.name, stage);
  }
  if (source.kinematic_max_time >= 0) motion.end = source.kinematic_max_time;
  body.prescribed.push_back(motion);
}

VectorExpression make_constant(const Vec3& v) {
  return VectorExpression(Expression(v.x()), Expression(v.y()), Expression(v.z()));
}

void make_free(const RigidIpcBody& source, const Mesh& placed, BodyDescription& body, Stage& stage) {
  body.kind = stage.kind;
  body.material.density = source.density;
  const double diagonal = diagonal_of(placed);
  const bool is_thin = placed.tets.empty() && !is_closed_surface(placed.triangles);
  if (is_thin || placed.triangles.empty()) set_thin_mass(placed, diagonal, source.density, body);
  body.velocity = source.linear_velocity;
  body.angular_velocity = source.angular_velocity * kRadians;
  stage.smallest = std::min(stage.smallest, diagonal);
  for (size_t k = 0; k < 6; ++k) {
    if (source.is_fixed[k]) body.locked.push_back(static_cast<Freedom>(k));
  }
  if (!body.locked.empty() && stage.kind == BodyKind::Affine) {
    body.kind = BodyKind::Rigid;
    stage.note(fmt::format("{}: is_dof_fixed for some axes only needs a rigid body, so it is made rigid",
                           body.name));
  }
  if (!source.force.isZero(0)) {
    const double mass =
        compute_mass_properties(placed, body.material.density, body.thickness.value_or(0)).mass;
    ForceDescription force;
    force.select.all = true;
    force.acceleration = make_constant(source.force / mass);
    body.forces.push_back(force);
  }
  if (!source.torque.isZero(0)) {
    ForceDescription torque;
    torque.select.all = true;
    torque.torque = make_constant(source.torque);
    body.forces.push_back(torque);
  }
}

std::string choose_name(const std::string& stem, Stage& stage) {
  const int count = ++stage.name_counts[stem];
  return count == 1 ? stem : fmt::format("{} {}", stem, count);
}

// The source's mesh as one body, or one of its parts.
void add_body(const RigidIpcBody& source, const Mesh& mesh, std::string file, const std::string& stem,
              Stage& stage) {
  BodyDescription body;
  body.name = choose_name(stem, stage);
  body.position = source.position;
  body.rotation = source.rotation;
  body.scale = compute_rigid_ipc_scale(source, mesh);
  if ((body.scale.array() <= 0).any()) {  // mirrored or flattened: ours are factors above 0
    Mesh scaled = mesh;
    for (Vec3& X : scaled.points) X = body.scale.cwiseProduct(X);
    body.scale.setOnes();
    file = store_mesh(scaled, body.name, stage);
  }
  if (file.empty()) file = store_mesh(mesh, body.name, stage);
  body.mesh = relative_name(file, stage.target);
  body.self_contact = false;
  body.radius = stage.settings.separation / 2;
  const Mesh placed = place_mesh(mesh, body);
  for (const Vec3& x : placed.points) stage.box.extend(x);
  if (source.is_obstacle()) {
    make_obstacle(source, placed, body, stage);
  } else {
    make_free(source, placed, body, stage);
  }
  stage.scene.bodies.push_back(std::move(body));
  stage.groups.push_back(source.group_id);
}

void add_source(const JsonNode& node, const std::string& where, Stage& stage) {
  const RigidIpcBody source = read_rigid_ipc_body(node);
  for (const std::string& key : node.keys()) {
    if (!is_comment(key) && !is_known_body_key(key)) stage.note(fmt::format("{}: {} is ignored", where, key));
  }
  if (!source.enabled) return;
  std::string file;
  if (!source.mesh.empty()) {
    file = find_ipc_file(stage.file, source.mesh);
    if (file.empty()) file = find_ipc_file(stage.file, (fs::path("meshes") / source.mesh).string());
    if (file.empty()) {
      node.fail_at_key("mesh", fmt::format("the mesh {} is missing", source.mesh),
                       "It is searched for in the folder of the fixture and in the folders above, there and "
                       "in a folder meshes.");
    }
  }
  Mesh mesh = load_rigid_ipc_mesh(source, node, file);
  if (const int count = drop_double_triangles(mesh); count > 0) {
    stage.note(fmt::format("{}: duplicate triangles of the mesh count once ({})", where, count));
    file.clear();
  }
  const std::string stem = source.mesh.empty() ? "body" : fs::path(source.mesh).stem().string();
  if (!source.split_components) {
    add_body(source, mesh, file, stem, stage);
    return;
  }
  for (const Mesh& part : split_components(mesh)) add_body(source, part, {}, stem + " part", stage);
}

// Bodies of one group pass through each other; all that is static or kinematic is one group.
void set_groups(Stage& stage) {
  std::set<int> of_obstacles;
  const auto is_obstacle = [&](size_t i) { return stage.scene.bodies[i].kind == BodyKind::Obstacle; };
  for (size_t i = 0; i < stage.groups.size(); ++i) {
    if (is_obstacle(i) && stage.groups[i] >= 0) of_obstacles.insert(stage.groups[i]);
  }
  std::map<std::string, int> members;
  for (size_t i = 0; i < stage.groups.size(); ++i) {
    BodyDescription& body = stage.scene.bodies[i];
    if (is_obstacle(i) ? !of_obstacles.empty() : of_obstacles.count(stage.groups[i]) > 0) {
      body.group = "group of obstacles";
    } else if (stage.groups[i] >= 0) {
      body.group = fmt::format("group {}", stage.groups[i]);
    }
    if (!body.group.empty()) ++members[body.group];
  }
  for (const auto& [group, count] : members) {
    if (count > 1) stage.scene.contact.pairs.push_back({group, group, {}, true});
  }
}

void set_options(Stage& stage) {
  const Settings& s = stage.settings;
  Scene& scene = stage.scene;
  scene.gravity = s.gravity;
  scene.contact.d_hat = s.d_hat;
  scene.contact.friction = s.friction;
  scene.contact.friction_iterations = -1;  // at least as exact as the original
  scene.contact.epsilon_v = s.epsilon_v;
  const double speed = s.is_tolerance_absolute ? s.tolerance : s.tolerance * stage.box.diagonal().norm();
  if (std::isfinite(stage.smallest) && stage.smallest > 0)
    scene.solver.newton.tolerance = std::min(NewtonOptions{}.tolerance, speed / stage.smallest);
  scene.solver.newton.balance = kImportedBalance;
}

void set_time(Stage& stage) {
  const Settings& s = stage.settings;
  TimeOptions& time = stage.scene.time;
  time.step = s.timestep;
  time.duration = kDefaultDuration;
  if (s.max_iterations) time.duration = *s.max_iterations * s.timestep;
  if (s.max_time) time.duration = *s.max_time;
  time.duration = std::max(time.duration, time.step);
  if (!s.max_time && !s.max_iterations)
    stage.note(fmt::format("the fixture has no end time; {:g} s are simulated", kDefaultDuration));
}

}  // namespace

bool is_rigid_ipc_fixture(const std::string& path) {
  if (fs::path(path).extension() != ".json" || !fs::is_regular_file(path)) return false;
  return read_file(path).find("\"rigid_body_problem\"") != std::string::npos;
}

RigidIpcScene read_rigid_ipc_scene(const std::string& path, const std::string& target, BodyKind kind) {
  const JsonDocument document(read_file(path), path);
  const JsonNode root = document.root();
  check_object(root, "an object");
  const auto problem = root.member("rigid_body_problem");
  if (!problem) root.fail("has no rigid_body_problem", "A rigid-ipc fixture lists its bodies there.");
  Stage stage;
  stage.file = path;
  stage.target = target;
  stage.kind = kind;
  stage.scene.name = fs::path(path).stem().string();
  read_settings(root, stage);
  read_problem(*problem, stage);
  set_time(stage);
  const auto bodies = problem->member("rigid_bodies");
  if (!bodies || bodies->kind() != JsonNode::Kind::List || bodies->size() == 0)
    problem->fail("has no rigid_bodies", "List at least one body there.");
  for (int i = 0; i < bodies->size(); ++i)
    add_source(bodies->element(i), fmt::format("rigid_bodies[{}]", i), stage);
  set_groups(stage);
  set_options(stage);
  return {std::move(stage.scene), std::move(stage.notices)};
}

}  // namespace marrow
