#include "mesh/refine.h"

#include <map>

namespace marrow {
namespace {

// The middles of edges, each once.
class Middles {
 public:
  explicit Middles(Mesh& mesh) : mesh_(mesh) {}

  Index find(Index a, Index b) {
    const Edge edge = {std::min(a, b), std::max(a, b)};
    const auto [found, is_new] = known_.try_emplace(edge, static_cast<Index>(mesh_.points.size()));
    if (is_new) {
      mesh_.points.push_back(0.5 * (mesh_.points[edge[0]] + mesh_.points[edge[1]]));
      if (!mesh_.radii.empty()) mesh_.radii.push_back(0.5 * (mesh_.radii[edge[0]] + mesh_.radii[edge[1]]));
    }
    return found->second;
  }

 private:
  Mesh& mesh_;
  std::map<Edge, Index> known_;
};

// A tet with the orientation of the original.
void add_oriented(Tet tet, const Points& x, std::vector<Tet>& tets) {
  const Vec3 a = x[tet[0]];
  if ((x[tet[1]] - a).cross(x[tet[2]] - a).dot(x[tet[3]] - a) < 0) std::swap(tet[2], tet[3]);
  tets.push_back(tet);
}

void cut_tet(const Tet& t, Middles& middles, const Points& x, std::vector<Tet>& tets) {
  Index m[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j)
      m[i][j] = m[j][i] = middles.find(t[static_cast<size_t>(i)], t[static_cast<size_t>(j)]);
  }
  for (int i = 0; i < 4; ++i) {
    add_oriented({t[static_cast<size_t>(i)], m[i][(i + 1) % 4], m[i][(i + 2) % 4], m[i][(i + 3) % 4]}, x,
                 tets);
  }
  // Diagonals join the middles of opposite edges; the other four middles go around.
  const int others[3][6] = {{0, 1, 2, 3, 0, 0}, {0, 2, 1, 3, 0, 0}, {0, 3, 1, 2, 0, 0}};
  int shortest = 0;
  double least = 0;
  for (int k = 0; k < 3; ++k) {
    const double length = (x[m[others[k][0]][others[k][1]]] - x[m[others[k][2]][others[k][3]]]).squaredNorm();
    if (k == 0 || length < least) {
      shortest = k;
      least = length;
    }
  }
  const int a = others[shortest][0], b = others[shortest][1], c = others[shortest][2],
            d = others[shortest][3];
  const Index around[4] = {m[a][c], m[a][d], m[b][d], m[b][c]};
  for (int k = 0; k < 4; ++k) add_oriented({m[a][b], m[c][d], around[k], around[(k + 1) % 4]}, x, tets);
}

}  // namespace

Mesh refine_tets(const Mesh& mesh) {
  Mesh fine;
  fine.points = mesh.points;
  fine.radii = mesh.radii;
  Middles middles(fine);
  for (const Tet& tet : mesh.tets) cut_tet(tet, middles, fine.points, fine.tets);
  for (const Triangle& t : mesh.triangles) {
    const Index a = middles.find(t[0], t[1]), b = middles.find(t[1], t[2]), c = middles.find(t[2], t[0]);
    fine.triangles.insert(fine.triangles.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
  }
  for (const Edge& e : mesh.edges) {
    const Index m = middles.find(e[0], e[1]);
    fine.edges.insert(fine.edges.end(), {{e[0], m}, {m, e[1]}});
  }
  return fine;
}

}  // namespace marrow
