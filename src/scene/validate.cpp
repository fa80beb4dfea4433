#include "scene/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "core/error.h"
#include "scene/body_names.h"
#include "scene/validate_joints.h"
#include "scene/validate_projective.h"
#include "scene/validate_view.h"

namespace marrow {
namespace {

using Problem = std::optional<SceneProblem>;

Problem check_time(const TimeOptions& time) {
  const JsonPath path = JsonPath() / "time";
  if (time.duration < time.step) {
    return SceneProblem{
        path / "duration",
        fmt::format("the duration, {} s, is shorter than one step, {} s", time.duration, time.step),
        "Lengthen time.duration or shorten time.step."};
  }
  const double steps = time.duration / time.step;
  if (steps > std::numeric_limits<int>::max()) {
    return SceneProblem{path / "step", fmt::format("{:g} steps are too many", steps),
                        "Lengthen time.step or shorten time.duration."};
  }
  return {};
}

Problem check_output(const OutputOptions& output) {
  if (!output.gltf || output.vtu || (output.viewer && output.exact)) return {};
  return SceneProblem{
      JsonPath() / "output" / "gltf",
      "the glTF animation is made from the frames of run.mrw or VTU files, but neither is written",
      "Set output.gltf to false as well, or output.viewer and output.exact to true."};
}

Problem check_corners(const JsonPath& path, const std::optional<BoxRegion>& box) {
  if (!box || (box->min.array() <= box->max.array()).all()) return {};
  return SceneProblem{path, "the box is empty: min is above max",
                      "Swap the coordinates that are the wrong way round."};
}

Problem check_keyframe_times(const JsonPath& path, const std::vector<Keyframe>& keyframes) {
  for (size_t i = 1; i < keyframes.size(); ++i) {
    if (keyframes[i - 1].time < keyframes[i].time) continue;
    return SceneProblem{path / "keyframes" / i / "time",
                        fmt::format("the time {} s does not come after the one before, {} s",
                                    keyframes[i].time, keyframes[i - 1].time),
                        "Sort the keyframes by time, each time once."};
  }
  return {};
}

// A motion is said in one way: by velocities and formulas, by keyframes, or by a sequence of meshes.
Problem check_motion_kind(const JsonPath& path, const PrescribedDescription& prescribed) {
  const bool has_velocity = !(prescribed.velocity.isZero(0) && prescribed.angular_velocity.isZero(0));
  const bool has_formula =
      prescribed.translation || prescribed.displacement || prescribed.angle || prescribed.scale;
  const bool has_keyframes = !prescribed.keyframes.empty();
  if (has_keyframes && has_velocity) {
    return SceneProblem{path, "keyframes and velocities contradict each other",
                        "Give keyframes, or velocity and angular_velocity, not both."};
  }
  if (has_keyframes && has_formula) {
    return SceneProblem{path, "keyframes and formulas contradict each other",
                        "Give keyframes, or translation, displacement, angle and scale, not both."};
  }
  if (prescribed.sequence && (has_keyframes || has_formula || has_velocity)) {
    return SceneProblem{path / "sequence", "a sequence of meshes cannot be combined with other motions",
                        "Remove the sequence, or the other motions."};
  }
  return {};
}

Problem check_prescribed(const JsonPath& path, const PrescribedDescription& prescribed, BodyKind kind) {
  if (const Problem found = find_selection_problem(path / "select", prescribed.select)) return found;
  if (const Problem found = check_motion_kind(path, prescribed)) return found;
  if (const Problem found = check_keyframe_times(path, prescribed.keyframes)) return found;
  if (prescribed.angle && prescribed.axis.isZero(0)) {
    return SceneProblem{path / "axis", "the axis has no direction", "Give a vector that is not zero."};
  }
  if (prescribed.end && *prescribed.end < prescribed.start) {
    return SceneProblem{path / "end", "the motion ends before it starts", "Give end after start."};
  }
  if (prescribed.sequence && prescribed.sequence->meshes.empty()) {
    return SceneProblem{path / "sequence" / "meshes", "the list is empty", "Name at least one mesh file."};
  }
  if (prescribed.release && kind == BodyKind::Obstacle) {
    return SceneProblem{path / "release", "an obstacle cannot be released",
                        "Remove it, or make the body soft."};
  }
  if (prescribed.release && kind == BodyKind::Rigid) {
    return SceneProblem{path / "release", "a rigid body cannot be released",
                        "Make the body affine, or hold it with a joint that breaks."};
  }
  return {};
}

Problem check_force(const JsonPath& path, const ForceDescription& force, BodyKind kind) {
  if (const Problem found = find_selection_problem(path / "select", force.select)) return found;
  const int count = force.acceleration.has_value() + force.force.has_value() + force.traction.has_value() +
                    force.torque.has_value();
  if (count != 1) {
    return SceneProblem{
        path, count == 0 ? "has no force" : "has more than one of acceleration, force, traction and torque",
        "Give exactly one of acceleration, force, traction and torque."};
  }
  if (!force.torque) return {};
  if (!is_affine_or_rigid(kind)) {
    return SceneProblem{path / "torque", "only affine and rigid bodies take a torque",
                        "Use forces on two opposite sets of points."};
  }
  if (!force.select.all) {
    return SceneProblem{path / "select", "a torque acts on the body as a whole", "Select all points."};
  }
  return {};
}

// An obstacle has no use for what says how a body deforms and flies; a value there is a misunderstanding.
Problem check_obstacle(const JsonPath& path, const BodyDescription& body) {
  const BodyDescription plain;
  const char* unused = nullptr;
  if (body.velocity != plain.velocity) unused = "velocity";
  if (body.angular_velocity != plain.angular_velocity) unused = "angular_velocity";
  if (body.material != plain.material) unused = "material";
  if (body.mass != plain.mass) unused = "mass";
  if (!body.forces.empty()) unused = "forces";
  if (body.pressure) unused = "pressure";
  if (body.thickness) unused = "thickness";
  if (body.stiffness) unused = "stiffness";
  if (unused == nullptr) return {};
  return SceneProblem{path / unused, fmt::format("an obstacle has no {}", unused),
                      "Remove it, or make the body soft; to move an obstacle, use prescribed."};
}

// Of the material a stiff body has its density alone.
Problem check_stiff(const JsonPath& path, const BodyDescription& body) {
  MaterialDescription plain;
  plain.density = body.material.density;
  const std::string kind = enum_name(body.kind);
  if (body.material != plain) {
    return SceneProblem{
        path / "material", fmt::format("a body of kind {} uses only the density of its material", kind),
        "Remove the other fields; the stiffness of an affine body is set by its key stiffness."};
  }
  if (body.mass != MassKind::Lumped) {
    return SceneProblem{path / "mass", fmt::format("the mass of a body of kind {} is exact", kind),
                        "Remove it."};
  }
  if (body.stiffness && body.kind == BodyKind::Rigid) {
    return SceneProblem{path / "stiffness", "a rigid body does not deform",
                        "Remove it, or make the body affine."};
  }
  return {};
}

Problem check_locked(const JsonPath& path, const BodyDescription& body) {
  if (body.locked.empty()) return {};
  if (body.kind != BodyKind::Rigid) {
    return SceneProblem{path / "locked", "only rigid bodies can be locked in part",
                        "Make the body rigid, or hold points of a soft one with prescribed."};
  }
  if (!body.prescribed.empty()) {
    return SceneProblem{path / "locked", "a body with prescribed motion has nothing left to lock",
                        "Remove locked, or prescribed."};
  }
  return {};
}

// What a medial body has no use for, and what only such a body has.
Problem check_medial(const JsonPath& path, const BodyDescription& body) {
  const char* unused = nullptr;
  if (body.kind != BodyKind::Medial) {
    if (body.handles) unused = "handles";
    if (body.target_error) unused = "target_error";
    if (body.cells) unused = "cells";
    if (body.weight_threshold) unused = "weight_threshold";
    if (body.extra_handles) unused = "extra_handles";
    if (body.handle) unused = "handle";
    if (body.quadratic_handles) unused = "quadratic_handles";
    if (body.collider && body.collider->mesh.empty()) unused = "collider";
    if (unused == nullptr) return {};
    return SceneProblem{path / unused, fmt::format("only medial bodies have {}", unused),
                        "Remove it, or give the body \"kind\": \"medial\"."};
  }
  if (body.collider && !body.collider->mesh.empty()) {
    return SceneProblem{path / "collider", "only tets of soft bodies carry a mesh; this is medial",
                        "Give \"surface\" or \"medial\", or make the body soft."};
  }
  if (body.handles && body.target_error) {
    return SceneProblem{path / "target_error", "both handles and a target error are given",
                        "Give one of them."};
  }
  if (body.handle && body.quadratic_handles) {
    return SceneProblem{path / "quadratic_handles", "handle says already which handles are quadratic",
                        "Give one of them."};
  }
  if (body.collides_as_medial() && body.radius > 0) {
    return SceneProblem{path / "radius", "spheres, cones and slabs have radii of their own",
                        "Remove radius, or collide with \"collider\": \"surface\"."};
  }
  if (body.collides_as_medial() && body.self_collision == SelfCollision::Certified) {
    return SceneProblem{path / "self_collision",
                        "certificates are for surfaces, not for spheres, cones and slabs",
                        "Remove it, or collide with \"collider\": \"surface\"."};
  }
  if (body.thickness) unused = "thickness";
  if (body.stiffness) unused = "stiffness";
  if (body.repeat) unused = "repeat";
  if (body.mesh_part != MeshPart::Whole) unused = "mesh_part";
  if (body.tet_size) unused = "tet_size";
  if (body.mass != MassKind::Lumped) {
    return SceneProblem{path / "mass", "a medial body always has the consistent mass of its handles",
                        "Remove mass."};
  }
  if (unused == nullptr) return {};
  return SceneProblem{path / unused, fmt::format("a medial body has no {}", unused),
                      "Remove it, or make the body soft."};
}

// A surface that tets carry is for soft solids.
Problem check_surface(const JsonPath& path, const BodyDescription& body) {
  if (!body.is_carried() || body.kind == BodyKind::Medial) {
    if (!body.surface) return {};
    return SceneProblem{path / "surface", "only tets of soft bodies carry a surface; this is medial",
                        "Remove it: handles carry the mesh's own surface."};
  }
  const JsonPath key = path / body.surface_key();
  if (body.surface && body.collider) {
    return SceneProblem{path / "collider", "surface names already what collides", "Give one of them."};
  }
  if (body.surface && body.surface->empty()) {
    return SceneProblem{key, "the file name is empty", "Name a mesh file."};
  }
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{
        key, fmt::format("only tets of soft bodies carry a surface; this is {}", enum_name(body.kind)),
        "Remove it, or give the body \"kind\": \"soft\"."};
  }
  const char* unused = nullptr;
  if (body.thickness) unused = "thickness";
  if (body.repeat) unused = "repeat";
  if (body.mesh_part != MeshPart::Whole) unused = "mesh_part";
  if (body.surface_cells) unused = "surface_cells";
  if (body.surface_deviation) unused = "surface_deviation";
  if (unused == nullptr) return {};
  return SceneProblem{path / unused, fmt::format("a body with a carried surface has no {}", unused),
                      fmt::format("Remove it, or remove {}.", body.surface_key())};
}

// Densities are given in one way, to tets.
Problem check_densities(const JsonPath& path, const BodyDescription& body) {
  if (!body.densities) return {};
  const JsonPath key = path / "densities";
  const DensitiesDescription& densities = *body.densities;
  if (body.kind != BodyKind::Soft || body.thickness || body.repeat) {
    return SceneProblem{key, "only tets of a soft body have densities of their own",
                        "Remove it, or give the body \"kind\": \"soft\" without thickness and repeat."};
  }
  const int ways = (densities.values ? 1 : 0) + (densities.file ? 1 : 0) +
                   (densities.center_of_mass ? 1 : 0) + (densities.match_collider ? 1 : 0);
  if (ways != 1) {
    return SceneProblem{key,
                        ways == 0 ? "no densities are given" : "densities are given in more than one way",
                        "Give exactly one of values, file, center_of_mass, match_collider."};
  }
  if (densities.match_collider && !body.is_carried()) {
    return SceneProblem{key / "match_collider", "the body has no collider of its own",
                        "Give collider a mesh, or center_of_mass a place."};
  }
  return {};
}

// Tets of higher order are for soft solids.
Problem check_order(const JsonPath& path, const BodyDescription& body) {
  if (body.surface_cells && body.surface_deviation) {
    return SceneProblem{path / "surface_deviation", "surface_cells says already how the faces are cut",
                        "Remove one of the two."};
  }
  // A mesh may be curved by itself.
  const int order = body.order.value_or(1);
  const bool can_be_curved = order > 1 || (!body.order && body.mesh);
  if (!can_be_curved && (body.surface_cells || body.surface_deviation)) {
    return SceneProblem{path / (body.surface_cells ? "surface_cells" : "surface_deviation"),
                        "the faces of straight tets are the triangles that collide",
                        "Remove it, or give an order above 1."};
  }
  if (order == 1) return {};
  const JsonPath key = path / "order";
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{
        key, fmt::format("only tets of soft bodies have an order; this is {}", enum_name(body.kind)),
        "Remove it, or give the body \"kind\": \"soft\"."};
  }
  const char* unused = nullptr;
  if (body.thickness) unused = "thickness";
  if (body.mesh_part != MeshPart::Whole) unused = "mesh_part";
  if (body.carries_own_surface()) {
    return SceneProblem{path / "surface", "tets of a lattice, some of them filled in part, have order 1",
                        "Give collider the mesh and mesh the tets, or remove order."};
  }
  if (unused == nullptr) return {};
  return SceneProblem{path / unused, fmt::format("a body of order {} has no {}", order, unused),
                      "Remove it, or remove order."};
}

