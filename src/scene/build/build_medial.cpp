#include "scene/build/build_medial.h"

#include <fmt/format.h>

#include "core/error.h"
#include "kinematics/medial.h"
#include "math/rotation.h"
#include "preprocess/medial/medial_file.h"
#include "preprocess/medial_body/medial_body.h"
#include "scene/build/select.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

// Where a body's own coordinates go: x = position + R X.
struct Pose {
  Mat3 R = Mat3::Identity();
  Vec3 position = Vec3::Zero();

  void apply(Points& points) const {
    for (Vec3& x : points) x = position + R * x;
  }
};

bool is_prepared(const BodyDescription& body) { return body.mesh && body.mesh->ends_with(".medial"); }

// The mesh in the body's own coordinates, scaled: preparation does not depend on where it stands.
Mesh load_scaled_mesh(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  Mesh mesh = read_body_mesh(body, place, care);
  for (Vec3& x : mesh.points) x = body.scale.cwiseProduct(x);
  return mesh;
}

// The first key that is for preparation.
const char* find_preparation_key(const BodyDescription& body) {
  if (!body.prescribed.empty()) return "prescribed";
  if (body.handles) return "handles";
  if (body.target_error) return "target_error";
  if (body.cells) return "cells";
  if (body.weight_threshold) return "weight_threshold";
  return body.extra_handles ? "extra_handles" : nullptr;
}

PreparedMedial read_prepared(const BodyDescription& body, const BodyPlace& place) {
  if (const char* key = find_preparation_key(body)) {
    throw InputError(place.at(key), "a prepared body has its handles and weights already",
                     "Remove it, or name the surface mesh instead of the .medial file; it is then prepared "
                     "automatically.");
  }
  const Vec3& scale = body.scale;
  if (scale[0] != scale[1] || scale[1] != scale[2]) {
    throw InputError(place.at("scale"), "a prepared body can only be scaled uniformly",
                     "Give three equal factors, or name the surface mesh.");
  }
  PreparedMedial prepared = read_medial(resolve_path(place.scene_path, *body.mesh));
  for (Points* points : {&prepared.surface.points, &prepared.medial.points, &prepared.handles,
                         &prepared.anchor_centers, &prepared.volume.points}) {
    for (Vec3& x : *points) x *= scale[0];
  }
  for (double& r : prepared.medial.radii) r *= scale[0];
  return prepared;
}

// Prepares the mesh; the points of each prescribed entry are a group that its own handle moves.
PreparedMedial prepare_body(const BodyDescription& body, const BodyPlace& place, const Pose& pose,
                            const MeshCare& care) {
  const Mesh mesh = load_scaled_mesh(body, place, care);
  Points world = mesh.points;
  pose.apply(world);
  MedialOptions options;
  options.handles = body.handles.value_or(options.handles);
  options.target_error = body.target_error.value_or(options.target_error);
  options.cells = body.cells.value_or(options.cells);
  options.weight_threshold = body.weight_threshold.value_or(options.weight_threshold);
  for (const Vec3& x : body.extra_handles.value_or(Points()))
    options.extra_handles.push_back(body.scale.cwiseProduct(x));
  for (size_t k = 0; k < body.prescribed.size(); ++k) {
    const Location where = place.at(fmt::format("prescribed[{}].select", k));
    Points& group = options.anchor_groups.emplace_back();
    for (const Index i : select_points(body.prescribed[k].select, world, where)) {
      group.push_back(mesh.points[i]);
    }
  }
  const std::string name =
      body.mesh ? resolve_path(place.scene_path, *body.mesh) : to_string(place.at("shape"));
  MedialReport report;
  bool is_cached = false;
  return prepare_medial_cached(mesh, name, options, report, is_cached);
}

