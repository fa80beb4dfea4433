#include "linalg/assembly.h"

#include <atomic>

#include "core/macros.h"
#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

std::uint64_t next_version() {
  static std::atomic<std::uint64_t> counter{0};
  return ++counter;
}

std::uint64_t make_key(Index row, Index column) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(column)) << 32) |
         static_cast<std::uint32_t>(row);
}

// A local block on its way into a column of the matrix.
struct Entry {
  Index row;
  Index source;
};

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
  block_offsets_.assign(1, 0);
  for (size_t e = 0; e < stencil_count(); ++e) {
    const Index k = offsets_[e + 1] - offsets_[e];
    const Index split = split_of(e);
    block_offsets_.push_back(block_offsets_.back() + (split > 0 ? split * (k - split) : k * (k + 1) / 2));
  }
  gradients.assign(nodes_.size(), Vec3::Zero());
  blocks.assign(static_cast<size_t>(block_offsets_.back()), Mat3::Zero());
  build_gradient_lists(node_count);
  build_block_lists(node_count);
  version_ = next_version();
}

void StencilGroup::build_gradient_lists(Index node_count) {
  node_offsets_.assign(static_cast<size_t>(node_count) + 1, 0);
  for (const Index node : nodes_) ++node_offsets_[node + 1];
  for (Index i = 0; i < node_count; ++i) node_offsets_[i + 1] += node_offsets_[i];
  node_sources_.resize(nodes_.size());
  std::vector<Index> next(node_offsets_.begin(), node_offsets_.end() - 1);
  for (size_t k = 0; k < nodes_.size(); ++k) node_sources_[next[nodes_[k]]++] = static_cast<Index>(k);
}

// Calls visit(row, column, source) for every local block; twice for an off-diagonal one whose two nodes are
// the same.
template <class Visit>
void StencilGroup::visit_blocks(const Visit& visit) const {
  for (size_t e = 0; e < stencil_count(); ++e) {
    const std::span<const Index> nodes = nodes_of(e);
    for_each_block(e, [&](size_t a, size_t b, size_t k) {
      const auto block = static_cast<Index>(k);
      const bool is_below = nodes[a] >= nodes[b];
      const Index row = is_below ? nodes[a] : nodes[b];
      const Index column = is_below ? nodes[b] : nodes[a];
      visit(row, column, 2 * block + (is_below ? 0 : 1));
      if (a != b && nodes[a] == nodes[b]) visit(row, column, 2 * block + 1);
    });
  }
}

void StencilGroup::build_block_lists(Index node_count) {
  // Into columns by counting, then each short column by row. Sources stay ascending within a block.
  std::vector<Index> starts(static_cast<size_t>(node_count) + 1, 0);
  visit_blocks([&](Index, Index column, Index) { ++starts[column + 1]; });
  for (Index i = 0; i < node_count; ++i) starts[i + 1] += starts[i];
  std::vector<Entry> entries(static_cast<size_t>(starts[node_count]));
  std::vector<Index> next(starts.begin(), starts.end() - 1);
  visit_blocks([&](Index row, Index column, Index source) { entries[next[column]++] = {row, source}; });
  exec::parallel_for("assembly.sort", static_cast<size_t>(node_count), [&](size_t j) {
    std::stable_sort(entries.begin() + starts[j], entries.begin() + starts[j + 1],
                     [](const Entry& x, const Entry& y) { return x.row < y.row; });
  });

  keys_.clear();
  key_offsets_.clear();
  sources_.resize(entries.size());
  for (Index j = 0; j < node_count; ++j) {
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      if (k == starts[j] || entries[k].row != entries[k - 1].row) {
        keys_.push_back(make_key(entries[k].row, j));
        key_offsets_.push_back(k);
      }
      sources_[k] = entries[k].source;
    }
  }
  key_offsets_.push_back(static_cast<Index>(entries.size()));
}

void StencilGroup::add_gradient(VecX& g) const {
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

void BlockAssembler::merge_patterns(std::span<const StencilGroup* const> groups, Index node_count,
                                    BlockMatrix& A) {
  // Every diagonal block, and every block of a group.
  std::vector<std::uint64_t> keys(static_cast<size_t>(node_count));
  for (Index i = 0; i < node_count; ++i) keys[i] = make_key(i, i);
  std::vector<std::uint64_t> merged;
  for (const StencilGroup* group : groups) {
    merged.clear();
    merged.reserve(keys.size() + group->keys_.size());
    std::set_union(keys.begin(), keys.end(), group->keys_.begin(), group->keys_.end(),
                   std::back_inserter(merged));
    keys.swap(merged);
  }

  // The same blocks as before keep their version, so that solvers keep their analysis.
  BlockPattern pattern;
  pattern.column_offsets.assign(static_cast<size_t>(node_count) + 1, 0);
  pattern.rows.resize(keys.size());
  for (size_t k = 0; k < keys.size(); ++k) {
    ++pattern.column_offsets[(keys[k] >> 32) + 1];
    pattern.rows[k] = static_cast<Index>(keys[k] & 0xffffffffu);
  }
  for (Index i = 0; i < node_count; ++i) pattern.column_offsets[i + 1] += pattern.column_offsets[i];
  const bool is_same = pattern.column_offsets == A.pattern.column_offsets && pattern.rows == A.pattern.rows &&
                       A.pattern.version != 0;
  pattern.version = is_same ? A.pattern.version : next_version();
  A.pattern = std::move(pattern);

  // Where each group's blocks lie in the merged list: both are sorted.
  slots_.assign(groups.size(), {});
  versions_.clear();
  for (size_t g = 0; g < groups.size(); ++g) {
    size_t at = 0;
    slots_[g].reserve(groups[g]->keys_.size());
    for (const std::uint64_t key : groups[g]->keys_) {
      while (keys[at] != key) ++at;
      slots_[g].push_back(static_cast<Index>(at));
    }
    versions_.push_back(groups[g]->version_);
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
    exec::parallel_for("assembly.blocks", group.keys_.size(), [&](size_t k) {
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
