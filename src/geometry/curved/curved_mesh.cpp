#include "geometry/curved/curved_mesh.h"

#include <map>

#include "geometry/curved/lattice_key.h"
#include "geometry/curved/mesh_order.h"

namespace marrow {
CurvedMesh raise_order(const Points& points, const std::vector<Tet>& tets, int order) {
  CurvedMesh mesh{order, points, {}};
  const std::vector<LatticePoint4> lattice = list_lattice(order);
  std::map<LatticeKey, Index> numbers;
  for (const Tet& tet : tets) {
    mesh.tets.insert(mesh.tets.end(), tet.begin(), tet.end());
    for (size_t k = 4; k < lattice.size(); ++k) {
      const auto [found, is_new] =
          numbers.try_emplace(make_lattice_key(tet, lattice[k]), static_cast<Index>(mesh.nodes.size()));
      if (is_new) {
        Vec3 x = Vec3::Zero();
        for (const auto& [corner, share] : found->first) {
          if (corner != kNone) x += share * points[static_cast<size_t>(corner)];
        }
        mesh.nodes.push_back(x / order);
      }
      mesh.tets.push_back(found->second);
    }
  }
  return mesh;
}

CutBoundary cut_boundary(const CurvedMesh& mesh, int cells) {
  CutBoundary cut;
  std::map<LatticeKey, Index> numbers;
  for (const BoundaryFace& face : list_boundary_faces(mesh)) {
    const size_t t = face.tet;
    const Tet corners = corners_of(mesh, t);
    const auto place = [&](int a, int b) {  // a steps towards the second corner, b towards the third
      LatticePoint4 shares{0, 0, 0, 0};
      const std::array<int, 3> parts = {cells - a - b, a, b};
      for (size_t c = 0; c < 3; ++c) shares[face.corners[c]] = parts[c];
      const auto [found, is_new] =
          numbers.try_emplace(make_lattice_key(corners, shares), static_cast<Index>(cut.points.size()));
      if (is_new) {
        Vec4 lambda;
        for (size_t i = 0; i < 4; ++i) lambda[static_cast<Index>(i)] = static_cast<double>(shares[i]) / cells;
        cut.points.push_back({static_cast<Index>(t), lambda});
      }
      return found->second;
    };
    for (int b = 0; b < cells; ++b) {
      for (int a = 0; a + b < cells; ++a) {
        cut.triangles.push_back({place(a, b), place(a + 1, b), place(a, b + 1)});
        if (a + b + 2 <= cells) {
          cut.triangles.push_back({place(a + 1, b), place(a + 1, b + 1), place(a, b + 1)});
        }
      }
    }
  }
  return cut;
}

}  // namespace marrow