// Only what deforms can meet itself.
Problem check_self_collision(const JsonPath& path, const BodyDescription& body) {
  const bool deforms = body.kind == BodyKind::Soft || body.kind == BodyKind::Medial;
  if (deforms || body.self_collision != SelfCollision::Certified) return {};
  return SceneProblem{path / "self_collision",
                      fmt::format("{} bodies do not collide with themselves, so there is nothing to certify",
                                  enum_name(body.kind)),
                      "Remove it, or make the body soft or medial."};
}

// A plane has no mesh to scale, turn or fill.
Problem check_plane(const JsonPath& path, const BodyDescription& body) {
  if (body.kind != BodyKind::Obstacle) {
    return SceneProblem{path / "plane", "only obstacles can be planes",
                        "Give the body \"kind\": \"obstacle\", or a shape such as plate."};
  }
  if (body.plane->normal.isZero(0)) {
    return SceneProblem{path / "plane" / "normal", "the normal has no direction",
                        "Give a vector that is not zero."};
  }
  const BodyDescription plain;
  const char* unused = nullptr;
  if (body.mesh) unused = "mesh";
  if (body.shape) unused = "shape";
  if (body.mesh_part != MeshPart::Whole) unused = "mesh_part";
  if (body.repeat) unused = "repeat";
  if (body.position != plain.position) unused = "position";
  if (body.rotation != plain.rotation) unused = "rotation";
  if (body.scale != plain.scale) unused = "scale";
  if (body.center) unused = "center";
  if (body.size) unused = "size";
  if (body.rest_on) unused = "rest_on";
  if (unused == nullptr) return {};
  return SceneProblem{path / unused, fmt::format("a plane has no {}", unused),
                      "Remove it; height and normal say where the plane is."};
}