// In the body's own coordinates.
std::vector<HandleKind> choose_kinds(const PreparedMedial& prepared, const BodyDescription& body) {
  if (body.quadratic_handles) {
    Points places;
    for (const Vec3& x : *body.quadratic_handles) places.push_back(body.scale.cwiseProduct(x));
    return choose_handle_kinds(prepared, places);
  }
  const HandleChoice choice = body.handle.value_or(HandleChoice::Affine);
  if (choice == HandleChoice::Mixed) return choose_handle_kinds(prepared);
  return list_body_handles(prepared,
                           choice == HandleChoice::Quadratic ? HandleKind::Quadratic : HandleKind::Affine)
      .kinds;
}

// Points anchored by `marrow prepare medial --anchor` stand still.
void hold_last_nodes(size_t count, const Points& nodes, Model& model) {
  const Body& body = model.kinematics.bodies.back();
  PrescribedNodes group;
  for (size_t i = nodes.size() - count; i < nodes.size(); ++i) {
    group.nodes.push_back(body.first_node + static_cast<Index>(i));
    group.initial.push_back(nodes[i]);
  }
  model.prescribed.push_back(std::move(group));
}

}  // namespace

Mesh load_medial_surface(const BodyDescription& description, const BodyPlace& place, const MeshCare& care) {
  Mesh mesh = is_prepared(description) ? read_prepared(description, place).surface
                                       : load_scaled_mesh(description, place, care);
  Pose{rotation_from_degrees(description.rotation), description.position}.apply(mesh.points);
  return mesh;
}

Mesh load_medial_collider(const BodyDescription& description, const BodyPlace& place, const MeshCare& care) {
  for (size_t k = 0; description.rest_on && k < description.prescribed.size(); ++k) {
    if (!description.prescribed[k].select.box && !description.prescribed[k].select.sphere) continue;
    throw InputError(place.at(fmt::format("prescribed[{}].select", k)),
                     "a region of the world selects points before rest_on moves the body, as its medial "
                     "collider is made of them",
                     "Select by relative_box or vertices, or give the body a position.");
  }
  const Pose pose{rotation_from_degrees(description.rotation), description.position};
  Mesh medial = is_prepared(description) ? read_prepared(description, place).medial
                                         : prepare_body(description, place, pose, care).medial;
  pose.apply(medial.points);
  return medial;
}

Points add_medial(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                  Index material, const MeshCare& care, Model& model) {
  const Pose pose{rotation_from_degrees(description.rotation), description.position};
  PreparedMedial prepared = is_prepared(description) ? read_prepared(description, place)
                                                     : prepare_body(description, place, pose, care);
  const std::vector<HandleKind> kinds = choose_kinds(prepared, description);
  for (Points* points : {&prepared.surface.points, &prepared.medial.points, &prepared.handles,
                         &prepared.anchor_centers, &prepared.volume.points}) {
    pose.apply(*points);
  }
  BodyHandles handles = list_body_handles(prepared, HandleKind::Affine);
  for (const std::string& note : prepared.notes) care.notes.push_back(fmt::format("{}: {}", name, note));
  const size_t anchors = is_prepared(description) ? prepared.anchor_centers.size() : 0;
  MedialShapeData shape;
  shape.centers = std::move(handles.centers);
  shape.sizes = std::move(handles.sizes);
  shape.kinds = kinds;
  shape.sphere_handles = prepared.columns;
  shape.surface_weights = make_surface_weights(prepared);
  shape.surface = std::move(prepared.surface);
  shape.volume = std::move(prepared.volume);
  shape.fills = std::move(prepared.fills);
  shape.handle_weights = std::move(prepared.weights);
  if (description.collides_as_medial()) shape.collider = std::move(prepared.medial);
  const auto width = static_cast<size_t>(kinds.empty() ? 0 : count_handle_nodes(kinds.back()));
  Points nodes =
      add_medial_body(name, std::move(shape), description.material.density, material, model.kinematics);
  if (anchors > 0) hold_last_nodes(width * anchors, nodes, model);
  return nodes;
}

}  // namespace marrow
