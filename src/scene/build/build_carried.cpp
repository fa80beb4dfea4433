#include "scene/build/build_carried.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kinematics/elements/mass_properties.h"
#include "kinematics/medial.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"
#include "preprocess/volume/carry_surface.h"
#include "preprocess/volume/prepare_tets.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

// A point farther outside the tets than this, in heights of the nearest tet, belongs to another mesh.
// [safety net: weights grow with the distance, and so do motions]
constexpr double kFarthest = 3;

constexpr double kCarrierSize = 0.05;  // of lattice cells, a fraction of the box diagonal, if none is given
constexpr int kFewestCarriers = 2;     // cells along the longest side

// Triangles, and the points that they use, in their order.
Mesh take_surface(const Mesh& mesh) {
  Mesh surface;
  surface.triangles = mesh.triangles.empty() ? extract_surface(mesh.tets) : mesh.triangles;
  std::vector<Index> number(mesh.points.size(), kNone);
  for (const Triangle& t : surface.triangles) {
    for (const Index v : t) number[static_cast<size_t>(v)] = 0;
  }
  for (size_t i = 0; i < number.size(); ++i) {
    if (number[i] == kNone) continue;
    number[i] = static_cast<Index>(surface.points.size());
    surface.points.push_back(mesh.points[i]);
  }
  for (Triangle& t : surface.triangles) {
    for (Index& v : t) v = number[static_cast<size_t>(v)];
  }
  return surface;
}

ScalarMatrix make_weights(const std::vector<EmbeddedPoint>& places, const Mesh& volume) {
  std::vector<Triplet> entries;
  for (size_t i = 0; i < places.size(); ++i) {
    for (int c = 0; c < 4; ++c) {
      if (places[i].weights[c] == 0) continue;
      const Index node = volume.tets[static_cast<size_t>(places[i].tet)][static_cast<size_t>(c)];
      entries.push_back({static_cast<Index>(i), node, places[i].weights[c]});
    }
  }
  return build_scalar_matrix(static_cast<Index>(places.size()), static_cast<Index>(volume.points.size()),
                             std::move(entries));
}

// The triangles of the body's own mesh, in a lattice.
CarriedShape carry_in_lattice(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  CarriedShape shape;
  const std::string name = name_mesh(body, place);
  const Mesh mesh = read_body_mesh(body, place, care);
  check_mesh(mesh, name);
  shape.surface = take_surface(mesh);
  if (shape.surface.triangles.empty()) {
    throw InputError(place.at("surface"), "the mesh has no triangles to carry",
                     "Name a surface mesh, or remove surface.");
  }
  for (Vec3& x : shape.surface.points) x = body.scale.cwiseProduct(x);
  const Eigen::AlignedBox3d box = compute_box(shape.surface.points);
  const double size = body.tet_size.value_or(kCarrierSize) * box.diagonal().norm();
  const auto cells = static_cast<int>(std::lround(box.sizes().maxCoeff() / size));
  CarryingLattice lattice = build_carrying_lattice(shape.surface, std::max(kFewestCarriers, cells), name);
  if (!lattice.is_closed) {
    care.notes.push_back(fmt::format(
        "{}: the surface is open or its triangles disagree, so every tet around it counts as full", name));
  }
  shape.weights = make_weights(lattice.places, lattice.volume);
  shape.volume = std::move(lattice.volume);
  shape.fills = std::move(lattice.fills);
  return shape;
}

// A surface of its own, in the tets of the mesh or in those that fill it.
CarriedShape carry_in_tets(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  CarriedShape shape;
  const std::string file = resolve_path(place.scene_path, *body.surface), name = name_mesh(body, place);
  const Mesh fine = read_named_mesh(file, place.at("surface"), false, care);
  check_mesh(fine, file);
  shape.surface = take_surface(fine);
  Mesh mesh = read_body_mesh(body, place, care);
  if (mesh.tets.empty() && is_closed_surface(mesh.triangles)) {
    TetMesherOptions options;
    options.size = body.tet_size.value_or(options.size);
    mesh = prepare_tets_cached(mesh, name, options);
  }
  if (shape.surface.triangles.empty() || mesh.tets.empty()) {
    const bool has_tets = !mesh.tets.empty();
    throw InputError(place.at(has_tets ? "surface" : "mesh"),
                     has_tets ? "the surface has no triangles" : "there are no tets to carry the surface",
                     "The mesh must have tets or be a closed surface; \"surface\": \"carried\" makes a "
                     "lattice around any surface.");
  }
  check_tet_mesh(mesh, name);
  shape.volume.points = std::move(mesh.points);
  shape.volume.tets = std::move(mesh.tets);
  for (Points* points : {&shape.surface.points, &shape.volume.points}) {
    for (Vec3& x : *points) x = body.scale.cwiseProduct(x);
  }
  const CarriedPlaces carried = place_in_tets(shape.surface.points, shape.volume);
  if (carried.least_weight < -kFarthest) {
    throw InputError(place.at("surface"), "the surface is not where the tets are",
                     "Both meshes must have the same place and units; a lattice made by `marrow prepare tet "
                     "--lattice` from the surface fits.");
  }
  shape.weights = make_weights(carried.places, shape.volume);
  return shape;
}

}  // namespace

Mesh load_carried_surface(const BodyDescription& description, const BodyPlace& place, const MeshCare& care) {
  const std::string file = resolve_path(place.scene_path, *description.surface);
  Mesh surface = *description.surface == kCarried ? read_body_mesh(description, place, care)
                                                  : read_named_mesh(file, place.at("surface"), false, care);
  place_points(description, surface.points);
  return surface;
}

Points add_carried(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                   Index material, const MeshCare& care, Model& model) {
  CarriedShape shape = *description.surface == kCarried ? carry_in_lattice(description, place, care)
                                                        : carry_in_tets(description, place, care);
  BodyDescription placed = description;
  placed.scale = Vec3::Ones();  // done before
  place_points(placed, shape.surface.points);
  place_points(placed, shape.volume.points);
  // Parts that are hardly filled count for more than they hold: the mass as a whole is that of the solid.
  double density = description.material.density;
  const bool is_closed = is_closed_surface(shape.surface.triangles);
  if (is_closed && !shape.fills.empty()) {
    double filled = 0;
    const Points& x = shape.volume.points;
    for (size_t t = 0; t < shape.volume.tets.size(); ++t) {
      const Tet& v = shape.volume.tets[t];
      filled += shape.fills[t] * compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
    }
    density *= std::abs(compute_enclosed_volume(shape.surface.points, shape.surface.triangles)) / filled;
  }
  care.notes.push_back(fmt::format("{}: {} triangles are carried by {} tets with {} nodes", name,
                                   shape.surface.triangles.size(), shape.volume.tets.size(),
                                   shape.volume.points.size()));
  return add_carried_body(name, std::move(shape), density, description.mass, material, model.kinematics);
}

}  // namespace marrow
