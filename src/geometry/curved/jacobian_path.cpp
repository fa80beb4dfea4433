#include "geometry/curved/jacobian_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow {
namespace {

// Halvings of the element before the way is halved, and halvings of the way. More find a slightly longer way
// at the border, where the next iteration starts anew.
constexpr int kSpaceDepth = 3;
constexpr int kTimeDepth = 10;

// Halvings of the element if not even this part of the way is certain. [measured: tets of a twisted mat of
// order 2 could go 84 % of their way, and three halvings told 0.6 %]
constexpr int kLastSpaceDepth = 6;
constexpr double kShortWay = 0.25;

constexpr double kUnit = 0x1p-53;

double gamma(double operations) { return operations * kUnit / (1 - operations * kUnit); }

// ∂x/∂ξ_j has the coefficients p (c_{b+e_j} − c_{b+e_0}), b of degree p − 1, c the control points.
std::vector<MatX> make_slopes(int order) {
  const MatX control = make_control_matrix(order);
  const LatticeNumbers numbers(order);
  const std::vector<LatticePoint4> lattice = list_lattice(order - 1);
  std::vector<MatX> slopes;
  for (size_t j = 1; j < 4; ++j) {
    MatX& slope = slopes.emplace_back(static_cast<Index>(lattice.size()), control.cols());
    for (size_t b = 0; b < lattice.size(); ++b) {
      LatticePoint4 high = lattice[b], low = lattice[b];
      ++high[j];
      ++low[0];
      slope.row(static_cast<Index>(b)) = order * (control.row(numbers[high]) - control.row(numbers[low]));
    }
  }
  return slopes;
}

}  // namespace

// Four coefficients in time for each in space, of det and of the rounding.
struct JacobianPath::Coefficients {
  Eigen::Matrix<double, Eigen::Dynamic, 4> values;
  double margin = 0;
};

struct JacobianPath::Way {
  Eigen::Matrix<double, Eigen::Dynamic, 4> values;
};

JacobianPath::JacobianPath(int order)
    : order_(order),
      slopes_(make_slopes(order)),
      cross_products_(list_products(order - 1, order - 1)),
      triple_products_(list_products(2 * (order - 1), order - 1)),
      cross_count_(count_lattice(2 * (order - 1))),
      count_(count_lattice(3 * (order - 1))),
      halves_(make_halving_matrices(3 * (order - 1))) {
  corners_ = order == 1 ? std::vector<int>{0} : std::vector<int>{0, 1, 2, 3};  // the lattice's first points
}

JacobianPath::Coefficients JacobianPath::compute(std::span<const Vec3> starts,
                                                 std::span<const Vec3> moves) const {
  const auto nodes = static_cast<Index>(starts.size());
  // Differences first: places far from the origin cost nothing.
  Eigen::Matrix<double, Eigen::Dynamic, 3> here(nodes, 3), there(nodes, 3);
  double reach = 0;
  for (Index k = 0; k < nodes; ++k) {
    const Vec3 start = starts[static_cast<size_t>(k)] - starts[0];
    const Vec3 move = moves[static_cast<size_t>(k)] - moves[0];
    here.row(k) = start.transpose();
    there.row(k) = (start + move).transpose();
    reach = std::max({reach, start.norm(), (start + move).norm(), move.norm()});
  }
  std::array<Eigen::Matrix<double, Eigen::Dynamic, 3>, 3> a0, a1;
  double largest = 0, growth = 0;
  for (size_t j = 0; j < 3; ++j) {
    a0[j] = slopes_[j] * here;
    a1[j] = slopes_[j] * there;
    largest = std::max({largest, a0[j].rowwise().norm().maxCoeff(), a1[j].rowwise().norm().maxCoeff()});
    growth = std::max(growth, slopes_[j].cwiseAbs().rowwise().sum().maxCoeff());
  }
  Eigen::Matrix<double, Eigen::Dynamic, 9> cross =
      Eigen::Matrix<double, Eigen::Dynamic, 9>::Zero(cross_count_, 9);
  for (const BernsteinProduct& p : cross_products_) {
    const Vec3 first0 = a0[0].row(p.a), first1 = a1[0].row(p.a), second0 = a0[1].row(p.b),
               second1 = a1[1].row(p.b);
    cross.row(p.sum).segment<3>(0) += (p.factor * first0.cross(second0)).transpose();
    cross.row(p.sum).segment<3>(3) +=
        (p.factor * (first0.cross(second1) + first1.cross(second0)) / 2).transpose();
    cross.row(p.sum).segment<3>(6) += (p.factor * first1.cross(second1)).transpose();
  }
  Coefficients all;
  all.values.setZero(count_, 4);
  for (const BernsteinProduct& p : triple_products_) {
    const auto c0 = cross.row(p.a).segment<3>(0), c1 = cross.row(p.a).segment<3>(3),
               c2 = cross.row(p.a).segment<3>(6);
    const auto third0 = a0[2].row(p.b), third1 = a1[2].row(p.b);
    all.values(p.sum, 0) += p.factor * c0.dot(third0);
    all.values(p.sum, 1) += p.factor * (2 * c1.dot(third0) + c0.dot(third1)) / 3;
    all.values(p.sum, 2) += p.factor * (c2.dot(third0) + 2 * c1.dot(third1)) / 3;
    all.values(p.sum, 3) += p.factor * c2.dot(third1);
  }
  // The proven bound of math A3.3: the error of the slopes in each of three factors of six terms, and that of
  // the sums of products.
  const double slope_error = gamma(static_cast<double>(nodes) + 6) * growth * reach;
  const auto products = static_cast<double>(cross_products_.size() + triple_products_.size());
  all.margin =
      1.01 * (18 * largest * largest * slope_error + 6 * largest * largest * largest * gamma(products + 30));
  return all;
}

