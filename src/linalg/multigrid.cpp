#include "linalg/multigrid.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr Index kCoarsest = 300;  // nodes that are solved at once
constexpr size_t kMaxLevels = 12;
constexpr double kStrong = 0.08;  // of the geometric mean of the diagonal blocks
constexpr int kSweeps = 2;
constexpr int kPowerSteps = 12;

// Calls visit(row, column, block) for the whole of a symmetric matrix.
template <class Visit>
void for_each_block(const BlockMatrix& A, const Visit& visit) {
  for (Index j = 0; j < A.node_count(); ++j) {
    for (Index k = A.pattern.column_offsets[j]; k < A.pattern.column_offsets[j + 1]; ++k) {
      const Index i = A.pattern.rows[k];
      visit(i, j, A.blocks[k], false);
      if (i != j) visit(j, i, A.blocks[k], true);
    }
  }
}

void multiply(const BlockRows& A, const VecX& x, VecX& y) {
  y.resize(3 * A.rows());
  exec::parallel_for("multigrid.multiply", static_cast<size_t>(A.rows()), [&](size_t row) {
    const Index i = static_cast<Index>(row);
    Vec3 sum = Vec3::Zero();
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      sum += A.blocks[k] * x.segment<3>(3 * A.indices[k]);
    }
    y.segment<3>(3 * i) = sum;
  });
}

// A B, row by row; the columns of a row ascend.
BlockRows multiply(const BlockRows& A, const BlockRows& B) {
  const auto rows = static_cast<size_t>(A.rows());
  std::vector<std::vector<std::pair<Index, Mat3>>> parts(rows);
  exec::parallel_for(
      "multigrid.product", rows,
      [&](size_t row) {
        const Index i = static_cast<Index>(row);
        std::vector<std::pair<Index, Mat3>>& part = parts[row];
        for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
          const Index j = A.indices[k];
          for (Index l = B.offsets[j]; l < B.offsets[j + 1]; ++l) {
            part.emplace_back(B.indices[l], A.blocks[k] * B.blocks[l]);
          }
        }
        std::stable_sort(part.begin(), part.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        // Sums of equal columns, in the order they came.
        size_t kept = 0;
        for (size_t k = 0; k < part.size(); ++k) {
          if (kept > 0 && part[kept - 1].first == part[k].first) {
            part[kept - 1].second += part[k].second;
          } else {
            part[kept++] = part[k];
          }
        }
        part.resize(kept);
      },
      64);
  BlockRows product;
  product.columns = B.columns;
  for (const auto& part : parts) {
    for (const auto& [column, block] : part) {
      product.indices.push_back(column);
      product.blocks.push_back(block);
    }
    product.offsets.push_back(static_cast<Index>(product.indices.size()));
  }
  return product;
}

BlockRows transpose(const BlockRows& A) {
  BlockRows T;
  T.columns = A.rows();
  T.offsets.assign(static_cast<size_t>(A.columns) + 1, 0);
  for (const Index column : A.indices) ++T.offsets[column + 1];
  std::partial_sum(T.offsets.begin(), T.offsets.end(), T.offsets.begin());
  T.indices.resize(A.indices.size());
  T.blocks.resize(A.blocks.size());
  std::vector<Index> next(T.offsets.begin(), T.offsets.end() - 1);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      const Index at = next[A.indices[k]]++;
      T.indices[at] = i;
      T.blocks[at] = A.blocks[k].transpose();
    }
  }
  return T;
}

std::vector<double> compute_diagonal_norms(const BlockRows& A) {
  std::vector<double> norms(static_cast<size_t>(A.rows()), 0);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.indices[k] == i) norms[i] = A.blocks[k].norm();
    }
  }
  return norms;
}

// The aggregate of every node: first whole neighbourhoods, then what is left joins a neighbour or stays
// alone.
std::vector<Index> aggregate(const BlockRows& A, Index& count) {
  const std::vector<double> norms = compute_diagonal_norms(A);
  const auto is_strong = [&](Index i, Index k) {
    const Index j = A.indices[k];
    return j != i && A.blocks[k].norm() > kStrong * std::sqrt(norms[i] * norms[j]);
  };
  std::vector<Index> member(static_cast<size_t>(A.rows()), kNone);
  const auto visit_strong = [&](Index i, const auto& visit) {
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (is_strong(i, k)) visit(A.indices[k]);
    }
  };
  count = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    bool is_free = member[i] == kNone;
    visit_strong(i, [&](Index j) { is_free = is_free && member[j] == kNone; });
    if (!is_free) continue;
    member[i] = count;
    visit_strong(i, [&](Index j) { member[j] = count; });
    ++count;
  }
  const std::vector<Index> first = member;
  for (Index i = 0; i < A.rows(); ++i) {
    if (member[i] != kNone) continue;
    visit_strong(i, [&](Index j) {
      if (member[i] == kNone && first[j] != kNone) member[i] = first[j];
    });
    if (member[i] == kNone) member[i] = count++;
  }
  return member;
}

}  // namespace

