#include "scene/build/build_carried.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.h"
#include "geometry/curved/place_points.h"
#include "kinematics/elements/mass_properties.h"
#include "kinematics/medial.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"
#include "preprocess/volume/carry_surface.h"
#include "preprocess/volume/prepare_tets.h"
#include "scene/build/build_curved.h"
#include "scene/build/build_densities.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

// A point farther outside the tets than this, in longest edges of the nearest tet, belongs to another mesh.
// [safety net: weights grow with the distance, and so do forces and motions]
constexpr double kFarthest = 1;

constexpr double kCarrierSize = 0.05;  // of lattice cells, a fraction of the box diagonal, if none is given
constexpr int kFewestCarriers = 2;     // cells along the longest side

// Triangles, and the points that they use, in their order; numbers: which points of the mesh these are.
Mesh take_surface(const Mesh& mesh, std::vector<Index>* numbers = nullptr) {
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
    if (numbers != nullptr) numbers->push_back(static_cast<Index>(i));
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

// The tets of the mesh, or those that fill it, of the order of the body.
struct CarryingTets {
  CurvedMesh volume;
  bool is_straight = true;
};

CarryingTets read_carrying_tets(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  const std::string name = name_mesh(body, place);
  CurvedFile file = read_body_file(body, place, care);
  std::optional<CurvedMesh> curved = take_curved(body, place, care, file);
  if (curved) return {std::move(*curved), false};
  Mesh mesh = std::move(file.mesh);
  if (mesh.tets.empty() && is_closed_surface(mesh.triangles)) {
    TetMesherOptions options;
    options.size = body.tet_size.value_or(options.size);
    mesh = prepare_tets_cached(mesh, name, options);
  }
  if (mesh.tets.empty()) {
    throw InputError(place.at("mesh"), "there are no tets to carry the surface",
                     "The mesh must have tets or be a closed surface; \"surface\": \"carried\" makes a "
                     "lattice around any surface.");
  }
  check_tet_mesh(mesh, name);
  return {raise_order(mesh.points, mesh.tets, body.order.value_or(1))};
}

double compute_longest_edge(const CurvedMesh& volume, Index tet) {
  const std::span<const Index> nodes = volume.nodes_of(static_cast<size_t>(tet));
  double longest = 0;
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < a; ++b) {
      longest = std::max(
          longest,
          (volume.nodes[static_cast<size_t>(nodes[a])] - volume.nodes[static_cast<size_t>(nodes[b])]).norm());
    }
  }
  return longest;
}

// Refuses a surface with a point far outside; returns how far the farthest is.
double check_places(const std::vector<PointPlace>& places, const std::vector<Index>& numbers,
                    const CurvedMesh& volume, const Location& key, const std::string& file) {
  double farthest = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    farthest = std::max(farthest, places[i].distance);
    const double edge = compute_longest_edge(volume, places[i].tet);
    if (places[i].distance <= kFarthest * edge) continue;
    throw InputError(key,
                     fmt::format("point {} of {} (counted from 0) is {:.3g} m outside the tets, farther than "
                                 "the longest edge of the nearest one, {:.3g} m",
                                 numbers[i], file, places[i].distance, edge),
                     "Both meshes must have the same place and units; a lattice made by `marrow prepare tet "
                     "--lattice` from the surface fits.");
  }
  return farthest;
}