// Whether all of it is more than the margin, after at most so many halvings of the element.
bool JacobianPath::is_certain(const Way& way, double margin, int depth) const {
  if (way.values.minCoeff() > margin) return true;
  if (depth == 0 || order_ == 1) return false;
  for (const int corner : corners_) {  // true values at both ends of the way
    if (way.values(corner, 0) <= margin || way.values(corner, 3) <= margin) return false;
  }
  // Each coefficient of a half is a mean of all of them: so many products are summed.
  const double deeper = margin + gamma(count_ + 1) * way.values.cwiseAbs().maxCoeff();
  return std::all_of(halves_.begin(), halves_.end(),
                     [&](const MatX& half) { return is_certain({half * way.values}, deeper, depth - 1); });
}

double JacobianPath::find_limit(std::span<const Vec3> starts, std::span<const Vec3> moves,
                                double kept) const {
  const Coefficients all = compute(starts, moves);
  Way whole{all.values};
  if (kept > 0) {
    const VecX floor = kept * all.values.col(0);
    whole.values.colwise() -= floor;
  }
  // Beside the coefficients' own: what is kept is subtracted, and every halving of the way sums four
  // products.
  const double margin =
      (1 + kept) * all.margin + gamma(4 + 4 * kTimeDepth) * (1 + kept) * all.values.cwiseAbs().maxCoeff();
  if (is_certain(whole, margin, 0)) return 1;
  // Halves of the way, the earliest first.
  Eigen::Matrix4d first, second;
  first << 1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.5, 0.25, 0, 0.125, 0.375, 0.375, 0.125;
  second << 0.125, 0.375, 0.375, 0.125, 0, 0.25, 0.5, 0.25, 0, 0, 0.5, 0.5, 0, 0, 0, 1;
  double certified = 0;
  int space_depth = kSpaceDepth;
  const auto walk = [&](const auto& self, const Way& way, double begin, double length, int depth) -> bool {
    if (is_certain(way, margin, space_depth)) {
      certified = begin + length;
      return true;
    }
    if (depth == 0) return false;
    const double half = length / 2;
    return self(self, {way.values * first.transpose()}, begin, half, depth - 1) &&
           self(self, {way.values * second.transpose()}, begin + half, half, depth - 1);
  };
  walk(walk, whole, 0, 1, kTimeDepth);
  if (certified >= kShortWay) return certified;
  // A tet of which little can be said could not move any more: look closer.
  const double first_certified = certified;
  space_depth = kLastSpaceDepth;
  walk(walk, whole, 0, 1, kTimeDepth);
  return std::max(certified, first_certified);
}

JacobianPath::Bounds JacobianPath::bound(std::span<const Vec3> nodes, int halvings) const {
  const std::vector<Vec3> still(nodes.size(), Vec3::Zero());
  const Coefficients all = compute(nodes, still);
  std::vector<VecX> parts{all.values.col(0)};
  for (int depth = 0; depth < halvings && order_ > 1; ++depth) {
    std::vector<VecX> finer;
    for (const VecX& part : parts) {
      for (const MatX& half : halves_) finer.push_back(half * part);
    }
    parts = std::move(finer);
  }
  const double margin = all.margin + halvings * gamma(count_ + 1) * all.values.cwiseAbs().maxCoeff();
  Bounds bounds{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const VecX& part : parts) {
    bounds.low = std::min(bounds.low, part.minCoeff() - margin);
    bounds.high = std::max(bounds.high, part.maxCoeff() + margin);
  }
  return bounds;
}

}  // namespace marrow
