#include "sim/projective/touched_matrix.h"

#include <algorithm>
#include <utility>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/dense_inverse.h"

namespace marrow {

bool TouchedMatrix::set(const ScalarMatrix& A, ScalarFactor& factor, std::vector<TouchedRow> rows) {
  const trace::Scope scope("projective.touch");
  factor_ = &factor;
  rows_ = std::move(rows);
  is_few_ = factor.is_dense() && 2 * rows_.size() < static_cast<size_t>(factor.size());
  return is_few_ ? set_few() : set_many(A);
}

bool TouchedMatrix::set_few() {
  const MatX& inverse = factor_->inverse();
  const auto count = static_cast<Index>(rows_.size());
  U_.resize(inverse.rows(), count);
  exec::parallel_for(
      "touched_matrix.columns", rows_.size(),
      [&](size_t c) {
        auto column = U_.col(static_cast<Index>(c));
        column.setZero();
        for (size_t k = 0; k < rows_[c].columns.size(); ++k) {
          column += rows_[c].values[k] * inverse.col(rows_[c].columns[k]);
        }
      },
      1);
  C_.resize(count, count);
  exec::parallel_for(
      "touched_matrix.capacity", rows_.size(),
      [&](size_t a) {
        for (size_t b = 0; b < rows_.size(); ++b) {
          double sum = a == b ? 1 / rows_[a].weight : 0;
          for (size_t k = 0; k < rows_[b].columns.size(); ++k) {
            sum += rows_[b].values[k] * U_(rows_[b].columns[k], static_cast<Index>(a));
          }
          C_(static_cast<Index>(b), static_cast<Index>(a)) = sum;
        }
      },
      1);
  return invert_positive_definite(C_);
}

bool TouchedMatrix::set_many(const ScalarMatrix& A) {
  ScalarMatrix sum = A;
  for (const TouchedRow& row : rows_) {
    for (size_t a = 0; a < row.columns.size(); ++a) {
      const auto begin = sum.indices.begin() + sum.offsets[row.columns[a]];
      const auto end = sum.indices.begin() + sum.offsets[row.columns[a] + 1];
      for (size_t b = 0; b < row.columns.size(); ++b) {
        const auto at = std::lower_bound(begin, end, row.columns[b]);
        if (at == end || *at != row.columns[b]) return set_others(A);
        sum.values[static_cast<size_t>(at - sum.indices.begin())] +=
            row.weight * row.values[a] * row.values[b];
      }
    }
  }
  if (whole_ && !has_others_) return whole_->update(sum);
  has_others_ = false;
  whole_.emplace();
  return whole_->factorize(sum);
}

// A row that couples what A does not: a hand may hold three points that are far from each other.
bool TouchedMatrix::set_others(const ScalarMatrix& A) {
  std::vector<Triplet> triplets;
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      triplets.push_back({i, A.indices[k], A.values[k]});
    }
  }
  for (const TouchedRow& row : rows_) {
    for (size_t a = 0; a < row.columns.size(); ++a) {
      for (size_t b = 0; b < row.columns.size(); ++b) {
        triplets.push_back({row.columns[a], row.columns[b], row.weight * row.values[a] * row.values[b]});
      }
    }
  }
  has_others_ = true;
  whole_.emplace();
  return whole_->factorize(build_scalar_matrix(A.rows(), A.columns, std::move(triplets)));
}

void TouchedMatrix::solve(const VecX& b, VecX& x) {
  if (!is_few_) return whole_->solve(b, x);
  factor_->solve(b, x);
  const auto count = static_cast<Index>(rows_.size());
  Eigen::Matrix3Xd at(3, count);
  for (Index c = 0; c < count; ++c) {
    const TouchedRow& row = rows_[static_cast<size_t>(c)];
    Vec3 sum = Vec3::Zero();
    for (size_t k = 0; k < row.columns.size(); ++k) sum += row.values[k] * x.segment<3>(3 * row.columns[k]);
    at.col(c) = sum;
  }
  const Eigen::Matrix3Xd pulls = at * C_;
  Eigen::Map<Eigen::Matrix3Xd> all(x.data(), 3, x.size() / 3);
  all.noalias() -= pulls * U_.transpose();
}

}  // namespace marrow
