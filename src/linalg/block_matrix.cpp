#include "linalg/block_matrix.h"

#include "exec/parallel.h"

namespace marrow {
namespace {

// The stored triangle only lists row nodes of a column; the other half of a product needs the reverse.
struct RowLists {
  std::uint64_t version = 0;
  std::vector<Index> offsets;  // node count + 1
  std::vector<Index> slots;    // blocks left of the diagonal, by row
  std::vector<Index> columns;
};

RowLists build_row_lists(const BlockPattern& pattern) {
  const Index n = pattern.node_count();
  RowLists lists;
  lists.version = pattern.version;
  lists.offsets.assign(static_cast<size_t>(n) + 1, 0);
  for (Index j = 0; j < n; ++j) {
    for (Index s = pattern.column_offsets[j]; s < pattern.column_offsets[j + 1]; ++s) {
      if (pattern.rows[s] != j) ++lists.offsets[pattern.rows[s] + 1];
    }
  }
  for (Index i = 0; i < n; ++i) lists.offsets[i + 1] += lists.offsets[i];
  lists.slots.resize(lists.offsets[n]);
  lists.columns.resize(lists.offsets[n]);
  std::vector<Index> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (Index j = 0; j < n; ++j) {
    for (Index s = pattern.column_offsets[j]; s < pattern.column_offsets[j + 1]; ++s) {
      if (pattern.rows[s] == j) continue;
      const Index at = next[pattern.rows[s]]++;
      lists.slots[at] = s;
      lists.columns[at] = j;
    }
  }
  return lists;
}

const RowLists& cached_row_lists(const BlockPattern& pattern) {
  thread_local RowLists lists;
  if (lists.version != pattern.version || pattern.version == 0) lists = build_row_lists(pattern);
  return lists;
}

}  // namespace

void multiply(const BlockMatrix& A, const VecX& x, VecX& y) {
  const BlockPattern& pattern = A.pattern;
  const RowLists& lists = cached_row_lists(pattern);
  y.resize(x.size());
  exec::parallel_for("linalg.multiply", pattern.node_count(), [&](size_t i) {
    Vec3 sum = Vec3::Zero();
    for (Index k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) {
      sum += A.blocks[lists.slots[k]] * x.segment<3>(3 * lists.columns[k]);
    }
    for (Index s = pattern.column_offsets[i]; s < pattern.column_offsets[i + 1]; ++s) {
      sum += A.blocks[s].transpose() * x.segment<3>(3 * pattern.rows[s]);
    }
    y.segment<3>(3 * static_cast<Index>(i)) = sum;
  });
}

MatX to_dense(const BlockMatrix& A) {
  const Index n = A.node_count();
  MatX dense = MatX::Zero(3 * n, 3 * n);
  for (Index j = 0; j < n; ++j) {
    for (Index s = A.pattern.column_offsets[j]; s < A.pattern.column_offsets[j + 1]; ++s) {
      const Index i = A.pattern.rows[s];
      dense.block<3, 3>(3 * i, 3 * j) = A.blocks[s];
      dense.block<3, 3>(3 * j, 3 * i) = A.blocks[s].transpose();
    }
  }
  return dense;
}

void eliminate_nodes(const std::vector<char>& is_eliminated, BlockMatrix& A) {
  const BlockPattern& pattern = A.pattern;
  exec::parallel_for("linalg.eliminate", pattern.node_count(), [&](size_t j) {
    for (Index s = pattern.column_offsets[j]; s < pattern.column_offsets[j + 1]; ++s) {
      const size_t i = static_cast<size_t>(pattern.rows[s]);
      if (!is_eliminated[i] && !is_eliminated[j]) continue;
      A.blocks[s] = i == j ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
    }
  });
}

}  // namespace marrow
