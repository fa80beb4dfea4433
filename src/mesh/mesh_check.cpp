#include "mesh/mesh_check.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.h"
#include "mesh/buckets.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface_edges.h"

namespace marrow {
namespace {

Location in_file(const std::string& name) { return {name, 0, 0, {}}; }

// "1 tet", "3 tets".
std::string count_of(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Throws if there are culprits: "mesh.msh: 3 tets are inverted (4, 7, 9)".
void refuse(const std::string& name, const std::vector<int>& culprits, const char* what, const char* is,
            const char* are, const char* advice) {
  if (culprits.empty()) return;
  throw InputError(in_file(name),
                   fmt::format("{} {} ({}, counted from 0)", count_of(culprits.size(), what),
                               culprits.size() == 1 ? is : are, list_some(culprits)),
                   advice);
}

// The positions of those for which is_bad holds.
template <class Items, class IsBad>
std::vector<int> find_bad(const Items& items, const IsBad& is_bad) {
  std::vector<int> culprits;
  for (size_t i = 0; i < items.size(); ++i) {
    if (is_bad(items[i])) culprits.push_back(static_cast<int>(i));
  }
  return culprits;
}

void check_points(const Mesh& mesh, const std::string& name) {
  if (mesh.points.empty()) {
    throw InputError(in_file(name), "the mesh is empty: it has no points",
                     "Export it again, or name another file.");
  }
  refuse(name, find_bad(mesh.points, [](const Vec3& p) { return !p.allFinite(); }), "point",
         "has a coordinate that is not finite", "have a coordinate that is not finite",
         "Export the mesh again; NaN and infinity are not allowed.");
  if (!mesh.radii.empty() && mesh.radii.size() != mesh.points.size()) {
    throw InputError(in_file(name),
                     fmt::format("{} for {}", count_of(mesh.radii.size(), "radius value"),
                                 count_of(mesh.points.size(), "point")),
                     "Give one radius per point, or none.");
  }
  refuse(name, find_bad(mesh.radii, [](double r) { return !std::isfinite(r) || std::signbit(r); }),
         "radius value", "is negative or not finite", "are negative or not finite",
         "Radii must be 0 or above.");
}

template <class Element>
bool has_repeated_vertex(const Element& element) {
  for (size_t i = 0; i < element.size(); ++i) {
    for (size_t j = i + 1; j < element.size(); ++j) {
      if (element[i] == element[j]) return true;
    }
  }
  return false;
}

// The elements that have the same vertices as an earlier one.
template <class Element>
std::vector<int> find_duplicates(const std::vector<Element>& elements, size_t point_count) {
  struct Entry {
    Element sorted;
    int id = 0;
  };
  const auto for_each_entry = [&](const auto& visit) {
    for (size_t i = 0; i < elements.size(); ++i) {
      Entry entry{elements[i], static_cast<int>(i)};
      std::sort(entry.sorted.begin(), entry.sorted.end());
      visit(entry.sorted[0], entry);
    }
  };
  Buckets<Entry> buckets = fill_buckets<Entry>(point_count, for_each_entry);
  std::vector<int> culprits;
  for (size_t v = 0; v < point_count; ++v) {
    const std::span<Entry> entries = buckets.of(v);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.sorted < b.sorted; });
    for (size_t i = 1; i < entries.size(); ++i) {
      if (entries[i].sorted == entries[i - 1].sorted) culprits.push_back(entries[i].id);
    }
  }
  std::sort(culprits.begin(), culprits.end());
  return culprits;
}

template <class Element>
void check_elements(const std::vector<Element>& elements, const Mesh& mesh, const char* what,
                    const std::string& name) {
  const Index count = static_cast<Index>(mesh.points.size());
  const auto is_outside = [&](Index v) { return v < 0 || v >= count; };
  refuse(name,
         find_bad(elements, [&](const Element& e) { return std::any_of(e.begin(), e.end(), is_outside); }),
         what, "names a point that does not exist", "name points that do not exist",
         fmt::format("Point numbers run from 0 to {}.", count - 1).c_str());
  refuse(name, find_bad(elements, has_repeated_vertex<Element>), what, "names the same point twice",
         "name the same point twice",
         "Remove collapsed elements, for example by cleaning the mesh in the program that made it.");
  refuse(name, find_duplicates(elements, mesh.points.size()), what, "has the same points as an earlier one",
         "have the same points as an earlier one", "Remove the duplicates.");
}

enum class TetState { Good, Degenerate, Inverted };

TetState classify(const Mesh& mesh, const Tet& tet) {
  const auto at = [&](size_t i) -> const Vec3& { return mesh.points[static_cast<size_t>(tet[i])]; };
  double longest = 0;
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = i + 1; j < 4; ++j) longest = std::max(longest, (at(i) - at(j)).norm());
  }
  // Compared at unit size, so that tiny meshes do not underflow.
  if (longest == 0) return TetState::Degenerate;
  const double volume = compute_tet_volume(Vec3::Zero(), (at(1) - at(0)) / longest, (at(2) - at(0)) / longest,
                                           (at(3) - at(0)) / longest);
  if (volume > kDegenerateVolume) return TetState::Good;
  return volume < -kDegenerateVolume ? TetState::Inverted : TetState::Degenerate;
}