// Follows rest_on from a body to the ground; a circle has no lowest body.
Problem check_support(const Scene& scene, size_t first) {
  size_t body = first;
  for (size_t steps = 0; steps <= scene.bodies.size(); ++steps) {
    const std::optional<NameOrNumber>& support = scene.bodies[body].rest_on;
    if (!support || support->name.empty()) return {};
    const Index found = find_body(scene, support->name);
    const JsonPath path = JsonPath() / "bodies" / body / "rest_on";
    if (found == kNone && support->name == "ground") {
      return SceneProblem{path, "the scene has no ground", "Add \"ground\": {} to the scene."};
    }
    if (found == kNone) {
      std::vector<std::string> known;
      for (size_t i = 0; i < scene.bodies.size(); ++i) known.push_back(scene.name_of(i));
      const std::string nearest = nearest_name(support->name, known);
      return SceneProblem{path, fmt::format("no body is called \"{}\"", support->name),
                          nearest.empty() ? "Name a body of the scene, \"ground\", or a height as a number."
                                          : fmt::format("Did you mean \"{}\"?", nearest)};
    }
    body = static_cast<size_t>(found);
  }
  return SceneProblem{JsonPath() / "bodies" / first / "rest_on", "bodies rest on each other in a circle",
                      "Let one of them rest on the ground, or give it a position."};
}

