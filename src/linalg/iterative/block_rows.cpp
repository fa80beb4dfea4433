#include "linalg/iterative/block_rows.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "exec/parallel.h"

namespace marrow {
namespace {

// Rows per task of a product of matrices. Each task has one array as long as a row of the result, so tasks
// are few.
constexpr size_t kMostTasks = 64;

size_t rows_per_task(Index rows) { return std::max<size_t>(64, static_cast<size_t>(rows) / kMostTasks + 1); }

Vec3 multiply_row(const BlockRows& A, Index i, const VecX& x) {
  Vec3 sum = Vec3::Zero();
  for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
    sum.noalias() += A.blocks[k] * x.segment<3>(3 * A.indices[k]);
  }
  return sum;
}

// Calls visit(row, marks) for all rows; marks: one number per column, kNone before the first call.
template <class Visit>
void for_each_row(const char* name, Index rows, Index columns, const Visit& visit) {
  const size_t grain = rows_per_task(rows), tasks = (static_cast<size_t>(rows) + grain - 1) / grain;
  exec::parallel_for(
      name, tasks,
      [&](size_t task) {
        std::vector<Index> marks(static_cast<size_t>(columns), kNone);
        const auto end = static_cast<Index>(std::min(static_cast<size_t>(rows), (task + 1) * grain));
        for (auto i = static_cast<Index>(task * grain); i < end; ++i) visit(i, marks);
      },
      1);
}

// The part of a product that is computed.
enum class Part { All, Upper };

// Its first column in the i-th row.
Index first_column(Part part, Index i) { return part == Part::Upper ? i : 0; }

// The columns of the i-th row of A B, in ascending order.
void list_columns(const BlockRows& A, const BlockRows& B, Index i, Index first, std::vector<Index>& marks,
                  std::vector<Index>& columns) {
  columns.clear();
  for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
    const Index j = A.indices[k];
    for (Index l = B.offsets[j]; l < B.offsets[j + 1]; ++l) {
      Index& mark = marks[B.indices[l]];
      if (mark == i || B.indices[l] < first) continue;
      mark = i;
      columns.push_back(B.indices[l]);
    }
  }
  std::sort(columns.begin(), columns.end());
}

BlockRows multiply(const BlockRows& A, const BlockRows& B, Part part) {
  BlockRows product;
  product.columns = B.columns;
  product.offsets.assign(static_cast<size_t>(A.rows()) + 1, 0);
  for_each_row("multigrid.product", A.rows(), B.columns, [&](Index i, std::vector<Index>& marks) {
    Index count = 0;
    const Index first = first_column(part, i);
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      const Index j = A.indices[k];
      for (Index l = B.offsets[j]; l < B.offsets[j + 1]; ++l) {
        Index& mark = marks[B.indices[l]];
        count += mark == i || B.indices[l] < first ? 0 : 1;
        mark = i;
      }
    }
    product.offsets[i + 1] = count;
  });
  std::partial_sum(product.offsets.begin(), product.offsets.end(), product.offsets.begin());
  product.indices.resize(static_cast<size_t>(product.offsets.back()));
  product.blocks.resize(product.indices.size());
  for_each_row("multigrid.product", A.rows(), B.columns, [&](Index i, std::vector<Index>& marks) {
    thread_local std::vector<Index> columns;
    const Index first = first_column(part, i), start = product.offsets[i];
    list_columns(A, B, i, first, marks, columns);
    for (size_t k = 0; k < columns.size(); ++k) {
      const Index at = start + static_cast<Index>(k);
      product.indices[at] = columns[k];
      product.blocks[at].setZero();
      marks[columns[k]] = at;
    }
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      const Index j = A.indices[k];
      for (Index l = B.offsets[j]; l < B.offsets[j + 1]; ++l) {
        if (B.indices[l] < first) continue;
        product.blocks[marks[B.indices[l]]].noalias() += A.blocks[k] * B.blocks[l];
      }
    }
    for (const Index column : columns) marks[column] = kNone;
  });
  return product;
}

std::uint64_t next_part_version() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

}  // namespace

