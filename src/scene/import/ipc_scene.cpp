#include "scene/import/ipc_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/error.h"
#include "core/file.h"
#include "math/rotation.h"
#include "mesh/io/mesh_file.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"
#include "scene/import/import_scene.h"
#include "scene/import/ipc_motion.h"
#include "scene/import/ipc_stage.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr double kGravity = 9.80665;  // IPC's
constexpr double kPlateFactor = 20;   // width of the plate for a half space, in radii of the scene

// IPC turns by Rx(ωx h) Ry(ωy h) Rz(ωz h) in every step of length h: the constant angular velocity that gives
// the same at the end of each step.
Vec3 convert_angular_velocity(const Vec3& degrees, double h) {
  const Eigen::AngleAxisd turn(ipc_rotation(degrees * h));
  return turn.angle() / h * turn.axis();
}

Vec3 compute_center_of_mass(const IpcBody& body) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (const Tet& tet : body.mesh.tets) {
    const double volume = compute_tet_volume(body.points[tet[0]], body.points[tet[1]], body.points[tet[2]],
                                             body.points[tet[3]]);
    for (const Index i : tet) sum += volume / 4 * body.points[i];
    total += volume;
  }
  return sum / total;
}

// The points of the surface inside a box that runs from 0 to 1 across the mesh as it is in its file.
std::vector<int> select_boundary(const IpcBody& body, const IpcBoundary& boundary) {
  std::vector<char> is_surface(body.mesh.points.size(), 0);
  for (const Triangle& triangle : extract_surface(body.mesh.tets)) {
    for (const Index i : triangle) is_surface[i] = 1;
  }
  const Eigen::AlignedBox3d box = compute_box(body.mesh.points);
  const Eigen::AlignedBox3d chosen(box.min() + boundary.min.cwiseProduct(box.sizes()),
                                   box.min() + boundary.max.cwiseProduct(box.sizes()));
  std::vector<int> vertices;
  for (size_t i = 0; i < body.mesh.points.size(); ++i) {
    if (is_surface[i] && chosen.contains(body.mesh.points[i])) vertices.push_back(static_cast<int>(i));
  }
  return vertices;
}

Vec3 compute_box_center(const IpcBody& body, const std::vector<int>& vertices) {
  Eigen::AlignedBox3d box;
  for (const int i : vertices) box.extend(body.points[static_cast<size_t>(i)]);
  return box.center();
}

bool is_finite_end(const IpcStage& stage, const IpcBoundary& boundary) {
  return boundary.end > 0 && boundary.end < stage.script.duration;
}

// Several times for the same points: keyframes with the velocity of each in turn.
PrescribedDescription join_boundaries(IpcStage& stage, std::vector<const IpcBoundary*> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const IpcBoundary* a, const IpcBoundary* b) { return a->start < b->start; });
  PrescribedDescription motion;
  Vec3 place = Vec3::Zero();
  const auto add_key = [&](double time) {
    if (motion.keyframes.empty() || time > motion.keyframes.back().time) {
      motion.keyframes.push_back({time, place, Vec3::Zero()});
    }
  };
  double time = 0;
  add_key(0);
  for (const IpcBoundary* part : parts) {
    if (!part->angular_velocity.isZero(0)) {
      stage.fail(part->line, "points that rotate in one of several time ranges are not supported",
                 "Give each range points of its own.");
    }
    if (part->start > time)
      stage.note(part->line, "DBC: between its time ranges the points are held, not free");
    add_key(std::max(part->start, time));
    const double end = part->end > 0 ? part->end : std::max(stage.script.duration, part->start);
    place += std::max(0.0, end - std::max(part->start, time)) * part->value;
    time = std::max(time, end);
    add_key(time);
  }
  if (time < stage.script.duration) motion.release = time;
  return motion;
}

PrescribedDescription convert_boundary(IpcStage& stage, const IpcBoundary& boundary, const Vec3& about) {
  PrescribedDescription motion;
  motion.velocity = boundary.value;
  motion.angular_velocity = convert_angular_velocity(boundary.angular_velocity, stage.script.step);
  if (!motion.angular_velocity.isZero(0)) motion.about = about;
  motion.start = boundary.start;
  if (is_finite_end(stage, boundary)) motion.release = motion.end = boundary.end;
  if (boundary.start > 0) stage.note(boundary.line, "DBC: until its start the points are held, not free");
  return motion;
}