Problem check_body(const JsonPath& path, const BodyDescription& body) {
  if (body.gap && !body.rest_on) {
    return SceneProblem{path / "gap", "without rest_on there is nothing to keep a gap to",
                        "Remove it, or say what the body rests on."};
  }
  if (body.plane) return check_plane(path, body);
  if (body.mesh.has_value() == body.shape.has_value()) {
    return SceneProblem{path, body.mesh ? "has both a mesh and a shape" : "has neither a mesh nor a shape",
                        "Give exactly one: \"mesh\": \"file.msh\", or \"shape\": {\"type\": \"box\"}."};
  }
  if (body.mesh && body.mesh->empty()) {
    return SceneProblem{path / "mesh", "the file name is empty", "Name a mesh file."};
  }
  if (body.kind == BodyKind::Obstacle) {
    if (const Problem found = check_obstacle(path, body)) return found;
  }
  if (is_affine_or_rigid(body.kind)) {
    if (const Problem found = check_stiff(path, body)) return found;
  }
  if (const Problem found = check_medial(path, body)) return found;
  if (body.stiffness && body.kind == BodyKind::Soft) {
    return SceneProblem{path / "stiffness", "the stiffness of a soft body is set by its material",
                        "Give material.youngs_modulus instead."};
  }
  if (const Problem found = check_surface(path, body)) return found;
  if (const Problem found = check_order(path, body)) return found;
  if (const Problem found = check_densities(path, body)) return found;
  if (const Problem found = check_self_collision(path, body)) return found;
  if (const Problem found = check_locked(path, body)) return found;
  for (size_t i = 0; i < body.prescribed.size(); ++i) {
    if (const Problem found = check_prescribed(path / "prescribed" / i, body.prescribed[i], body.kind))
      return found;
  }
  for (size_t i = 0; i < body.forces.size(); ++i) {
    if (const Problem found = check_force(path / "forces" / i, body.forces[i], body.kind)) return found;
  }
  return {};
}

