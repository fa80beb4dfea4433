#include "geometry/curved/curved_mesh.h"

#include <algorithm>
#include <map>

#include "mesh/surface.h"

namespace marrow {
namespace {

// A place on a tet by the numbers of its corners: corners with a share, ascending, and their shares. Tets
// that share a face agree on it.
using Key = std::array<std::array<Index, 2>, 4>;

Key make_key(const Tet& corners, const LatticePoint4& shares) {
  Key key;
  key.fill({kNone, 0});
  for (size_t i = 0; i < 4; ++i) {
    if (shares[i] > 0) key[i] = {corners[i], shares[i]};
  }
  std::sort(key.begin(), key.end());
  return key;
}

Tet corners_of(const CurvedMesh& mesh, size_t tet) {
  const std::span<const Index> nodes = mesh.nodes_of(tet);
  return {nodes[0], nodes[1], nodes[2], nodes[3]};
}

}  // namespace

CurvedMesh raise_order(const Points& points, const std::vector<Tet>& tets, int order) {
  CurvedMesh mesh{order, points, {}};
  const std::vector<LatticePoint4> lattice = list_lattice(order);
  std::map<Key, Index> numbers;
  for (const Tet& tet : tets) {
    mesh.tets.insert(mesh.tets.end(), tet.begin(), tet.end());
    for (size_t k = 4; k < lattice.size(); ++k) {
      const auto [found, is_new] =
          numbers.try_emplace(make_key(tet, lattice[k]), static_cast<Index>(mesh.nodes.size()));
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
  std::vector<Tet> corners;
  for (size_t t = 0; t < mesh.tet_count(); ++t) corners.push_back(corners_of(mesh, t));
  // The tet of each boundary face, and which corners of it the face has.
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
  CutBoundary cut;
  std::map<Key, Index> numbers;
  for (const Triangle& face : extract_surface(corners)) {
    const size_t t = tet_of_face.at(sorted(face));
    const auto place = [&](int a, int b) {  // a steps towards the second corner, b towards the third
      LatticePoint4 shares{0, 0, 0, 0};
      const std::array<int, 3> parts = {cells - a - b, a, b};
      for (size_t c = 0; c < 3; ++c) {
        const auto at = std::find(corners[t].begin(), corners[t].end(), face[c]) - corners[t].begin();
        shares[static_cast<size_t>(at)] = parts[c];
      }
      const auto [found, is_new] =
          numbers.try_emplace(make_key(corners[t], shares), static_cast<Index>(cut.points.size()));
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