void check_volumes(const Mesh& mesh, const std::string& name) {
  const auto is_inverted = [&](const Tet& t) { return classify(mesh, t) == TetState::Inverted; };
  const std::vector<int> inverted = find_bad(mesh.tets, is_inverted);
  const bool all = inverted.size() == mesh.tets.size();
  refuse(name, inverted, "tet", "is inverted", "are inverted",
         all ? "All are: the file numbers corners in the opposite order. Swap two corners of every tet."
             : "Repair or rebuild the mesh; only some tets are inverted, so the numbering is not the cause.");
  refuse(name, find_bad(mesh.tets, [&](const Tet& t) { return classify(mesh, t) == TetState::Degenerate; }),
         "tet", "is flat", "are flat", "A flat tet has no volume; remesh, or collapse its shortest edge.");
}

void check_all_points_used(const Mesh& mesh, const std::string& name) {
  std::vector<char> used(mesh.points.size(), 0);
  for (const Tet& t : mesh.tets) {
    for (const Index v : t) used[static_cast<size_t>(v)] = 1;
  }
  refuse(name, find_bad(used, [](char is_used) { return is_used == 0; }), "point", "is in no tet",
         "are in no tet", "They would have no mass; remove them from the mesh.");
}

}  // namespace

void check_mesh(const Mesh& mesh, const std::string& name) {
  check_points(mesh, name);
  check_elements(mesh.edges, mesh, "edge", name);
  check_elements(mesh.triangles, mesh, "triangle", name);
  check_elements(mesh.tets, mesh, "tet", name);
}

void check_tet_faces(const Mesh& mesh, const std::string& name) {
  const auto for_each_face = [&](const auto& visit) {
    for (const Tet& t : mesh.tets) {
      Tet sorted = t;
      std::sort(sorted.begin(), sorted.end());
      const auto [a, b, c, d] = sorted;
      visit(a, Edge{b, c});
      visit(a, Edge{b, d});
      visit(a, Edge{c, d});
      visit(b, Edge{c, d});
    }
  };
  Buckets<Edge> buckets = fill_buckets<Edge>(mesh.points.size(), for_each_face);
  for (size_t v = 0; v < buckets.key_count(); ++v) {
    const std::span<Edge> faces = buckets.of(v);
    std::sort(faces.begin(), faces.end());
    for (size_t i = 2; i < faces.size(); ++i) {
      if (faces[i] != faces[i - 2]) continue;
      throw InputError(
          in_file(name),
          fmt::format("the face {}, {}, {} lies in more than two tets", v, faces[i][0], faces[i][1]),
          "Tets overlap there; rebuild the mesh.");
    }
  }
}

void check_tets(const Mesh& mesh, const std::string& name) {
  check_volumes(mesh, name);
  check_tet_faces(mesh, name);
}

void check_tet_mesh(const Mesh& mesh, const std::string& name) {
  check_mesh(mesh, name);
  if (mesh.tets.empty()) {
    throw InputError(
        in_file(name), "the mesh has no tets",
        "A body with volume needs a tet mesh; `marrow prepare tet` makes one from a closed surface.");
  }
  check_tets(mesh, name);
  check_all_points_used(mesh, name);
}

void check_soft_mesh(const Mesh& mesh, const std::string& name) {
  check_mesh(mesh, name);
  check_tets(mesh, name);
  const auto length = [&](Index i, Index j) {
    return (mesh.points[static_cast<size_t>(i)] - mesh.points[static_cast<size_t>(j)]).norm();
  };
  const auto is_flat = [&](const Triangle& t) {
    const Vec3& a = mesh.points[static_cast<size_t>(t[0])];
    const Vec3 u = mesh.points[static_cast<size_t>(t[1])] - a, v = mesh.points[static_cast<size_t>(t[2])] - a;
    const double longest = std::max({length(t[0], t[1]), length(t[1], t[2]), length(t[2], t[0])});
    return !(u.cross(v).norm() > kDegenerateVolume * longest * longest);
  };
  refuse(name, find_bad(mesh.triangles, is_flat), "triangle", "has no area", "have no area",
         "The corners of such a triangle lie on a line; remesh, or collapse its shortest edge.");
  refuse(name, find_bad(mesh.edges, [&](const Edge& e) { return !(length(e[0], e[1]) > 0); }), "edge",
         "has no length", "have no length", "Merge its two points.");
}

void check_closed_surface(const Mesh& mesh, const std::string& name) {
  check_mesh(mesh, name);
  if (mesh.triangles.empty()) {
    throw InputError(in_file(name), "the mesh has no triangles", "This body needs a closed surface.");
  }
  for_each_surface_edge(mesh.triangles, [&](const SurfaceEdge& e) {
    if (e.forward + e.backward != 2) {
      throw InputError(
          in_file(name),
          fmt::format("the edge {}, {} lies in {}, so the surface is not closed", e.low, e.high,
                      count_of(static_cast<size_t>(e.forward + e.backward), "triangle")),
          "Every edge must lie in exactly two triangles: `marrow prepare repair` closes holes; `marrow "
          "prepare tet --lattice` makes tets of any surface.");
    }
    if (e.forward != 1) {
      throw InputError(
          in_file(name),
          fmt::format("the triangles at the edge {}, {} face opposite directions", e.low, e.high),
          "Orient all triangles outwards.");
    }
  });
  if (!(compute_enclosed_volume(mesh.points, mesh.triangles) > 0)) {
    throw InputError(in_file(name), "the surface is inside out: the volume it encloses is not positive",
                     "Reverse the order of the corners of every triangle.");
  }
}

}  // namespace marrow
