#include "kinematics/anchor.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include <map>
#include "mesh/point_box.h"

namespace marrow {
namespace {

// Points are flat in a direction in which they extend less than this fraction of their widest extent.
constexpr double kFlatPart = 1e-6;

// Positions within this fraction of the box diagonal of a surface are on it.
constexpr double kOnSurface = 1e-9;

// The weights, with sum 1, of the combination of the corners that is nearest to the position. Directions in
// which the corners are flat are left out.
std::vector<double> compute_affine_weights(const Points& corners, const Vec3& place) {
  const auto count = static_cast<Index>(corners.size());
  Vec3 mean = Vec3::Zero();
  for (const Vec3& x : corners) mean += x / count;
  MatX edges(3, count);
  for (Index k = 0; k < count; ++k) edges.col(k) = corners[static_cast<size_t>(k)] - mean;
  Eigen::JacobiSVD<MatX> svd(edges, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(kFlatPart);
  const VecX solved = svd.solve(VecX(place - mean));
  std::vector<double> weights;
  for (Index k = 0; k < count; ++k) weights.push_back(1.0 / count + solved[k]);
  return weights;
}

// Sets negative weights to 0 and scales the sum back to 1: the result is a point of the simplex.
std::vector<double> clamp_weights(std::vector<double> weights) {
  double sum = 0;
  for (double& w : weights) {
    w = std::max(w, 0.0);
    sum += w;
  }
  for (double& w : weights) w /= sum;
  return weights;
}

Vec3 combine_points(const Points& corners, const std::vector<double>& weights) {
  Vec3 x = Vec3::Zero();
  for (size_t k = 0; k < corners.size(); ++k) x += weights[k] * corners[k];
  return x;
}

// Points of the body, by number, with weights.
struct PointWeights {
  std::vector<Index> points;
  std::vector<double> weights;
};

Anchor make_anchor(const Body& body, const VecX& n, const PointWeights& of) {
  std::map<Index, double> sums;
  for (size_t k = 0; k < of.points.size(); ++k) {
    for (Index e = body.W.offsets[of.points[k]]; e < body.W.offsets[of.points[k] + 1]; ++e) {
      sums[body.first_node + body.W.indices[e]] += of.weights[k] * body.W.values[e];
    }
  }
  Anchor anchor;
  for (const auto& [node, weight] : sums) {
    if (weight == 0) continue;
    anchor.point.nodes.push_back(node);
    anchor.point.weights.push_back(weight);
  }
  anchor.position = anchor.point.at(n);
  return anchor;
}

// The simplex nearest to the position, judged by clamped weights: exact if the position is inside one.
struct NearestSimplex {
  const Points& points;
  const Vec3& place;
  double distance = std::numeric_limits<double>::infinity();
  PointWeights free = {}, clamped = {};

  template <size_t Count>
  void look_at(const std::array<Index, Count>& simplex) {
    Points corners;
    for (const Index i : simplex) corners.push_back(points[static_cast<size_t>(i)]);
    if (compute_box(corners).exteriorDistance(place) >= distance) return;
    const std::vector<double> weights = compute_affine_weights(corners, place);
    const std::vector<double> inside = clamp_weights(weights);
    const double found = (combine_points(corners, inside) - place).norm();
    if (found >= distance) return;
    distance = found;
    free = {{simplex.begin(), simplex.end()}, weights};
    clamped = {{simplex.begin(), simplex.end()}, inside};
  }
};

// Weights of all points that reproduce the position, and move it by the affine map that fits the motion of
// the points best, nearby points most (moving least squares, with weights 1/distance⁴).
PointWeights fit_weights(const Points& points, const Vec3& place) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec3& x : points) nearest = std::min(nearest, (x - place).norm());
  Eigen::Matrix4d moments = Eigen::Matrix4d::Zero();
  std::vector<Eigen::Vector4d> basis;
  PointWeights fit;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3 y = (points[i] - place) / nearest;  // not 0: the position is not on the surface
    fit.points.push_back(static_cast<Index>(i));
    fit.weights.push_back(1 / (y.squaredNorm() * y.squaredNorm()));
    basis.emplace_back(1, y.x(), y.y(), y.z());
    moments += fit.weights.back() * basis.back() * basis.back().transpose();
  }
  const Eigen::Vector4d factors = moments.ldlt().solve(Eigen::Vector4d::Unit(0));
  for (size_t i = 0; i < points.size(); ++i) fit.weights[i] *= factors.dot(basis[i]);
  return fit;
}

