#include "preprocess/volume/carry_surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "geometry/bvh/bvh.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// A lattice tet has at least this part of the stiffness and mass of a full one: nodes that only tets with
// hardly anything in them hold would otherwise be a thousand times lighter than their neighbours, and the
// linear systems that much worse. The masses of all tets are then scaled to the solid's own.
// [safety net: twenty times within a node's reach]
constexpr double kLeastFill = 0.05;

Vec4 compute_barycentric(const Mesh& mesh, const Tet& tet, const Vec3& x) {
  const auto at = [&](size_t k) -> const Vec3& { return mesh.points[static_cast<size_t>(tet[k])]; };
  Mat3 edges;
  for (Index k = 0; k < 3; ++k) edges.col(k) = at(static_cast<size_t>(k) + 1) - at(0);
  const Vec3 inner = edges.partialPivLu().solve(Vec3(x - at(0)));
  return {1 - inner.sum(), inner[0], inner[1], inner[2]};
}

std::vector<Index> count_up(size_t count, Index first) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// Looks for the tets of points in boxes that are larger each round.
class TetFinder {
 public:
  TetFinder(const Points& points, const Mesh& mesh) : points_(points), mesh_(mesh) {
    for (const Tet& tet : mesh.tets) {
      Aabb box = box_of_ball(mesh.points[static_cast<size_t>(tet[0])], 0);
      for (const Index v : tet) box = merge(box, box_of_ball(mesh.points[static_cast<size_t>(v)], 0));
      boxes_.push_back(box);
    }
    ids_ = count_up(mesh.tets.size(), 0);
    tree_.build({ids_, 1, ids_, {}}, boxes_);
    found_.assign(points.size(), {});
    best_.assign(points.size(), -std::numeric_limits<double>::infinity());
  }

  std::vector<EmbeddedPoint> find(double diagonal) {
    std::vector<Index> open = count_up(points_.size(), 0);
    for (double pad = 1e-9 * diagonal; !open.empty(); pad = std::max(4 * pad, 0.01 * diagonal)) {
      look(open, pad);
      std::erase_if(open, [&](Index i) { return found_[static_cast<size_t>(i)].tet != kNone; });
    }
    return std::move(found_);
  }

 private:
  void look(const std::vector<Index>& open, double pad) {
    std::vector<Aabb> balls;
    for (const Index i : open) balls.push_back(box_of_ball(points_[static_cast<size_t>(i)], pad));
    const std::vector<Index> ids = count_up(open.size(), 0);
    const std::vector<Index> corners = count_up(open.size(), static_cast<Index>(mesh_.tets.size()));
    Bvh tree;
    tree.build({ids, 1, corners, {}}, balls);
    std::vector<IndexPair> pairs;
    BvhQuery().find_cross_pairs(tree, tree_, {}, pairs);
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [i, tet] : pairs) {
      const Index point = open[static_cast<size_t>(i)];
      const Vec4 weights = compute_barycentric(mesh_, mesh_.tets[static_cast<size_t>(tet)],
                                               points_[static_cast<size_t>(point)]);
      double& best = best_[static_cast<size_t>(point)];
      if (!(weights.minCoeff() > best)) continue;
      best = weights.minCoeff();
      found_[static_cast<size_t>(point)] = {tet, weights};
    }
  }

  const Points& points_;
  const Mesh& mesh_;
  std::vector<Aabb> boxes_;
  std::vector<Index> ids_;
  Bvh tree_;
  std::vector<EmbeddedPoint> found_;
  std::vector<double> best_;
};

// Leaves the tets that are kept, and their points.
void keep_tets(const std::vector<char>& is_kept, CarryingLattice& lattice) {
  std::vector<Index> tet_number(is_kept.size(), kNone);
  std::vector<Index> point_number(lattice.volume.points.size(), kNone);
  Mesh kept;
  std::vector<double> fills;
  for (size_t t = 0; t < is_kept.size(); ++t) {
    if (is_kept[t] == 0) continue;
    tet_number[t] = static_cast<Index>(kept.tets.size());
    Tet tet = lattice.volume.tets[t];
    for (Index& v : tet) {
      Index& number = point_number[static_cast<size_t>(v)];
      if (number == kNone) {
        number = static_cast<Index>(kept.points.size());
        kept.points.push_back(lattice.volume.points[static_cast<size_t>(v)]);
      }
      v = number;
    }
    kept.tets.push_back(tet);
    fills.push_back(lattice.fills[t]);
  }
  for (EmbeddedPoint& place : lattice.places) place.tet = tet_number[static_cast<size_t>(place.tet)];
  lattice.volume = std::move(kept);
  lattice.fills = std::move(fills);
}

}  // namespace

CarriedPlaces place_in_tets(const Points& points, const Mesh& tets) {
  Points all = points;
  all.insert(all.end(), tets.points.begin(), tets.points.end());
  CarriedPlaces carried{TetFinder(points, tets).find(compute_diagonal(all)), 0};
  for (const EmbeddedPoint& place : carried.places) {
    carried.least_weight = std::min(carried.least_weight, place.weights.minCoeff());
  }
  return carried;
}

CarryingLattice build_carrying_lattice(const Mesh& surface, int cells, const std::string& name) {
  CarryingLattice carrying;
  const MeshSummary summary = summarize(surface);
  carrying.is_closed = summary.closed && summary.manifold && summary.oriented && summary.volume > 0;
  const TriangleTree tree(surface.points, surface.triangles);
  Lattice lattice = build_lattice(surface, tree, cells,
                                  carrying.is_closed ? LatticeSolid::ClosedInParts : LatticeSolid::Open);
  carrying.volume.points = lattice.mesh.points;
  carrying.volume.tets = lattice.mesh.tets;
  carrying.fills = lattice.fills;
  std::vector<char> is_kept(lattice.fills.size(), 0);
  for (size_t t = 0; t < is_kept.size(); ++t) is_kept[t] = lattice.fills[t] >= kLeastFill ? 1 : 0;
  for (const Vec3& x : surface.points) {
    const EmbeddedPoint place = lattice.locate(x);
    if (place.tet == kNone) throw InputError({name, 0, 0, {}}, "a point of the surface is in no tet", "");
    is_kept[static_cast<size_t>(place.tet)] = 1;
    carrying.places.push_back(place);
  }
  keep_tets(is_kept, carrying);
  for (double& fill : carrying.fills) fill = std::max(fill, kLeastFill);
  return carrying;
}

}  // namespace marrow