BlockRows expand_rows(const BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern;
  const Index n = A.node_count();
  BlockRows rows;
  rows.columns = n;
  rows.offsets.assign(static_cast<size_t>(n) + 1, 0);
  for (Index j = 0; j < n; ++j) {
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      ++rows.offsets[pattern.rows[k] + 1];
      if (pattern.rows[k] != j) ++rows.offsets[j + 1];
    }
  }
  std::partial_sum(rows.offsets.begin(), rows.offsets.end(), rows.offsets.begin());
  rows.indices.resize(static_cast<size_t>(rows.offsets.back()));
  // Column after column, the earlier columns of a row come first.
  std::vector<Index> sources(rows.indices.size());
  std::vector<Index> next(rows.offsets.begin(), rows.offsets.end() - 1);
  for (Index j = 0; j < n; ++j) {
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      const Index at = next[pattern.rows[k]]++;
      rows.indices[at] = j;
      sources[at] = k;
    }
  }
  for (Index j = 0; j < n; ++j) {
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      if (pattern.rows[k] == j) continue;
      const Index at = next[j]++;
      rows.indices[at] = pattern.rows[k];
      sources[at] = k;
    }
  }
  rows.blocks.resize(rows.indices.size());
  exec::parallel_for("multigrid.expand", static_cast<size_t>(n), [&](size_t row) {
    const auto i = static_cast<Index>(row);
    for (Index at = rows.offsets[i]; at < rows.offsets[i + 1]; ++at) {
      const Mat3& block = A.blocks[sources[at]];
      if (rows.indices[at] <= i) {
        rows.blocks[at] = block;
      } else {
        rows.blocks[at] = block.transpose();
      }
    }
  });
  return rows;
}

BlockMatrix select_rows(const BlockRows& A, const std::vector<Index>& selected) {
  std::vector<Index> place(static_cast<size_t>(A.rows()), kNone);
  for (size_t k = 0; k < selected.size(); ++k) place[selected[k]] = static_cast<Index>(k);
  BlockMatrix part;
  part.pattern.column_offsets = {0};
  for (const Index j : selected) {
    // Row j holds the transposed blocks of column j.
    for (Index k = A.offsets[j]; k < A.offsets[j + 1]; ++k) {
      const Index i = A.indices[k];
      if (i < j || place[i] == kNone) continue;
      part.pattern.rows.push_back(place[i]);
      part.blocks.push_back(A.blocks[k].transpose());
    }
    part.pattern.column_offsets.push_back(static_cast<Index>(part.pattern.rows.size()));
  }
  part.pattern.version = next_part_version();
  return part;
}

void multiply(const BlockRows& A, const VecX& x, VecX& y) {
  y.resize(3 * A.rows());
  exec::parallel_for("multigrid.multiply", static_cast<size_t>(A.rows()), [&](size_t row) {
    const auto i = static_cast<Index>(row);
    y.segment<3>(3 * i) = multiply_row(A, i, x);
  });
}

void subtract_product(const BlockRows& A, const VecX& x, const VecX& b, VecX& r) {
  r.resize(3 * A.rows());
  exec::parallel_for("multigrid.multiply", static_cast<size_t>(A.rows()), [&](size_t row) {
    const auto i = static_cast<Index>(row);
    r.segment<3>(3 * i) = b.segment<3>(3 * i) - multiply_row(A, i, x);
  });
}

double dot(const VecX& a, const VecX& b) {
  return exec::parallel_sum("linear.dot", static_cast<size_t>(a.size()),
                            [&](size_t i) { return a[static_cast<Index>(i)] * b[static_cast<Index>(i)]; });
}

BlockRows multiply(const BlockRows& A, const BlockRows& B) { return multiply(A, B, Part::All); }

BlockRows multiply_symmetric(const BlockRows& A, const BlockRows& B) {
  BlockRows upper = multiply(A, B, Part::Upper);
  // Its rows are the columns of the lower triangle.
  for (Mat3& block : upper.blocks) block.transposeInPlace();
  return expand_rows({{std::move(upper.offsets), std::move(upper.indices), 0}, std::move(upper.blocks)});
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

}  // namespace marrow