BlockRows expand_rows(const BlockMatrix& A) {
  BlockRows rows;
  rows.columns = A.node_count();
  rows.offsets.assign(static_cast<size_t>(A.node_count()) + 1, 0);
  for_each_block(A, [&](Index i, Index, const Mat3&, bool) { ++rows.offsets[i + 1]; });
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.indices.resize(static_cast<size_t>(rows.offsets.back()));
  rows.blocks.resize(rows.indices.size());
  std::vector<Index> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for_each_block(A, [&](Index i, Index j, const Mat3& block, bool is_transposed) {
    const Index at = next[i]++;
    rows.indices[at] = j;
    if (is_transposed) {
      rows.blocks[at] = block.transpose();
    } else {
      rows.blocks[at] = block;
    }
  });
  return rows;
}

bool Multigrid::build(const BlockMatrix& A) {
  const trace::Scope scope("multigrid.build");
  levels_.clear();
  if (!add_level(expand_rows(A))) return false;
  while (levels_.back().A.rows() > kCoarsest && levels_.size() < kMaxLevels) {
    Level& fine = levels_.back();
    Index count = 0;
    const std::vector<Index> member = aggregate(fine.A, count);
    if (count >= fine.A.rows()) break;  // nothing is coupled
    BlockRows tentative;
    tentative.columns = count;
    tentative.indices = member;
    tentative.blocks.assign(member.size(), Mat3::Identity());
    tentative.offsets.resize(member.size() + 1);
    std::iota(tentative.offsets.begin(), tentative.offsets.end(), 0);
    // P = (I − ω D⁻¹ A) tentative.
    BlockRows smoother = fine.A;
    for (Index i = 0; i < smoother.rows(); ++i) {
      for (Index k = smoother.offsets[i]; k < smoother.offsets[i + 1]; ++k) {
        smoother.blocks[k] = -fine.damping * fine.inverse[i] * fine.A.blocks[k];
        if (smoother.indices[k] == i) smoother.blocks[k] += Mat3::Identity();
      }
    }
    fine.P = multiply(smoother, tentative);
    fine.restriction = transpose(fine.P);
    if (!add_level(multiply(fine.restriction, multiply(fine.A, fine.P)))) return false;
  }
  const BlockRows& last = levels_.back().A;
  MatX dense = MatX::Zero(3 * last.rows(), 3 * last.rows());
  for (Index i = 0; i < last.rows(); ++i) {
    for (Index k = last.offsets[i]; k < last.offsets[i + 1]; ++k) {
      dense.block<3, 3>(3 * i, 3 * last.indices[k]) = last.blocks[k];
    }
  }
  const Eigen::LLT<MatX> factor(dense);
  coarsest_ = factor.matrixLLT();
  return factor.info() == Eigen::Success;
}

bool Multigrid::add_level(BlockRows A) {
  Level level;
  level.A = std::move(A);
  level.inverse.assign(static_cast<size_t>(level.A.rows()), Mat3::Zero());
  for (Index i = 0; i < level.A.rows(); ++i) {
    for (Index k = level.A.offsets[i]; k < level.A.offsets[i + 1]; ++k) {
      if (level.A.indices[k] == i) level.inverse[i] = level.A.blocks[k].inverse();
    }
    if (!level.inverse[i].allFinite() || level.inverse[i].isZero(0)) return false;
  }
  // The largest eigenvalue of D⁻¹ A by power steps from a fixed start, with a margin.
  VecX x(3 * level.A.rows()), Ax;
  for (Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  double largest = 1;
  for (int k = 0; k < kPowerSteps; ++k) {
    x /= x.norm();
    multiply(level.A, x, Ax);
    for (Index i = 0; i < level.A.rows(); ++i) x.segment<3>(3 * i) = level.inverse[i] * Ax.segment<3>(3 * i);
    largest = x.norm();
  }
  level.damping = 4.0 / (3.0 * 1.1 * largest);
  levels_.push_back(std::move(level));
  return true;
}

void Multigrid::apply(const VecX& r, VecX& z) {
  const trace::Scope scope("multigrid.cycle");
  levels_[0].b = r;
  cycle(0);
  z = levels_[0].x;
}

void Multigrid::cycle(size_t at) {
  Level& level = levels_[at];
  if (at + 1 == levels_.size()) {
    level.x = coarsest_.triangularView<Eigen::Lower>().solve(level.b);
    coarsest_.triangularView<Eigen::Lower>().transpose().solveInPlace(level.x);
    return;
  }
  const auto smooth = [&](bool is_first) {
    if (is_first) {
      level.x = VecX::Zero(level.b.size());
      level.residual = level.b;
    } else {
      multiply(level.A, level.x, level.residual);
      level.residual = level.b - level.residual;
    }
    exec::parallel_for("multigrid.smooth", level.inverse.size(), [&](size_t i) {
      const Index k = 3 * static_cast<Index>(i);
      level.x.segment<3>(k) += level.damping * (level.inverse[i] * level.residual.segment<3>(k));
    });
  };
  for (int k = 0; k < kSweeps; ++k) smooth(k == 0);
  multiply(level.A, level.x, level.residual);
  level.residual = level.b - level.residual;
  multiply(level.restriction, level.residual, levels_[at + 1].b);
  cycle(at + 1);
  VecX correction;
  multiply(level.P, levels_[at + 1].x, correction);
  level.x += correction;
  for (int k = 0; k < kSweeps; ++k) smooth(false);
}

}  // namespace marrow
