// Deterministic parallel assembly of element contributions into a gradient and a block matrix.
//
// A StencilGroup holds the contributions of one potential: a list of stencils (the nodes an element touches),
// and for each stencil its local gradient (one 3-vector per node) and local Hessian (the blocks (a, b), a <=
// b). Elements write their own slots in parallel. Every global entry then gathers its contributions in a
// fixed order, so the sums do not depend on threads. The gather lists are built once per set of stencils.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "linalg/block_matrix.h"

namespace marrow {

class StencilGroup {
 public:
  // offsets: stencil count + 1, into nodes. A node may occur twice in a stencil. The same stencils as before
  // cost nothing and leave the matrix's pattern as it is. splits: empty, or for each stencil how many of its
  // first nodes couple with the others and neither with themselves; 0: all couple with all.
  void set_stencils(std::vector<Index> offsets, std::vector<Index> nodes, Index node_count,
                    std::vector<Index> splits = {});

  size_t stencil_count() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::span<const Index> nodes_of(size_t stencil) const {
    return {nodes_.data() + offsets_[stencil], nodes_.data() + offsets_[stencil + 1]};
  }

  // The stencil's local gradient: one vector per node.
  std::span<Vec3> gradient_of(size_t stencil) {
    return {gradients.data() + offsets_[stencil], gradients.data() + offsets_[stencil + 1]};
  }
  // The stencil's local Hessian blocks (0,0), (0,1), …, (0,k), (1,1), …: row a, column b, a <= b. Of a split
  // stencil: (0,split), …, (0,k), (1,split), ….
  std::span<Mat3> blocks_of(size_t stencil) {
    return {blocks.data() + block_offsets_[stencil], blocks.data() + block_offsets_[stencil + 1]};
  }

  std::span<const Mat3> blocks_of(size_t stencil) const {
    return {blocks.data() + block_offsets_[stencil], blocks.data() + block_offsets_[stencil + 1]};
  }

  Index split_of(size_t stencil) const { return splits_.empty() ? 0 : splits_[stencil]; }
  // Calls visit(a, b, k) for every block of the stencil: its row, its column, and where it is among all.
  template <class Visit>
  void for_each_block(size_t stencil, const Visit& visit) const {
    const auto count = nodes_of(stencil).size(), split = static_cast<size_t>(split_of(stencil));
    auto k = static_cast<size_t>(block_offsets_[stencil]);
    for (size_t a = 0; a < (split > 0 ? split : count); ++a) {
      for (size_t b = std::max(a, split); b < count; ++b) visit(a, b, k++);
    }
  }

  // Adds all local gradients into g.
  void add_gradient(VecX& g) const;

  std::vector<Vec3> gradients;
  std::vector<Mat3> blocks;

 private:
  friend class BlockAssembler;

  void build_gradient_lists(Index node_count);
  void build_block_lists(Index node_count);
  template <class Visit>
  void visit_blocks(size_t stencil, const Visit& visit) const;
  size_t key_count() const { return rows_.size(); }
  // The distinct blocks of a column, which may be one beyond this group's nodes.
  std::array<Index, 2> keys_of(size_t column) const {
    if (column + 1 >= column_offsets_.size()) return {0, 0};
    return {column_offsets_[column], column_offsets_[column + 1]};
  }

  std::vector<Index> offsets_, nodes_, splits_, block_offsets_;
  // Gradient: for node i, entries node_sources_[node_offsets_[i] …].
  std::vector<Index> node_offsets_, node_sources_;
  // Hessian: the distinct blocks of column j are those from column_offsets_[j] on, by row. The k-th has row
  // rows_[k] and sources sources_[key_offsets_[k] …]; a source is 2·(index of a local block) + (1 if it must
  // be transposed).
  std::vector<Index> column_offsets_ = {0}, rows_, key_offsets_, sources_;
  std::uint64_t version_ = 0;
};

// Merges the patterns of several groups into one matrix and sums their blocks.
class BlockAssembler {
 public:
  // A = Σ groups. Reuses the merged pattern while no group has changed its stencils. Every node has a
  // diagonal block.
  void assemble(std::span<const StencilGroup* const> groups, Index node_count, BlockMatrix& A);

 private:
  bool is_current(std::span<const StencilGroup* const> groups, Index node_count, const BlockMatrix& A) const;
  void list_rows(std::span<const StencilGroup* const> groups, Index node_count, BlockPattern& pattern) const;
  void merge_patterns(std::span<const StencilGroup* const> groups, Index node_count, BlockMatrix& A);

  std::vector<std::uint64_t> versions_;
  std::vector<std::vector<Index>> slots_;  // per group: where its k-th block goes
  Index node_count_ = 0;
  std::uint64_t pattern_version_ = 0;  // of the matrix last filled
};

}  // namespace marrow
