#include "geometry/medial/fit_nodes.h"

#include <Eigen/SparseCholesky>
#include <stdexcept>

namespace marrow {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;

// λ in parts of the mean diagonal of WᵀW: its root is how much a node may lag behind, and the factorisation
// keeps half of its digits.
constexpr double kLag = 1e-8;  // [derived]

Sparse to_sparse(const ScalarMatrix& W) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index row = 0; row < W.rows(); ++row)
    for (Index k = W.offsets[static_cast<size_t>(row)]; k < W.offsets[static_cast<size_t>(row) + 1]; ++k)
      entries.emplace_back(row, W.indices[static_cast<size_t>(k)], W.values[static_cast<size_t>(k)]);
  Sparse matrix(W.rows(), W.columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

struct AffineMap {
  Mat3 F;
  Vec3 from, to;

  Vec3 move(const Vec3& x) const { return to + F * (x - from); }
};

// The affine map that brings points nearest to others. Flat point sets have no thickness to measure: there it
// is kept as it is.
AffineMap fit_affine(const Points& x, const Points& y) {
  AffineMap map = {Mat3::Identity(), Vec3::Zero(), Vec3::Zero()};
  const double count = static_cast<double>(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    map.from += x[i] / count;
    map.to += y[i] / count;
  }
  Mat3 A = Mat3::Zero(), B = Mat3::Zero();
  for (size_t i = 0; i < x.size(); ++i) {
    A += (x[i] - map.from) * (x[i] - map.from).transpose();
    B += (y[i] - map.to) * (x[i] - map.from).transpose();
  }
  const Mat3 lag =
      1e-9 * A.trace() * Mat3::Identity();  // [derived: below the thinnest plate that is prepared]
  map.F = (B + lag) * (A + lag).inverse();
  return map;
}

}  // namespace

struct NodeFit::Factor {
  Sparse W;
  Eigen::SimplicialLDLT<Sparse> normal;
  double lag = 0;
};

NodeFit::NodeFit(const MedialRest& rest) : rest_(rest), factor_(std::make_unique<Factor>()) {
  factor_->W = to_sparse(rest.surface_weights);
  Sparse normal = factor_->W.transpose() * factor_->W;
  const double mean = normal.diagonal().sum() / std::max<double>(1, static_cast<double>(normal.rows()));
  factor_->lag = kLag * (mean > 0 ? mean : 1);
  Sparse identity(normal.rows(), normal.rows());
  identity.setIdentity();
  normal += factor_->lag * identity;
  factor_->normal.compute(normal);
  if (factor_->normal.info() != Eigen::Success)
    throw std::runtime_error("The weights of the surface cannot be factorised.");
}

NodeFit::~NodeFit() = default;
NodeFit::NodeFit(NodeFit&&) noexcept = default;

VecX NodeFit::fit(const Points& surface) const {
  const AffineMap T = fit_affine(rest_.surface.points, surface);
  const auto nodes = static_cast<Eigen::Index>(rest_.nodes.size());
  Columns start(nodes, 3);
  for (Eigen::Index i = 0; i < nodes; ++i)
    start.row(i) = T.move(rest_.nodes[static_cast<size_t>(i)]).transpose();
  VecX n(3 * nodes);
  for (Eigen::Index i = 0; i < nodes; ++i) n.segment<3>(3 * i) = start.row(i).transpose();
  const Points moved = compute_surface(rest_, n);
  Columns rest(static_cast<Eigen::Index>(surface.size()), 3);
  for (size_t i = 0; i < surface.size(); ++i)
    rest.row(static_cast<Eigen::Index>(i)) = (surface[i] - moved[i]).transpose();
  const Columns change = factor_->normal.solve(factor_->W.transpose() * rest);
  for (Eigen::Index i = 0; i < nodes; ++i) n.segment<3>(3 * i) += change.row(i).transpose();
  return n;
}

}  // namespace marrow