// DBC: held and moved points. Entries for the same points are one motion; a point belongs to the first.
void add_held(IpcStage& stage, IpcBody& body) {
  std::vector<std::pair<std::vector<int>, std::vector<const IpcBoundary*>>> groups;
  for (const IpcBoundary& boundary : body.shape->held) {
    std::vector<int> vertices = select_boundary(body, boundary);
    if (vertices.empty()) stage.note(boundary.line, "DBC: no point of the surface is in the box");
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == vertices; });
    if (same != groups.end()) {
      same->second.push_back(&boundary);
    } else if (!vertices.empty()) {
      groups.push_back({std::move(vertices), {&boundary}});
    }
  }
  std::set<int> taken;
  for (const auto& [vertices, parts] : groups) {
    PrescribedDescription motion =
        parts.size() == 1 ? convert_boundary(stage, *parts[0], compute_box_center(body, vertices))
                          : join_boundaries(stage, parts);
    std::vector<int>& selected = motion.select.vertices.emplace();
    for (const int i : vertices) {
      if (taken.insert(i).second) selected.push_back(i);
    }
    if (selected.size() < vertices.size()) {
      stage.note(parts[0]->line, "DBC: points held by an earlier DBC stay with that one");
    }
    if (!selected.empty()) body.description.prescribed.push_back(std::move(motion));
  }
}

// NBC: IPC multiplies the given vector by the mass of each point.
void add_pulled(IpcStage& stage, IpcBody& body) {
  for (const IpcBoundary& boundary : body.shape->pulled) {
    ForceDescription force;
    force.select.vertices = select_boundary(body, boundary);
    if (force.select.vertices->empty()) {
      stage.note(boundary.line, "NBC: no point of the surface is in the box");
      continue;
    }
    const bool is_always = boundary.start <= 0 && boundary.end <= 0;
    const auto formula = [&](double value) {
      if (is_always) return Expression(value);
      const std::string until = boundary.end > 0 ? fmt::format(" && t <= {}", boundary.end) : std::string();
      return Expression(fmt::format("if(t > {}{}, {}, 0)", boundary.start, until, value));
    };
    force.acceleration = VectorExpression(formula(boundary.value.x()), formula(boundary.value.y()),
                                          formula(boundary.value.z()));
    body.description.forces.push_back(std::move(force));
  }
}

// A shape with a velocity moves as a whole, about the centre of its box.
void add_velocity(IpcStage& stage, IpcBody& body) {
  const IpcShape& shape = *body.shape;
  BodyDescription& description = body.description;
  description.kind = BodyKind::Obstacle;
  description.material = {};
  PrescribedDescription motion;
  motion.select.all = true;
  if (shape.linear_velocity) motion.velocity = *shape.linear_velocity;
  if (shape.angular_velocity) {
    motion.angular_velocity = convert_angular_velocity(*shape.angular_velocity, stage.script.step);
    motion.about = body.box().center();
    stage.note(shape.line,
               "angularVelocity: about the centre of the box at time 0; IPC updates the box in each step");
  }
  const bool is_still = motion.velocity.isZero(0) && motion.angular_velocity.isZero(0);
  if (!is_still) description.prescribed = {motion};
}

// A shape that follows the meshes 0, 1, 2, … of a folder, one a step.
void add_sequence(IpcStage& stage, IpcBody& body) {
  const IpcShape& shape = *body.shape;
  SequenceDescription sequence;
  sequence.first = sequence.step = stage.script.step;
  const char* const extensions[] = {".pt", ".seg", ".obj", ".msh"};
  for (int k = 0;; ++k) {
    const std::string stem = fmt::format("{}/{}", shape.sequence, k);
    std::string file = find_ipc_file(stage.file, stem + extensions[body.dimension]);
    if (file.empty() && body.dimension < 2) file = find_ipc_file(stage.file, stem + ".obj");
    if (file.empty()) break;
    sequence.meshes.push_back(relative_name(file, stage.target));
  }
  if (sequence.meshes.empty())
    stage.fail(shape.line, fmt::format("meshSeq: the folder {} has no mesh 0", shape.sequence));
  stage.note(shape.line, fmt::format("meshSeq: {} meshes; the last one holds", sequence.meshes.size()));
  PrescribedDescription motion;
  motion.select.all = true;
  motion.sequence.emplace(std::move(sequence));
  body.description.kind = BodyKind::Obstacle;
  body.description.material = {};
  body.description.prescribed = {motion};
}

