#include "geometry/transfer/mass_matrix.h"

#include <cmath>

#include "exec/parallel.h"

namespace marrow {
namespace {

// Residuals this much smaller than the right side end the solve; rounding allows no less.
constexpr double kTolerance = 1e-15;

// Four times what the bound on the condition number (5 in three dimensions) asks for.
constexpr int kMostIterations = 200;

Index row_of(size_t i) { return static_cast<Index>(i); }

// The dot products of the columns.
VecX dot_columns(const MatX& a, const MatX& b) { return a.cwiseProduct(b).colwise().sum().transpose(); }

}  // namespace

MassMatrix::MassMatrix(int dimension, size_t point_count, std::vector<SimplexCorners> simplices, VecX volumes)
    : corners_(static_cast<size_t>(dimension) + 1),
      simplices_(std::move(simplices)),
      volumes_(std::move(volumes)) {
  slots_ = fill_buckets<Index>(point_count, [&](const auto& visit) {
    for (size_t t = 0; t < simplices_.size(); ++t) {
      for (size_t c = 0; c < corners_; ++c) visit(simplices_[t][c], row_of(t * corners_ + c));
    }
  });
  MatX parts(row_of(simplices_.size() * corners_), 1);
  const double share = 2.0 / static_cast<double>(corners_ * (corners_ + 1));
  for (Index t = 0; t < volumes_.size(); ++t) {
    for (size_t c = 0; c < corners_; ++c) {
      parts(row_of(static_cast<size_t>(t) * corners_ + c), 0) = share * volumes_[t];
    }
  }
  diagonal_ = gather(parts).col(0);
}

MatX MassMatrix::gather(const MatX& parts) const {
  MatX sums = MatX::Zero(row_of(slots_.key_count()), parts.cols());
  exec::parallel_for("transfer.gather", slots_.key_count(), [&](size_t i) {
    for (const Index slot : slots_.of(i)) sums.row(row_of(i)) += parts.row(slot);
  });
  return sums;
}

MatX MassMatrix::multiply(const MatX& values) const {
  const double scale = 1.0 / static_cast<double>(corners_ * (corners_ + 1));
  MatX parts(row_of(simplices_.size() * corners_), values.cols());
  exec::parallel_for("transfer.mass", simplices_.size(), [&](size_t t) {
    const double weight = scale * volumes_[row_of(t)];
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
    for (size_t c = 0; c < corners_; ++c) sum += values.row(simplices_[t][c]);
    for (size_t c = 0; c < corners_; ++c) {
      parts.row(row_of(t * corners_ + c)) = weight * (sum + values.row(simplices_[t][c]));
    }
  });
  return gather(parts);
}

MassMatrix::Solution MassMatrix::solve(const MatX& b) const {
  const VecX inverse = (diagonal_.array() > 0).select(diagonal_.cwiseInverse(), 0);
  Solution solution{MatX::Zero(b.rows(), b.cols()), 0};
  MatX residual = b;
  MatX scaled = inverse.asDiagonal() * residual;
  MatX direction = scaled;
  VecX energy = dot_columns(residual, scaled);
  const VecX enough = kTolerance * kTolerance * energy;
  while (solution.iterations < kMostIterations && (energy.array() > enough.array()).any()) {
    const MatX pushed = multiply(direction);
    const VecX curvature = dot_columns(direction, pushed);
    const VecX step = (curvature.array() > 0).select(energy.cwiseQuotient(curvature), 0);
    solution.values += direction * step.asDiagonal();
    residual -= pushed * step.asDiagonal();
    scaled = inverse.asDiagonal() * residual;
    const VecX next = dot_columns(residual, scaled);
    const VecX ratio = (energy.array() > 0).select(next.cwiseQuotient(energy), 0);
    direction = scaled + direction * ratio.asDiagonal();
    energy = next;
    ++solution.iterations;
  }
  return solution;
}

}  // namespace marrow
