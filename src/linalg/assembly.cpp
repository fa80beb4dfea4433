#include "linalg/assembly.h"

#include <atomic>

#include "core/macros.h"
#include "core/trace.h"
#include "exec/buckets.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

// A local block on its way into a column of the matrix.
struct Entry {
  Index row;
  Index source;
};

void sum_up(std::vector<Index>& counts) {
  for (size_t k = 1; k < counts.size(); ++k) counts[k] += counts[k - 1];
}

}  // namespace

void StencilGroup::set_stencils(std::vector<Index> offsets, std::vector<Index> nodes, Index node_count,
                                std::vector<Index> splits) {
  const trace::Scope scope("assembly.pattern");
  const bool is_same = version_ != 0 && node_offsets_.size() == static_cast<size_t>(node_count) + 1 &&
                       offsets == offsets_ && nodes == nodes_ && splits == splits_;
  if (is_same) return;
  offsets_ = std::move(offsets);
  nodes_ = std::move(nodes);
  splits_ = std::move(splits);
  block_offsets_.resize(stencil_count() + 1);
  block_offsets_[0] = 0;
  for (size_t e = 0; e < stencil_count(); ++e) {
    const Index k = offsets_[e + 1] - offsets_[e];
    const Index split = split_of(e);
    block_offsets_[e + 1] = block_offsets_[e] + (split > 0 ? split * (k - split) : k * (k + 1) / 2);
  }
  gradients.resize(nodes_.size());
  blocks.resize(static_cast<size_t>(block_offsets_.back()));
  exec::parallel_for(
      "assembly.clear_gradients", gradients.size(), [&](size_t k) { gradients[k].setZero(); }, 4096);
  exec::parallel_for(
      "assembly.clear_blocks", blocks.size(), [&](size_t k) { blocks[k].setZero(); }, 4096);
  build_gradient_lists(node_count);
  build_block_lists(node_count);
  version_ = next_version();
}

void StencilGroup::build_gradient_lists(Index node_count) {
  exec::Buckets<Index> sorted = {std::move(node_offsets_), std::move(node_sources_)};
  exec::parallel_buckets(
      "assembly.nodes", nodes_.size(), static_cast<size_t>(node_count),
      [&](size_t k, const auto& emit) { emit(nodes_[k], static_cast<Index>(k)); }, sorted);
  node_offsets_ = std::move(sorted.offsets);
  node_sources_ = std::move(sorted.items);
}

// Calls visit(row, column, source) for every local block of a stencil; twice for an off-diagonal one whose
// two nodes are the same.
template <class Visit>
void StencilGroup::visit_blocks(size_t stencil, const Visit& visit) const {
  const std::span<const Index> nodes = nodes_of(stencil);
  for_each_block(stencil, [&](size_t a, size_t b, size_t k) {
    const auto block = static_cast<Index>(k);
    const bool is_below = nodes[a] >= nodes[b];
    const Index row = is_below ? nodes[a] : nodes[b];
    const Index column = is_below ? nodes[b] : nodes[a];
    visit(row, column, 2 * block + (is_below ? 0 : 1));
    if (a != b && nodes[a] == nodes[b]) visit(row, column, 2 * block + 1);
  });
}

void StencilGroup::build_block_lists(Index node_count) {
  // Into columns by counting, then each short column by row. Sources stay ascending within a block.
  exec::Buckets<Entry> sorted;
  exec::parallel_buckets(
      "assembly.columns", stencil_count(), static_cast<size_t>(node_count),
      [&](size_t e, const auto& emit) {
        visit_blocks(e, [&](Index row, Index column, Index source) { emit(column, Entry{row, source}); });
      },
      sorted);
  std::vector<Entry>& entries = sorted.items;
  const std::vector<Index>& starts = sorted.offsets;
  column_offsets_.assign(static_cast<size_t>(node_count) + 1, 0);
  exec::parallel_for("assembly.sort", static_cast<size_t>(node_count), [&](size_t j) {
    std::stable_sort(entries.begin() + starts[j], entries.begin() + starts[j + 1],
                     [](const Entry& x, const Entry& y) { return x.row < y.row; });
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (k == starts[j] || entries[k].row != entries[k - 1].row) ++column_offsets_[j + 1];
    }
  });
  sum_up(column_offsets_);
  rows_.resize(static_cast<size_t>(column_offsets_.back()));
  key_offsets_.resize(rows_.size() + 1);
  sources_.resize(entries.size());
  exec::parallel_for("assembly.keys", static_cast<size_t>(node_count), [&](size_t j) {
    Index at = column_offsets_[j];
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (k == starts[j] || entries[k].row != entries[k - 1].row) {
        rows_[at] = entries[k].row;
        key_offsets_[at++] = k;
      }
      sources_[k] = entries[k].source;
    }
  });
  key_offsets_.back() = static_cast<Index>(entries.size());
}