Problem check_names(const std::vector<BodyDescription>& bodies) {
  std::map<std::string, size_t> first_with;
  for (size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].name.empty()) continue;
    const auto [first, is_new] = first_with.emplace(bodies[i].name, i);
    if (is_new) continue;
    return SceneProblem{JsonPath() / "bodies" / i / "name",
                        fmt::format("bodies[{}] is already called \"{}\"", first->second, bodies[i].name),
                        "Give each body a unique name, or none."};
  }
  return {};
}

// Whether a group is called like a body: contact.pairs could mean either.
Problem check_groups(const Scene& scene) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string& group = scene.bodies[i].group;
    for (size_t k = 0; !group.empty() && k < scene.bodies.size(); ++k) {
      if (scene.name_of(k) != group) continue;
      return SceneProblem{JsonPath() / "bodies" / i / "group",
                          fmt::format("the group \"{}\" has the name of bodies[{}]", group, k),
                          "Call the group something else."};
    }
  }
  return {};
}

// Each weighting has a stiffness of its own, in its own unit.
Problem check_weighting(const ContactOptions& contact) {
  const JsonPath path = JsonPath() / "contact";
  const bool is_by_area = contact.weighting == ContactWeighting::Area;
  if (is_by_area && contact.kappa) {
    return SceneProblem{path / "kappa",
                        "kappa is the energy of a pair of simplices, and contact is weighted by area",
                        "Give contact.stiffness in Pa, or remove contact.weighting."};
  }
  if (!is_by_area && contact.stiffness) {
    return SceneProblem{path / "stiffness", "a stiffness in Pa is for contact that is weighted by area",
                        "Set contact.weighting to \"area\", or give contact.kappa in J."};
  }
  return {};
}