// On the surface of a medial body the anchor is the point of the surface, elsewhere a fit to all points.
Anchor find_medial_anchor(const Body& body, const VecX& n, const Vec3& place) {
  NearestSimplex nearest{body.rest.points, place};
  for (const Triangle& triangle : body.rest.triangles) nearest.look_at(triangle);
  const Eigen::AlignedBox3d box = compute_box(body.rest.points);
  const bool is_on_surface = nearest.distance <= kOnSurface * box.diagonal().norm();
  Anchor anchor =
      make_anchor(body, n, is_on_surface ? nearest.clamped : fit_weights(body.rest.points, place));
  anchor.distance = box.exteriorDistance(place);
  return anchor;
}

Anchor find_soft_anchor(const Body& body, const VecX& n, const Vec3& place) {
  NearestSimplex nearest{body.rest.points, place};
  for (const Tet& tet : body.rest.tets) nearest.look_at(tet);
  const bool has_volume = !body.rest.tets.empty();
  if (!has_volume) {
    for (const Triangle& triangle : body.rest.triangles) nearest.look_at(triangle);
    for (const Edge& edge : body.rest.edges) nearest.look_at(edge);
    for (size_t i = 0; i < body.rest.points.size(); ++i) {
      nearest.look_at(std::array<Index, 1>{static_cast<Index>(i)});
    }
  }
  Anchor anchor = make_anchor(body, n, has_volume ? nearest.free : nearest.clamped);
  anchor.distance = nearest.distance;
  return anchor;
}

// Four points far from each other: each is the farthest from the affine span of those before.
std::vector<Index> choose_frame(const Points& points) {
  std::vector<Index> chosen = {0};
  Points corners = {points[0]};
  while (chosen.size() < 4) {
    Index farthest = kNone;
    double largest = kFlatPart * compute_box(points).diagonal().norm();
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec3 nearest = combine_points(corners, compute_affine_weights(corners, points[i]));
      const double distance = (points[i] - nearest).norm();
      if (distance <= largest) continue;
      largest = distance;
      farthest = static_cast<Index>(i);
    }
    if (farthest == kNone) break;
    chosen.push_back(farthest);
    corners.push_back(points[static_cast<size_t>(farthest)]);
  }
  return chosen;
}

// Affine and rigid bodies: affine weights of the four nodes, which are never flat.
Anchor find_affine_anchor(const Body& body, const VecX& n, const Vec3& place) {
  Points corners;
  Anchor anchor;
  for (Index k = 0; k < body.node_count; ++k) {
    anchor.point.nodes.push_back(body.first_node + k);
    corners.push_back(n.segment<3>(3 * (body.first_node + k)));
  }
  anchor.point.weights = compute_affine_weights(corners, place);
  anchor.position = anchor.point.at(n);
  return anchor;
}

Anchor find_obstacle_anchor(const Body& body, const VecX& n, const Vec3& place) {
  PointWeights frame;
  frame.points = choose_frame(body.rest.points);
  Points corners;
  for (const Index i : frame.points) corners.push_back(body.rest.points[static_cast<size_t>(i)]);
  frame.weights = compute_affine_weights(corners, place);
  return make_anchor(body, n, frame);
}

}  // namespace

Anchor find_anchor(const Body& body, const VecX& n, const Vec3& place) {
  const bool is_obstacle = body.kind == BodyKind::Obstacle;
  if (body.kind == BodyKind::Medial) return find_medial_anchor(body, n, place);
  if (!is_obstacle && !is_affine_or_rigid(body.kind)) return find_soft_anchor(body, n, place);
  Anchor anchor = is_obstacle ? find_obstacle_anchor(body, n, place) : find_affine_anchor(body, n, place);
  anchor.distance = compute_box(body.rest.points).exteriorDistance(place);
  return anchor;
}

bool can_follow_any_place(const Body& body) {
  if (body.kind == BodyKind::Obstacle) return choose_frame(body.rest.points).size() == 4;
  return is_affine_or_rigid(body.kind) || body.kind == BodyKind::Medial || !body.rest.tets.empty();
}

Anchor make_mean_anchor(const Body& body, const VecX& n, const std::vector<Index>& points) {
  return make_anchor(body, n,
                     {points, std::vector<double>(points.size(), 1.0 / static_cast<double>(points.size()))});
}

Anchor make_world_anchor(const Vec3& place) {
  Anchor anchor;
  anchor.point.offset = place;
  anchor.position = place;
  return anchor;
}

}  // namespace marrow
