#include "geometry/curved/place_points.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>
#include <numeric>

#include "geometry/bvh/bvh.h"
#include "geometry/curved/inverse_map.h"
#include "geometry/distance/nearest_point.h"

namespace marrow {
namespace {

// Barycentric coordinates above this count as inside: rounding of points on common faces. [derived]
constexpr double kBorder = -1e-12;

std::vector<Index> count_up(size_t count, Index first) {
  std::vector<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

// Looks for the tets of points in boxes that are larger each round, until no tet can be nearer.
class PointPlacer {
 public:
  PointPlacer(const Points& points, const CurvedMesh& mesh, bool is_straight)
      : points_(points), mesh_(mesh), is_straight_(is_straight), map_(mesh.order), found_(points.size()) {
    const MatX control = make_control_matrix(mesh.order);
    Eigen::AlignedBox3d all;
    for (const Vec3& x : points) all.extend(x);
    for (size_t t = 0; t < mesh.tet_count(); ++t) {
      const std::vector<Vec3> nodes = nodes_of(t);
      Aabb box = box_of_ball(nodes[0], 0);
      for (size_t a = 0; a < (is_straight ? 4 : nodes.size()); ++a) {
        Vec3 c = nodes[a];
        if (!is_straight) {
          c.setZero();
          for (size_t k = 0; k < nodes.size(); ++k)
            c += control(static_cast<Index>(a), static_cast<Index>(k)) * nodes[k];
        }
        box = merge(box, box_of_ball(c, 0));
        all.extend(c);
      }
      boxes_.push_back(box);
    }
    diagonal_ = all.diagonal().norm();
    ids_ = count_up(mesh.tet_count(), 0);
    tree_.build({ids_, 1, ids_, {}}, boxes_);
  }

  std::vector<PointPlace> place() {
    std::vector<Index> open = count_up(points_.size(), 0);
    for (double pad = 1e-9 * diagonal_; !open.empty(); pad = std::max(4 * pad, 0.01 * diagonal_)) {
      look(open, pad);
      std::erase_if(open, [&](Index i) {
        const Candidate& found = found_[static_cast<size_t>(i)];
        return found.place.tet != kNone && found.place.distance <= pad;
      });
    }
    std::vector<PointPlace> places;
    for (const Candidate& candidate : found_) places.push_back(candidate.place);
    return places;
  }

 private:
  struct Candidate {
    PointPlace place;
    double least = -std::numeric_limits<double>::infinity();  // of the coordinates, continued outside
  };

  std::vector<Vec3> nodes_of(size_t tet) const {
    std::vector<Vec3> nodes;
    for (const Index node : mesh_.nodes_of(tet)) nodes.push_back(mesh_.nodes[static_cast<size_t>(node)]);
    return nodes;
  }

  Candidate place_in(size_t tet, const Vec3& y) const {
    const std::vector<Vec3> nodes = nodes_of(tet);
    Candidate candidate;
    candidate.place.tet = static_cast<Index>(tet);
    Mat3 jacobian;
    Vec3 nearest;
    if (is_straight_) {
      const std::array<Vec3, 4> corners = {nodes[0], nodes[1], nodes[2], nodes[3]};
      candidate.place.lambda = compute_barycentric(y, corners);
      candidate.least = candidate.place.lambda.minCoeff();
      if (candidate.least >= kBorder) return candidate;
      candidate.place.lambda = find_nearest_weights(y, corners);
      nearest.setZero();
      for (size_t k = 0; k < 4; ++k) nearest += candidate.place.lambda[static_cast<Index>(k)] * corners[k];
      for (size_t k = 0; k < 3; ++k) jacobian.col(static_cast<Index>(k)) = corners[k + 1] - corners[0];
    } else {
      const InverseMap::Place found = map_.find(nodes, y);
      candidate.place.lambda = found.lambda;
      candidate.least = found.lambda.minCoeff();
      if (found.is_inside) return candidate;
      nearest = found.point;
      jacobian = found.jacobian;
    }
    candidate.place.beside = jacobian.inverse() * (y - nearest);
    candidate.place.distance = (y - nearest).norm();
    const Vec3& s = candidate.place.beside;
    candidate.least = (candidate.place.lambda + Vec4(-s.sum(), s[0], s[1], s[2])).minCoeff();
    return candidate;
  }

  // Nearer; of tets that are equally near, the one that the point is least outside of, or deepest inside.
  bool is_better(const Candidate& a, const Candidate& b) const {
    if (b.place.tet == kNone) return true;
    const double margin = 1e-12 * diagonal_;
    if (a.place.distance < b.place.distance - margin) return true;
    return a.place.distance <= b.place.distance + margin && a.least > b.least;
  }

  void look(const std::vector<Index>& open, double pad) {
    std::vector<Aabb> balls;
    for (const Index i : open) balls.push_back(box_of_ball(points_[static_cast<size_t>(i)], pad));
    const std::vector<Index> ids = count_up(open.size(), 0);
    const std::vector<Index> corners = count_up(open.size(), static_cast<Index>(mesh_.tet_count()));
    Bvh tree;
    tree.build({ids, 1, corners, {}}, balls);
    std::vector<IndexPair> pairs;
    BvhQuery().find_cross_pairs(tree, tree_, {}, pairs);
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [i, tet] : pairs) {
      const auto point = static_cast<size_t>(open[static_cast<size_t>(i)]);
      const Candidate candidate = place_in(static_cast<size_t>(tet), points_[point]);
      if (is_better(candidate, found_[point])) found_[point] = candidate;
    }
  }

  const Points& points_;
  const CurvedMesh& mesh_;
  bool is_straight_;
  InverseMap map_;
  std::vector<Aabb> boxes_;
  double diagonal_ = 0;
  std::vector<Index> ids_;
  Bvh tree_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<PointPlace> place_points(const Points& points, const CurvedMesh& mesh, bool is_straight) {
  if (points.empty() || mesh.tets.empty()) return std::vector<PointPlace>(points.size());
  return PointPlacer(points, mesh, is_straight).place();
}

VecX weigh_place(const LagrangeBasis& basis, const PointPlace& place) {
  VecX w = basis.weights(place.lambda);
  if (!place.beside.isZero(0)) w += basis.gradients(place.lambda) * place.beside;
  return w;
}

}  // namespace marrow
