#include "geometry/curved/mesh_order.h"

#include <algorithm>
#include <map>

#include "geometry/curved/lattice_key.h"
#include "mesh/surface.h"

namespace marrow {

CurvedMesh change_order(const CurvedMesh& mesh, int order) {
  const LagrangeBasis basis(mesh.order);
  const std::vector<LatticePoint4> lattice = list_lattice(order);
  std::vector<VecX> weights;
  for (const LatticePoint4& a : lattice)
    weights.push_back(basis.weights(Vec4(a[0], a[1], a[2], a[3]) / order));
  // Corners in their old order, then the others as the tets name them.
  std::vector<Index> numbers(mesh.nodes.size(), kNone);
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    for (const Index corner : corners_of(mesh, t)) numbers[static_cast<size_t>(corner)] = 0;
  }
  CurvedMesh changed{order, {}, {}};
  const auto add = [&](const Vec3& x) {
    changed.nodes.push_back(x);
    return static_cast<Index>(changed.nodes.size()) - 1;
  };
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != kNone) numbers[i] = add(mesh.nodes[i]);
  }
  std::map<LatticeKey, Index> known;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> old = mesh.nodes_of(t);
    for (size_t k = 0; k < lattice.size(); ++k) {
      if (k < 4) {
        changed.tets.push_back(numbers[static_cast<size_t>(old[k])]);
        continue;
      }
      if (mesh.order == order) {  // the node itself
        Index& number = numbers[static_cast<size_t>(old[k])];
        if (number == kNone) number = add(mesh.nodes[static_cast<size_t>(old[k])]);
        changed.tets.push_back(number);
        continue;
      }
      const auto [found, is_new] =
          known.try_emplace(make_lattice_key(corners_of(mesh, t), lattice[k]), kNone);
      if (is_new) {
        // Differences to a corner, so that straight tets far from the origin stay straight.
        const Vec3& first = mesh.nodes[static_cast<size_t>(old[0])];
        Vec3 x = Vec3::Zero();
        for (size_t m = 1; m < old.size(); ++m) {
          x += weights[k][static_cast<Index>(m)] * (mesh.nodes[static_cast<size_t>(old[m])] - first);
        }
        found->second = add(first + x);
      }
      changed.tets.push_back(found->second);
    }
  }
  return changed;
}

std::array<Index, 2> find_torn_tets(const CurvedMesh& mesh) {
  struct Owner {
    Index node, tet;
  };
  const std::vector<LatticePoint4> lattice = list_lattice(mesh.order);
  std::map<LatticeKey, Owner> known;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const std::span<const Index> nodes = mesh.nodes_of(t);
    for (size_t k = 4; k < lattice.size(); ++k) {
      const bool is_inside = *std::min_element(lattice[k].begin(), lattice[k].end()) > 0;
      if (is_inside) continue;
      const Owner own{nodes[k], static_cast<Index>(t)};
      const auto found = known.try_emplace(make_lattice_key(corners_of(mesh, t), lattice[k]), own).first;
      if (found->second.node != own.node) return {found->second.tet, own.tet};
    }
  }
  return {kNone, kNone};
}

std::vector<BoundaryFace> list_boundary_faces(const CurvedMesh& mesh) {
  std::vector<Tet> corners;
  for (size_t t = 0; t < mesh.tet_count(); ++t) corners.push_back(corners_of(mesh, t));
  // The tet of each face.
  std::map<Triangle, size_t> tet_of_face;
  constexpr std::array<std::array<size_t, 3>, 4> kFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  const auto sorted = [](Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
  };
  for (size_t t = 0; t < corners.size(); ++t) {
    for (const auto& f : kFaces) {
      tet_of_face[sorted({corners[t][f[0]], corners[t][f[1]], corners[t][f[2]]})] = t;
    }
  }
  std::vector<BoundaryFace> faces;
  for (const Triangle& face : extract_surface(corners)) {
    BoundaryFace& one = faces.emplace_back(BoundaryFace{tet_of_face.at(sorted(face)), {}});
    const Tet& own = corners[one.tet];
    for (size_t c = 0; c < 3; ++c) {
      one.corners[c] = static_cast<size_t>(std::find(own.begin(), own.end(), face[c]) - own.begin());
    }
  }
  return faces;
}

}  // namespace marrow