// What a script without a motion of its own says shape by shape.
void apply_shape_keywords(IpcStage& stage) {
  for (IpcBody& body : stage.bodies) {
    const IpcShape& shape = *body.shape;
    if (shape.linear_velocity || shape.angular_velocity) {
      add_velocity(stage, body);
    } else if (!shape.sequence.empty()) {
      add_sequence(stage, body);
    } else if (body.dimension == 3) {
      add_held(stage, body);
      add_pulled(stage, body);
      if (!shape.initial_velocity) continue;
      const Vec3 spin = shape.initial_spin * kRadians;
      body.description.angular_velocity = spin;
      // IPC spins about the centre of the box, we about the centre of mass.
      body.description.velocity =
          *shape.initial_velocity + spin.cross(compute_center_of_mass(body) - body.box().center());
    } else if (!shape.held.empty() || !shape.pulled.empty() || shape.initial_velocity) {
      stage.note(shape.line,
                 "DBC, NBC and initVel are ignored: a shape without volume does not move by itself");
    }
  }
}

void note_lost_keywords(IpcStage& stage) {
  for (const IpcBody& body : stage.bodies) {
    const IpcShape& shape = *body.shape;
    const bool has_any = shape.linear_velocity || shape.angular_velocity || shape.initial_velocity ||
                         !shape.held.empty() || !shape.pulled.empty() || !shape.sequence.empty();
    if (has_any)
      stage.note(shape.line, fmt::format("velocities and boundary conditions are ignored, as in IPC: the "
                                         "script has the motion {}",
                                         stage.script.motion));
    if (body.dimension < 3 && !stage.script.motion.starts_with("DCO")) {
      stage.note(shape.line, "a shape without volume is held in place; IPC lets it go with this motion");
    }
  }
}

BodyDescription make_obstacle(const IpcStage& stage, const IpcMeshObstacle& obstacle, size_t number) {
  const std::string file = find_ipc_file(stage.file, obstacle.path);
  if (file.empty()) {
    stage.fail(obstacle.line, fmt::format("the mesh {} is missing", obstacle.path),
               "It is searched for in the folder of the script and in the folders above.");
  }
  const Mesh mesh = read_mesh(file);
  Eigen::AlignedBox3d box;
  Vec3 mean = Vec3::Zero();
  for (const Vec3& X : mesh.points) {
    box.extend(X);
    mean += X / static_cast<double>(mesh.points.size());
  }
  const double scale = obstacle.size / box.sizes().maxCoeff();
  BodyDescription body;
  body.name = fmt::format("obstacle {}", number + 1);
  body.kind = BodyKind::Obstacle;
  body.mesh = relative_name(file, stage.target);
  body.rotation = degrees_from_rotation(ipc_rotation(obstacle.degrees));
  body.scale = Vec3::Constant(scale);
  body.position = obstacle.origin - rotation_from_degrees(body.rotation) * (scale * mean);
  body.friction = obstacle.friction;
  return body;
}

// A half space is a plate much larger than the scene, its upper side in the plane.
BodyDescription make_plate(const IpcHalfSpace& half_space, size_t number, const Eigen::AlignedBox3d& box) {
  const Vec3& n = half_space.normal;
  const double height = n.dot(box.center() - half_space.origin);
  const double radius = box.diagonal().norm() + std::abs(height);
  PlateShape plate;
  plate.width = plate.depth = kPlateFactor * radius;
  plate.thickness = radius;
  plate.cells_x = plate.cells_y = plate.cells_z = 1;
  BodyDescription body;
  body.name = fmt::format("half space {}", number + 1);
  body.kind = BodyKind::Obstacle;
  body.shape = plate;
  body.rotation = degrees_from_rotation(rotation_between(Vec3::UnitY(), n));
  body.position = box.center() - (height + plate.thickness / 2) * n;
  body.friction = half_space.friction;
  return body;
}