// A surface of its own, in the tets of the mesh or in those that fill it, raised to the order of the body.
CurvedShape carry_in_tets(const BodyDescription& body, const BodyPlace& place, const MeshCare& care) {
  const Location key = place.at(body.surface_key());
  const std::string file = resolve_path(place.scene_path, *body.surface_file());
  const Mesh fine = read_named_mesh(file, key, false, care);
  check_mesh(fine, file);
  std::vector<Index> numbers;
  Mesh surface = take_surface(fine, &numbers);
  if (surface.triangles.empty()) {
    throw InputError(key, "the surface has no triangles", "Name a mesh of triangles.");
  }
  auto [volume, is_straight] = read_carrying_tets(body, place, care);
  for (Points* points : {&surface.points, &volume.nodes}) {
    for (Vec3& x : *points) x = body.scale.cwiseProduct(x);
  }
  const std::vector<PointPlace> places = place_points(surface.points, volume, is_straight);
  const double farthest = check_places(places, numbers, volume, key, file);
  care.notes.push_back(
      fmt::format("{}: {} collide in place of the boundary of {}; {}", file,
                  format_count(static_cast<long>(surface.triangles.size()), "triangle", "triangles"),
                  format_count(static_cast<long>(volume.tet_count()), "tet", "tets"),
                  farthest > 0 ? fmt::format("the farthest point is {:.3g} m outside", farthest)
                               : std::string("all points lie inside")));
  return make_carrying_shape(std::move(volume), std::move(surface), places, is_straight);
}

CarriedShape make_straight(CurvedShape shape) {
  CarriedShape straight;
  straight.surface = std::move(shape.surface);
  straight.volume.points = std::move(shape.volume.nodes);
  for (size_t t = 0; 4 * t < shape.volume.tets.size(); ++t) {
    const Index* v = shape.volume.tets.data() + 4 * t;
    straight.volume.tets.push_back({v[0], v[1], v[2], v[3]});
  }
  straight.weights = std::move(shape.weights);
  return straight;
}

// Parts of a lattice that are hardly filled count for more than they hold: the density with which the mass as
// a whole is that of the solid.
double scale_density(const CarriedShape& shape, const std::vector<TetMass>& tets, double density) {
  if (shape.fills.empty() || !is_closed_surface(shape.surface.triangles)) return density;
  double filled = 0;
  for (const TetMass& tet : tets) filled += tet.volume;
  return density * std::abs(compute_enclosed_volume(shape.surface.points, shape.surface.triangles)) / filled;
}

// Surface and volume into the world; their scale is done.
void place_both(BodyDescription description, Points& surface, Points& volume) {
  description.scale = Vec3::Ones();
  place_points(description, surface);
  place_points(description, volume);
}

Points add_straight(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                    CarriedShape shape, Index material, const MeshCare& care, Model& model) {
  place_both(description, shape.surface.points, shape.volume.points);
  const std::vector<TetMass> tets = compute_tet_masses(shape.volume, shape.fills);
  shape.densities = make_densities(description, place, tets, shape.surface, care.notes);
  double density = description.material.density;
  if (shape.densities.empty()) density = scale_density(shape, tets, density);
  return add_carried_body(name, std::move(shape), density, description.mass, material, model.kinematics);
}

}  // namespace

Mesh load_carried_surface(const BodyDescription& description, const BodyPlace& place, const MeshCare& care) {
  const std::string* file = description.surface_file();
  Mesh surface = file == nullptr ? read_body_mesh(description, place, care)
                                 : read_named_mesh(resolve_path(place.scene_path, *file),
                                                   place.at(description.surface_key()), false, care);
  place_points(description, surface.points);
  return surface;
}

Points add_carried(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                   Index material, const MeshCare& care, Model& model) {
  const double density = description.material.density;
  if (!description.carries_own_surface()) {
    CurvedShape shape = carry_in_tets(description, place, care);
    if (shape.volume.order == 1) {
      return add_straight(name, description, place, make_straight(std::move(shape)), material, care, model);
    }
    place_both(description, shape.surface.points, shape.volume.nodes);
    shape.densities = make_densities(description, place, compute_tet_masses(shape.volume, shape.is_straight),
                                     shape.surface, care.notes);
    return add_curved_body(name, std::move(shape), density, material, model.kinematics);
  }
  CarriedShape shape = carry_in_lattice(description, place, care);
  care.notes.push_back(fmt::format("{}: {} triangles are carried by {} tets with {} nodes", name,
                                   shape.surface.triangles.size(), shape.volume.tets.size(),
                                   shape.volume.points.size()));
  return add_straight(name, description, place, std::move(shape), material, care, model);
}

}  // namespace marrow
