// The bodies of a rigid-ipc fixture, as its JSON says them and with their meshes, on the way to a scene.
//
// A mesh point X goes to position + R(scale ∘ X) with R = Rz Ry Rx of angles in degrees. Velocities and
// forces are those of the centre of mass. What has no volume weighs density times area, length or number of
// points.
#pragma once

#include <Eigen/Geometry>

#include "scene/description.h"
#include "scene/json/json.h"

namespace marrow {

enum class RigidIpcType { Static, Kinematic, Dynamic };

template <>
struct EnumNames<RigidIpcType> {
  static constexpr const char* names[] = {"static", "kinematic", "dynamic"};
};

// The pose that a kinematic body takes in one step.
struct RigidIpcPose {
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // a rotation vector [rad]
};

struct RigidIpcBody {
  bool enabled = true;
  RigidIpcType type = RigidIpcType::Dynamic;
  std::string mesh;
  std::vector<Vec3> vertices;  // instead of a mesh
  std::vector<std::vector<int>> edges, faces;
  double density = 1000;
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();          // [°]
  Vec3 linear_velocity = Vec3::Zero();   // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [°/s]
  Vec3 force = Vec3::Zero();             // [N]
  Vec3 torque = Vec3::Zero();            // [N m ·180/π]
  int group_id = -1;                     // bodies of one group pass through each other
  double kinematic_max_time = -1;        // [s]; below 0: for ever
  std::vector<RigidIpcPose> kinematic_poses;
  bool split_components = false;
  // In several forms, read by hand.
  Vec3 scale = Vec3::Ones();
  std::optional<Vec3> dimensions;
  std::array<bool, 6> is_fixed = {};

  bool is_obstacle() const;
};

template <class Visitor>
void visit_fields(Visitor& visit, RigidIpcPose& o) {
  visit("position", o.position, {.unit = "m", .doc = "That of the centre of mass."});
  visit("rotation", o.rotation, {.unit = "rad", .doc = "A rotation vector."});
}

template <class Visitor>
void visit_fields(Visitor& visit, RigidIpcBody& o) {
  visit("enabled", o.enabled, {.doc = "Whether the body is part of the scene."});
  visit("type", o.type, {.doc = "Whether the body is simulated, moves as prescribed, or does not move."});
  visit("mesh", o.mesh, {.doc = "Mesh file in the folder meshes."});
  visit("vertices", o.vertices, {.doc = "Points, instead of a mesh."});
  visit("edges", o.edges, {.at_least = 0, .doc = "Pairs of points."});
  visit("faces", o.faces, {.at_least = 0, .doc = "Triples of points."});
  visit("density", o.density, {.unit = "kg/m³", .doc = "Mass per volume; not used for obstacles."});
  visit("position", o.position, {.unit = "m", .doc = "That of the mesh origin."});
  visit("rotation", o.rotation, {.unit = "°", .doc = "About x, then y, then z."});
  visit("linear_velocity", o.linear_velocity, {.unit = "m/s", .doc = "That of the centre of mass."});
  visit("angular_velocity", o.angular_velocity, {.unit = "°/s", .doc = "About the world axes."});
  visit("force", o.force, {.unit = "N", .doc = "On the centre of mass."});
  visit("torque", o.torque, {.doc = "Torque on the body."});
  visit("group_id", o.group_id, {.doc = "Bodies of one group do not collide."});
  visit("kinematic_max_time", o.kinematic_max_time, {.unit = "s", .doc = "Time at which the motion ends."});
  visit("kinematic_poses", o.kinematic_poses, {.doc = "One pose per step."});
  visit("split_components", o.split_components, {.doc = "Whether each connected part is a body."});
}

// Keys of a body, beside those above, that say something or nothing.
bool is_known_body_key(const std::string& key);

// Refuses bodies of two dimensions.
RigidIpcBody read_rigid_ipc_body(const JsonNode& node);

// The mesh as it is before position, rotation and scale: read, or made of the vertices given.
Mesh load_rigid_ipc_mesh(const RigidIpcBody& body, const JsonNode& node, const std::string& mesh_file);

// scale, or what makes the mesh as large as dimensions says.
Vec3 compute_rigid_ipc_scale(const RigidIpcBody& body, const Mesh& mesh);

// Removes triangles that are there twice; returns how many.
int drop_double_triangles(Mesh& mesh);

// The connected parts of a mesh's triangles, each with its own points.
std::vector<Mesh> split_components(const Mesh& mesh);

}  // namespace marrow