void StencilGroup::add_gradient(VecX& g) const {
  if (node_offsets_.empty()) return;  // no stencils were ever set
  exec::parallel_for("assembly.gradient", node_offsets_.size() - 1, [&](size_t i) {
    Vec3 sum = Vec3::Zero();
    for (Index k = node_offsets_[i]; k < node_offsets_[i + 1]; ++k) sum += gradients[node_sources_[k]];
    g.segment<3>(3 * static_cast<Index>(i)) += sum;
  });
}

bool BlockAssembler::is_current(std::span<const StencilGroup* const> groups, Index node_count,
                                const BlockMatrix& A) const {
  if (node_count != node_count_ || versions_.size() != groups.size()) return false;
  if (A.pattern.version != pattern_version_) return false;  // another assembler has filled it since
  for (size_t g = 0; g < groups.size(); ++g) {
    if (versions_[g] != groups[g]->version_) return false;
  }
  return true;
}

// Every diagonal block, and every block of a group.
void BlockAssembler::list_rows(std::span<const StencilGroup* const> groups, Index node_count,
                               BlockPattern& pattern) const {
  const auto collect = [&](size_t j, std::vector<Index>& rows) {
    rows.assign(1, static_cast<Index>(j));
    for (const StencilGroup* group : groups) {
      const auto [begin, end] = group->keys_of(j);
      rows.insert(rows.end(), group->rows_.begin() + begin, group->rows_.begin() + end);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  };
  pattern.column_offsets.assign(static_cast<size_t>(node_count) + 1, 0);
  exec::parallel_for("assembly.count_rows", static_cast<size_t>(node_count), [&](size_t j) {
    thread_local std::vector<Index> rows;
    collect(j, rows);
    pattern.column_offsets[j + 1] = static_cast<Index>(rows.size());
  });
  sum_up(pattern.column_offsets);
  pattern.rows.resize(static_cast<size_t>(pattern.column_offsets.back()));
  exec::parallel_for("assembly.rows", static_cast<size_t>(node_count), [&](size_t j) {
    thread_local std::vector<Index> rows;
    collect(j, rows);
    std::copy(rows.begin(), rows.end(), pattern.rows.begin() + pattern.column_offsets[j]);
  });
}

void BlockAssembler::merge_patterns(std::span<const StencilGroup* const> groups, Index node_count,
                                    BlockMatrix& A) {
  // The same blocks as before keep their version, so that solvers keep their analysis.
  BlockPattern pattern;
  list_rows(groups, node_count, pattern);
  const bool is_same = pattern.column_offsets == A.pattern.column_offsets && pattern.rows == A.pattern.rows &&
                       A.pattern.version != 0;
  pattern.version = is_same ? A.pattern.version : next_version();
  A.pattern = std::move(pattern);

  // Where each group's blocks lie in the merged columns: both are sorted.
  slots_.resize(groups.size());
  versions_.clear();
  for (size_t g = 0; g < groups.size(); ++g) {
    const StencilGroup& group = *groups[g];
    slots_[g].resize(group.key_count());
    exec::parallel_for("assembly.slots", static_cast<size_t>(node_count), [&](size_t j) {
      Index at = A.pattern.column_offsets[j];
      const auto [begin, end] = group.keys_of(j);
      for (Index k = begin; k < end; ++k) {
        while (A.pattern.rows[at] != group.rows_[k]) ++at;
        slots_[g][k] = at;
      }
    });
    versions_.push_back(group.version_);
  }
  node_count_ = node_count;
  pattern_version_ = A.pattern.version;
}

void BlockAssembler::assemble(std::span<const StencilGroup* const> groups, Index node_count, BlockMatrix& A) {
  const trace::Scope scope("assembly.total");
  if (!is_current(groups, node_count, A)) merge_patterns(groups, node_count, A);
  MARROW_ASSERT(A.node_count() == node_count);
  A.blocks.resize(A.pattern.block_count());
  exec::parallel_for(
      "assembly.clear", A.blocks.size(), [&](size_t k) { A.blocks[k].setZero(); }, 4096);
  for (size_t g = 0; g < groups.size(); ++g) {
    const StencilGroup& group = *groups[g];
    exec::parallel_for("assembly.blocks", group.key_count(), [&](size_t k) {
      Mat3 sum = Mat3::Zero();
      for (Index s = group.key_offsets_[k]; s < group.key_offsets_[k + 1]; ++s) {
        const Mat3& block = group.blocks[group.sources_[s] >> 1];
        if (group.sources_[s] & 1) {
          sum += block.transpose();
        } else {
          sum += block;
        }
      }
      A.blocks[slots_[g][k]] += sum;
    });
  }
}

}  // namespace marrow