void set_contact(const IpcStage& stage, Scene& scene) {
  const IpcScript& script = stage.script;
  const double unit = script.is_absolute ? 1 : stage.diagonal;
  scene.contact.d_hat = script.d_hat * unit;
  scene.contact.friction_iterations = -1;  // at least as exact as the original
  scene.contact.epsilon_v = script.epsilon_v * unit;
  scene.contact.friction = script.self_friction;
  if (script.has_self_collision) return;
  // Then shapes touch neither themselves nor each other, only the obstacles beside them.
  scene.contact.enabled = !script.obstacles.empty() || !script.half_spaces.empty();
  for (size_t i = 0; i < stage.bodies.size(); ++i) {
    scene.bodies[i].self_contact = false;
    scene.bodies[i].group = "shapes";
  }
  scene.contact.pairs.push_back({"shapes", "shapes", {}, true});
}

// IPC stops Newton at tolerance · ℓ · h with the box diagonal ℓ of all volumes; ours is that of the smallest.
// Never more than our own.
double convert_tolerance(const IpcStage& stage) {
  double smallest = stage.diagonal;
  for (const IpcBody& body : stage.bodies) {
    if (body.description.kind == BodyKind::Soft) smallest = std::min(smallest, body.box().diagonal().norm());
  }
  return std::min(NewtonOptions{}.tolerance, stage.script.tolerance * stage.diagonal / smallest);
}

void set_solver(IpcStage& stage, Scene& scene) {
  const IpcScript& script = stage.script;
  scene.time.step = script.step;
  scene.time.duration = std::max(script.duration, script.step);
  if (script.integration == "NM") scene.time.integrator = Integrator::Newmark;
  scene.gravity = script.has_gravity ? Vec3(0, -kGravity, 0) : Vec3(Vec3::Zero());
  scene.solver.newton.tolerance = convert_tolerance(stage);
  scene.solver.newton.balance = kImportedBalance;
  if (script.damping_stiffness > 0 || script.damping_ratio > 0) {
    stage.note(0, "damping is ignored: IPC's lagged stiffness damping has no counterpart yet");
  }
}

// The script, or the one whose path is all that the file says: a link that was stored as text.
std::string follow_link(const std::string& path, const std::string& text) {
  std::string line = text;
  line.erase(line.find_last_not_of(" \t\r\n") + 1);
  if (line.empty() || line.find_first_of(" \t\r\n") != std::string::npos || !is_ipc_script(line)) return path;
  const fs::path target = fs::path(path).parent_path() / line;
  return fs::is_regular_file(target) ? target.lexically_normal().string() : path;
}

}  // namespace

bool is_ipc_script(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".txt" || extension == ".ipc";
}

IpcScene read_ipc_scene(const std::string& path, const std::string& target) {
  IpcScene result;
  std::string text = read_file(path);
  result.script = follow_link(path, text);
  if (result.script != path) text = read_file(result.script);
  const IpcScript script = parse_ipc_script(text, result.script);
  IpcStage stage = build_ipc_stage(script, result.script, target);
  apply_ipc_motion(stage);
  if (script.motion == "null") {
    apply_shape_keywords(stage);
  } else {
    note_lost_keywords(stage);
  }

  // The shapes, then what they meet.
  Scene& scene = result.scene;
  scene.name = fs::path(path).stem().string();
  const Eigen::AlignedBox3d box = stage.box();
  for (const IpcBody& body : stage.bodies) scene.bodies.push_back(body.description);
  for (size_t i = 0; i < script.obstacles.size(); ++i)
    scene.bodies.push_back(make_obstacle(stage, script.obstacles[i], i));
  for (size_t i = 0; i < script.half_spaces.size(); ++i)
    scene.bodies.push_back(make_plate(script.half_spaces[i], i, box));
  set_contact(stage, scene);
  set_solver(stage, scene);
  result.notices = std::move(stage.notices);
  std::stable_sort(result.notices.begin(), result.notices.end(),
                   [](const IpcNotice& a, const IpcNotice& b) { return a.line < b.line; });
  return result;
}

}  // namespace marrow