Problem check_pairs(const Scene& scene) {
  if (const Problem found = check_weighting(scene.contact)) return found;
  const JsonPath path = JsonPath() / "contact" / "pairs";
  std::vector<std::string> known;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    known.push_back(scene.name_of(i));
    if (!scene.bodies[i].group.empty()) known.push_back(scene.bodies[i].group);
  }
  const std::vector<ContactPair>& pairs = scene.contact.pairs;
  for (size_t i = 0; i < pairs.size(); ++i) {
    for (const auto& [key, name] : {std::pair("a", pairs[i].a), std::pair("b", pairs[i].b)}) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string nearest = nearest_name(name, known);
      return SceneProblem{path / i / key, fmt::format("no body or group is called \"{}\"", name),
                          nearest.empty() ? "Name a body, or give bodies this \"group\"."
                                          : fmt::format("Did you mean \"{}\"?", nearest)};
    }
    if (pairs[i].friction || pairs[i].ignore) continue;
    return SceneProblem{path / i, "sets nothing for its two bodies", "Give friction, or \"ignore\": true."};
  }
  return {};
}

// Only tets that carry their own surface can change.
Problem check_refine(const JsonPath& path, const BodyDescription& body) {
  if (!body.refine) return {};
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{path / "refine",
                        fmt::format("only soft bodies are refined; this is {}", enum_name(body.kind)),
                        "Remove it, or make the body soft."};
  }
  const char* other = nullptr;
  if (body.thickness) other = "thickness";
  if (body.is_carried()) other = body.surface_key();
  if (body.mesh_part != MeshPart::Whole) other = "mesh_part";
  if (other == nullptr) return {};
  return SceneProblem{path / "refine", fmt::format("a body with {} is not refined", other),
                      "Remove one of the two."};
}

Problem check_remeshed_body(const JsonPath& path, const BodyDescription& body) {
  if (!body.remesh) return {};
  const JsonPath key = path / "remesh";
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{key, fmt::format("only soft bodies are remeshed; this is {}", enum_name(body.kind)),
                        "Remove it, or make the body soft."};
  }
  const char* other = nullptr;
  if (body.order > 1) other = "an order above 1";
  if (body.is_carried()) other = "a carried surface";
  if (body.densities) other = "densities of its own";
  if (body.thickness) other = "a thickness (shells, wires or points)";
  if (body.mesh_part != MeshPart::Whole) other = "a mesh_part";
  if (!body.forces.empty()) other = "forces (gravity acts as always)";
  if (body.pressure) other = "a pressure";
  if (body.material.damping > 0) other = "material damping";
  if (body.self_collision == SelfCollision::Certified) other = "certificates";
  for (const PrescribedDescription& part : body.prescribed) {
    if (part.sequence) other = "a sequence of meshes to follow";
    if (part.release) other = "prescribed points that are released";
  }
  if (other == nullptr) return {};
  return SceneProblem{key, fmt::format("a body with {} cannot be remeshed", other),
                      "Remove one of the two; refine cuts all tets, once and for all."};
}

