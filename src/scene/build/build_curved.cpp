#include "scene/build/build_curved.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "geometry/curved/surface_deviation.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "scene/build/build_densities.h"
#include "witness/curved_tets.h"

namespace marrow {
namespace {

// Where a place of a tet is.
Vec3 locate(const CurvedMesh& mesh, const CurvedInversion& found) {
  const VecX weights = LagrangeBasis(mesh.order).weights(found.place);
  const std::span<const Index> nodes = mesh.nodes_of(static_cast<size_t>(found.tet));
  Vec3 x = Vec3::Zero();
  for (size_t k = 0; k < nodes.size(); ++k) {
    x += weights[static_cast<Index>(k)] * mesh.nodes[static_cast<size_t>(nodes[k])];
  }
  return x;
}

// Every tet must be positive everywhere, shown by bounds. what: "" or how the mesh was made.
void check_positive(const CurvedMesh& mesh, const std::string& name, const std::string& what) {
  const std::vector<CurvedInversion> found =
      find_curved_inversions(mesh.nodes, std::vector<CurvedTetList>{{mesh.order, mesh.tets}});
  if (found.empty()) return;
  std::vector<int> tets;
  for (const CurvedInversion& one : found) tets.push_back(one.tet);
  const CurvedInversion& first = found.front();
  const Vec3 x = locate(mesh, first);
  const bool all = found.size() == mesh.tet_count();
  throw InputError(
      {name, 0, 0, {}},
      fmt::format("{}{} of order {} {} turned over or flat somewhere inside ({}, counted from 0); the first "
                  "{} at ({:g}, "
                  "{:g}, {:g}), barycentric ({:g}, {:g}, {:g}, {:g})",
                  what, format_count(static_cast<long>(found.size()), "tet", "tets"), mesh.order,
                  found.size() == 1 ? "is" : "are", list_some(tets),
                  first.is_undecided ? "is too close to flat to tell" : "is", x.x(), x.y(), x.z(),
                  first.place[0], first.place[1], first.place[2], first.place[3]),
      all ? "All are: the file numbers corners in the opposite order, or its nodes in another order than its "
            "format has."
          : "Mesh again with smaller elements there, or straighten them (order 1).");
}

// A file's mesh before anything is done to it.
CurvedMesh check_file(const CurvedFile& file, const std::string& name) {
  Mesh corners;
  corners.points = file.mesh.points;
  corners.tets = file.mesh.tets;
  check_mesh(corners, name);
  check_tet_faces(corners, name);
  CurvedMesh mesh{file.order, file.mesh.points, file.tet_nodes};
  const auto [a, b] = find_torn_tets(mesh);
  if (a != kNone) {
    throw InputError(
        {name, 0, 0, {}},
        fmt::format("tets {} and {} (counted from 0) share corners, but not the nodes between them", a, b),
        "Neighbours must share the nodes of common edges and faces; merge nodes at the same "
        "place, or mesh again.");
  }
  check_positive(mesh, name, "");
  return mesh;
}

void add_note(const std::string& note, const MeshCare& care) {
  if (std::find(care.notes.begin(), care.notes.end(), note) == care.notes.end()) care.notes.push_back(note);
}

}  // namespace

std::optional<CurvedMesh> take_curved(const BodyDescription& body, const BodyPlace& place,
                                      const MeshCare& care, CurvedFile& file) {
  if (!file.is_curved()) return {};
  const std::string name = name_mesh(body, place);
  const CurvedMesh own = check_file(file, name);
  if (body.kind != BodyKind::Soft) {
    file = {cut_surface(own, file.order)};
    add_note(fmt::format("{}: its tets have order {}: this body, which is {}, is the boundary with each face "
                         "cut into {} triangles",
                         name, own.order, enum_name(body.kind), own.order * own.order),
             care);
    return {};
  }
  const char* unused = nullptr;
  if (body.thickness) unused = "thickness";
  if (body.tet_size) unused = "tet_size";
  if (body.mesh_part != MeshPart::Whole) unused = "mesh_part";
  if (unused != nullptr) {
    throw InputError(
        place.at(unused),
        fmt::format("the tets of {} have order {}: such a body has no {}", name, own.order, unused),
        "Remove it, or use a straight mesh.");
  }
  const int order = body.order.value_or(own.order);
  CurvedMesh changed = change_order(own, order);
  if (order < own.order) {
    add_note(fmt::format("{}: its tets have order {}, but the body has order {}: the shape at rest is their "
                         "interpolant of order {}",
                         name, own.order, order, order),
             care);
    check_positive(changed, name, fmt::format("interpolated with order {}, ", order));
  }
  if (order > 1) return changed;
  Mesh straight;
  straight.points = std::move(changed.nodes);
  for (size_t t = 0; t < own.tet_count(); ++t) {
    straight.tets.push_back(
        {changed.tets[4 * t], changed.tets[4 * t + 1], changed.tets[4 * t + 2], changed.tets[4 * t + 3]});
  }
  file = {std::move(straight)};
  return {};
}

CurvedMesh repeat_curved(const RepeatDescription& repeat, const CurvedMesh& mesh) {
  CurvedMesh all{mesh.order, {}, {}};
  for (int i = 0; i < repeat.count_x; ++i) {
    for (int j = 0; j < repeat.count_y; ++j) {
      for (int k = 0; k < repeat.count_z; ++k) {
        const auto first = static_cast<Index>(all.nodes.size());
        const Vec3 shift = repeat.step.cwiseProduct(Vec3(i, j, k));
        for (const Vec3& x : mesh.nodes) all.nodes.push_back(x + shift);
        for (const Index node : mesh.tets) all.tets.push_back(first + node);
      }
    }
  }
  return all;
}

Mesh cut_surface(const CurvedMesh& mesh, int cells) { return make_curved_shape(mesh, cells, false).surface; }

void check_uncut(const BodyDescription& body, const BodyPlace& place) {
  const char* key = body.surface_cells       ? "surface_cells"
                    : body.surface_deviation ? "surface_deviation"
                                             : nullptr;
  if (key == nullptr) return;
  throw InputError(place.at(key), "the faces of straight tets are the triangles that collide",
                   "Remove it, or give an order above 1.");
}

int choose_cells(const BodyDescription& body, const BodyPlace& place, const CurvedMesh& volume) {
  if (!body.surface_deviation) return body.surface_cells.value_or(volume.order);
  const int cells = choose_surface_cells(volume, *body.surface_deviation, volume.order, kMostSurfaceCells);
  if (cells > 0) return cells;
  throw InputError(
      place.at("surface_deviation"),
      fmt::format(
          "faces cut into {} × {} triangles, the most, are up to {:.3g} m away from the curved surface",
          kMostSurfaceCells, kMostSurfaceCells, bound_surface_deviation(volume, kMostSurfaceCells)),
      "Allow more, or use smaller tets.");
}

Points add_curved(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                  CurvedMesh volume, bool is_straight, Index material, const MeshCare& care, Model& model) {
  const int cells = choose_cells(description, place, volume);
  CurvedShape shape = make_curved_shape(std::move(volume), cells, is_straight);
  shape.densities =
      make_densities(description, place, compute_tet_masses(shape.volume, is_straight), {}, care.notes);
  return add_curved_body(name, std::move(shape), description.material.density, material, model.kinematics);
}

}  // namespace marrow
