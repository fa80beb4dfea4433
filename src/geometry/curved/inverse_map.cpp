#include "geometry/curved/inverse_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/distance/nearest_point.h"

namespace marrow {
namespace {

constexpr int kStartLattice = 4;  // descents start at the nearest of its 35 points
constexpr size_t kStarts = 3;     // how many [safety net: one finds it in all tets but strongly bent ones]
constexpr int kMostSteps = 60;    // Newton needs at most 13 from inside (math of the page curved.md)
constexpr int kMostHalvings = 20;

// A root this near counts as the point itself: rounding leaves 1e-15 of the tet. [derived]
constexpr double kReached = 1e-10;

}  // namespace

InverseMap::InverseMap(int order) : basis_(order), control_(make_control_matrix(order)) {
  const LagrangeBasis samples(kStartLattice);
  for (size_t k = 0; k < samples.size(); ++k) {
    starts_.push_back(samples.place_of(k));
    start_weights_.push_back(basis_.weights(starts_.back()));
  }
  if (order < 2) return;
  const LatticeNumbers numbers(order);
  for (const LatticePoint4& b : list_lattice(order - 2)) {
    const auto at = [&](size_t e, size_t f) {
      LatticePoint4 sum = b;
      ++sum[e];
      ++sum[f];
      return numbers[sum];
    };
    for (size_t e = 1; e < 4; ++e) {
      for (size_t f = 1; f < 4; ++f) {
        bends_.push_back(
            {static_cast<int>(e) - 1, static_cast<int>(f) - 1, {at(e, f), at(e, 0), at(f, 0), at(0, 0)}});
      }
    }
  }
}

InverseMap::Place InverseMap::look_at(std::span<const Vec3> nodes, const Vec3& y, const Vec4& lambda) const {
  const VecX w = basis_.weights(lambda);
  const auto gradients = basis_.gradients(lambda);
  Place place;
  place.lambda = lambda;
  Vec3 x = Vec3::Zero();
  for (size_t k = 1; k < nodes.size(); ++k) {
    const Vec3 from_first = nodes[k] - nodes[0];
    x += w[static_cast<Index>(k)] * from_first;
    place.jacobian += from_first * gradients.row(static_cast<Index>(k));
  }
  place.point = nodes[0] + x;
  place.distance = (x - (y - nodes[0])).norm();
  return place;
}

InverseMap::Place InverseMap::descend(std::span<const Vec3> nodes, const Vec3& y, const Vec4& start) const {
  Place place = look_at(nodes, y, start);
  for (int step = 0; step < kMostSteps; ++step) {
    // The tangent map's image of the reference tet.
    const Mat3& J = place.jacobian;
    const Vec3 first = place.point - J * place.lambda.tail<3>();
    const Vec4 target = find_nearest_weights(
        y, std::array<Vec3, 4>{first, first + J.col(0), first + J.col(1), first + J.col(2)});
    Place next;
    bool is_nearer = false;
    double length = 1;
    for (int halving = 0; halving < kMostHalvings && !is_nearer; ++halving, length /= 2) {
      Vec4 lambda = place.lambda + length * (target - place.lambda);
      lambda = lambda.cwiseMax(0);
      lambda[0] = std::max(0.0, 1 - lambda.tail<3>().sum());
      next = look_at(nodes, y, lambda);
      is_nearer = next.distance < place.distance;
    }
    if (!is_nearer) break;
    place = next;
  }
  return place;
}

bool InverseMap::has_root_here(std::span<const Vec3> nodes, const Vec3& y, const Place& place) const {
  const Mat3 inverse = place.jacobian.inverse();
  if (!inverse.allFinite()) return false;
  // The rounding of X(ξ₀) − y: sums of as many terms as there are nodes. [derived]
  double reach = 0;
  for (const Vec3& node : nodes) reach = std::max(reach, (node - nodes[0]).cwiseAbs().maxCoeff());
  const double rounding = 4 * static_cast<double>(nodes.size()) * 1e-16 * (reach + y.cwiseAbs().maxCoeff());
  const Vec3 off = inverse * (place.point - y);
  const double r = off.cwiseAbs().maxCoeff() + inverse.cwiseAbs().rowwise().sum().maxCoeff() * rounding;
  if (r > kReached) return false;
  if (bends_.empty()) return true;
  MatX points(static_cast<Index>(nodes.size()), 3);
  for (size_t k = 0; k < nodes.size(); ++k)
    points.row(static_cast<Index>(k)) = (nodes[k] - nodes[0]).transpose();
  const MatX c = control_ * points;
  std::array<Mat3, 3> most;  // per coordinate the largest coefficient of each second derivative
  for (Mat3& m : most) m.setZero();
  const int p = basis_.order();
  for (const SecondDifference& d : bends_) {
    const auto& at = d.plus_minus_minus_plus;
    const Vec3 bend = p * (p - 1) * (c.row(at[0]) - c.row(at[1]) - c.row(at[2]) + c.row(at[3])).transpose();
    const Vec3 pulled = inverse * bend;
    for (Index i = 0; i < 3; ++i) {
      double& largest = most[static_cast<size_t>(i)](d.e, d.f);
      largest = std::max(largest, std::abs(pulled[i]));
    }
  }
  // Within 2r of the closed tet at most 12r of the barycentric coordinates are negative.
  double L = 0;
  for (const Mat3& m : most) L = std::max(L, m.sum());
  L *= std::pow(1 + 24 * r, p - 2);
  return L * r <= 0.5;
}

InverseMap::Place InverseMap::find(std::span<const Vec3> nodes, const Vec3& y) const {
  std::vector<double> distances;
  for (const VecX& w : start_weights_) {
    Vec3 x = Vec3::Zero();
    for (size_t k = 0; k < nodes.size(); ++k) x += w[static_cast<Index>(k)] * nodes[k];
    distances.push_back((x - y).norm());
  }
  std::vector<size_t> order(starts_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::partial_sort(order.begin(), order.begin() + kStarts, order.end(),
                    [&](size_t a, size_t b) { return distances[a] < distances[b]; });
  Place best;
  for (size_t k = 0; k < kStarts; ++k) {
    Place place = descend(nodes, y, starts_[order[k]]);
    place.is_inside = has_root_here(nodes, y, place);
    if (place.is_inside) return place;
    if (k == 0 || place.distance < best.distance) best = place;
  }
  return best;
}

}  // namespace marrow