// What of a run has no place for meshes that change.
Problem check_remeshed_run(const Scene& scene, const JsonPath& key) {
  if (scene.time.integrator == Integrator::Newmark) {
    return SceneProblem{JsonPath() / "time" / "integrator", "remeshing does not work with newmark",
                        "Use implicit_euler, bdf2 or quasi_static, or remove remesh."};
  }
  if (scene.solver.stepper == Stepper::Projective) {
    return SceneProblem{JsonPath() / "solver" / "stepper", "remeshing does not work with this stepper",
                        "Set it to \"newton\", or remove remesh."};
  }
  if (!scene.joints.empty()) {
    return SceneProblem{JsonPath() / "joints", "a scene with joints cannot be remeshed",
                        "Remove the joints, or remesh."};
  }
  const auto is_medial = [](const BodyDescription& body) { return body.kind == BodyKind::Medial; };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), is_medial)) {
    return SceneProblem{key, "a scene with medial bodies cannot be remeshed",
                        "Make them soft, or remove remesh."};
  }
  if (scene.dimension == 2) {
    return SceneProblem{key, "bodies in two dimensions are not remeshed", "Remove it, and use a finer mesh."};
  }
  if (scene.contact.weighting == ContactWeighting::Area) {
    return SceneProblem{JsonPath() / "contact" / "weighting", "remeshing does not work with contact by area",
                        "Set it to \"pair\", or remove remesh."};
  }
  if (!scene.output.iterates) return {};
  return SceneProblem{JsonPath() / "output" / "iterates",
                      "the iterates of meshes that change cannot be recorded",
                      "Set it to false, or remove remesh."};
}

Problem find_remesh_problem(const Scene& scene) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const JsonPath path = JsonPath() / "bodies" / i;
    if (const Problem found = check_refine(path, scene.bodies[i])) return found;
    if (const Problem found = check_remeshed_body(path, scene.bodies[i])) return found;
    if (!scene.bodies[i].remesh) continue;
    if (const Problem found = check_remeshed_run(scene, path / "remesh")) return found;
  }
  return {};
}

}  // namespace

std::optional<SceneProblem> find_selection_problem(const JsonPath& path, const Selection& select) {
  const int given = (select.all ? 1 : 0) + (select.box ? 1 : 0) + (select.relative_box ? 1 : 0) +
                    (select.sphere ? 1 : 0) + (select.vertices ? 1 : 0);
  if (given != 1) {
    return SceneProblem{path, given == 0 ? "selects nothing" : "selects with more than one key",
                        "Give exactly one of all, box, relative_box, sphere, vertices."};
  }
  if (select.vertices && select.vertices->empty()) {
    return SceneProblem{path / "vertices", "the list is empty", "Name at least one vertex."};
  }
  if (const Problem found = check_corners(path / "box", select.box)) return found;
  return check_corners(path / "relative_box", select.relative_box);
}

std::optional<SceneProblem> find_problem(const Scene& scene) {
  const JsonPath bodies = JsonPath() / "bodies";
  if (const Problem found = check_time(scene.time)) return found;
  if (scene.bodies.empty()) return SceneProblem{bodies, "there is no body", "Add at least one body."};
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (const Problem found = check_body(bodies / i, scene.bodies[i])) return found;
  }
  if (const Problem found = check_names(scene.bodies)) return found;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (const Problem found = check_support(scene, i)) return found;
  }
  if (const Problem found = check_groups(scene)) return found;
  if (const Problem found = check_pairs(scene)) return found;
  if (const Problem found = find_planar_problem(scene)) return found;
  if (const Problem found = find_joint_problem(scene)) return found;
  if (const Problem found = find_projective_problem(scene)) return found;
  if (const Problem found = find_remesh_problem(scene)) return found;
  if (const Problem found = find_view_problem(scene)) return found;
  return check_output(scene.output);
}

}  // namespace marrow
