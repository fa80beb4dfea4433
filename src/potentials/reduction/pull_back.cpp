#include "potentials/reduction/pull_back.h"

#include <algorithm>
#include <utility>

#include "core/macros.h"
#include "exec/parallel.h"
#include "potentials/reduction/pull_back_kernel.h"

namespace marrow {
namespace {

void append_sorted(std::vector<Index>& list, std::vector<Index>& all) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  all.insert(all.end(), list.begin(), list.end());
}

}  // namespace

PullBack::PullBack(const ScalarMatrix& W, std::vector<Index> groups, std::span<const Index> offsets,
                   std::span<const Index> nodes)
    : groups_(std::move(groups)), point_count_(W.rows()) {
  for (Index j = 0; j < group_count(); ++j) width_ = std::max(width_, node_count(j));
  padded_ = (width_ + 3) / 4 * 4;
  MARROW_ASSERT(padded_ <= 12);
  build_rows(W);
  build_partners(offsets, nodes);
}

// Splits the rows of W by group, and lists the points of each group.
void PullBack::build_rows(const ScalarMatrix& W) {
  std::vector<std::vector<Source>> lists(static_cast<size_t>(group_count()));
  std::vector<Index> group_of(static_cast<size_t>(W.columns));
  for (Index j = 0; j < group_count(); ++j)
    std::fill(group_of.begin() + groups_[j], group_of.begin() + groups_[j + 1], j);
  row_offsets_ = {0};
  for (Index p = 0; p < W.rows(); ++p) {
    for (Index k = W.offsets[p]; k < W.offsets[p + 1];) {
      const auto row = static_cast<Index>(row_groups_.size());
      const Index j = group_of[W.indices[k]], width = node_count(j);
      row_groups_.push_back(j);
      row_weights_.push_back(static_cast<Index>(weights_.size()));
      weights_.insert(weights_.end(), W.values.begin() + k, W.values.begin() + k + width);
      weights_.resize(weights_.size() + static_cast<size_t>(padded_ - width), 0.0);
      k += width;
      lists[static_cast<size_t>(row_groups_.back())].push_back({p, row});
    }
    row_offsets_.push_back(static_cast<Index>(row_groups_.size()));
  }
  source_offsets_ = {0};
  for (const std::vector<Source>& list : lists) {
    sources_.insert(sources_.end(), list.begin(), list.end());
    source_offsets_.push_back(static_cast<Index>(sources_.size()));
  }
}

void PullBack::build_partners(std::span<const Index> offsets, std::span<const Index> nodes) {
  std::vector<std::vector<Index>> partners(static_cast<size_t>(group_count()));
  for (Index j = 0; j < group_count(); ++j) partners[static_cast<size_t>(j)].push_back(j);
  std::vector<Index> groups, none;
  for (size_t e = 0; e + 1 < offsets.size(); ++e) {
    groups.clear();
    for (Index v = offsets[e]; v < offsets[e + 1]; ++v) {
      const Index p = nodes[static_cast<size_t>(v)];
      for (Index k = row_offsets_[p]; k < row_offsets_[p + 1]; ++k) groups.push_back(row_groups_[k]);
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const Index j : groups) {
      std::vector<Index>& list = partners[static_cast<size_t>(j)];
      for (const Index i : groups) {
        if (i < j) list.push_back(i);
      }
      // Most entries repeat those of neighbouring elements, so duplicates are removed from time to time.
      if (list.size() > 4096) append_sorted(list, none);
      none.clear();
    }
  }
  partner_offsets_ = {0};
  for (std::vector<Index>& list : partners) {
    append_sorted(list, partners_);
    partner_offsets_.push_back(static_cast<Index>(partners_.size()));
  }
}

// Completes every row of K, of which the lower triangle is stored.
void PullBack::build_neighbors(const BlockPattern& pattern) {
  std::vector<Index> counts(static_cast<size_t>(point_count_) + 1, 0);
  const auto visit = [&](const auto& put) {
    for (Index column = 0; column < pattern.node_count(); ++column) {
      for (Index k = pattern.column_offsets[column]; k < pattern.column_offsets[column + 1]; ++k) {
        put(pattern.rows[k], column, k);
      }
    }
  };
  visit([&](Index row, Index column, Index) {
    ++counts[static_cast<size_t>(column) + 1];
    if (row != column) ++counts[static_cast<size_t>(row) + 1];
  });
  for (size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  neighbor_offsets_ = counts;
  neighbors_.resize(static_cast<size_t>(counts.back()));
  place_.assign(pattern.rows.size(), kNone);
  mirror_.assign(pattern.rows.size(), kNone);
  visit([&](Index row, Index column, Index k) {
    // A stored block K(row, column) belongs to row `row`, and its transpose to row `column`.
    place_[k] = counts[static_cast<size_t>(row)]++;
    neighbors_[place_[k]] = column;
    if (row == column) return;
    mirror_[k] = counts[static_cast<size_t>(column)]++;
    neighbors_[mirror_[k]] = row;
  });
  blocks_.resize(neighbors_.size());
  version_ = pattern.version;
}

void PullBack::build_touched() {
  touched_.clear();
  touched_offsets_ = {0};
  std::vector<Index> list;
  for (Index j = 0; j < group_count(); ++j) {
    list.clear();
    for (Index k = source_offsets_[j]; k < source_offsets_[j + 1]; ++k) {
      const Index p = sources_[k].point;
      for (Index m = neighbor_offsets_[p]; m < neighbor_offsets_[p + 1]; ++m) list.push_back(neighbors_[m]);
    }
    append_sorted(list, touched_);
    touched_offsets_.push_back(static_cast<Index>(touched_.size()));
  }
}

void PullBack::set_matrix(const BlockMatrix& K) {
  if (neighbors_.empty() || version_ != K.pattern.version) {
    build_neighbors(K.pattern);
    build_touched();
  }
  exec::parallel_for(
      "reduced.rows", K.blocks.size(),
      [&](size_t k) {
        blocks_[place_[k]] = K.blocks[k];
        if (mirror_[k] != kNone) blocks_[mirror_[k]] = K.blocks[k].transpose();
      },
      1024);
}

void PullBack::add_up(Index j, std::vector<double>& sums) const {
  sums.assign(partners_of(j).size() * static_cast<size_t>(width_) * 9 * static_cast<size_t>(padded_), 0.0);
  // The weights of group j by point, and the position of every partner in its list.
  std::vector<Index> own(static_cast<size_t>(point_count_), kNone);
  for (Index k = source_offsets_[j]; k < source_offsets_[j + 1]; ++k) {
    own[sources_[k].point] = row_weights_[sources_[k].row];
  }
  std::vector<Index> place(static_cast<size_t>(j) + 1, kNone);
  const std::span<const Index> partners = partners_of(j);
  for (size_t s = 0; s < partners.size(); ++s) place[partners[s]] = static_cast<Index>(s);
  static_assert(sizeof(Mat3) == 9 * sizeof(double));
  const pull_back::Arguments arguments = {.points = touched_.data() + touched_offsets_[j],
                                          .point_count = touched_offsets_[j + 1] - touched_offsets_[j],
                                          .neighbors = {neighbor_offsets_.data(), neighbors_.data()},
                                          .blocks = blocks_.data()->data(),
                                          .own = own.data(),
                                          .rows = {row_offsets_.data(), row_weights_.data()},
                                          .groups = row_groups_.data(),
                                          .place = place.data(),
                                          .last = j,
                                          .weights = weights_.data(),
                                          .width = width_,
                                          .sums = sums.data()};
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  (has_avx2 ? pull_back::run_avx2 : pull_back::run_portable)(padded_ / 4, arguments);
}

// Entry k of block (a, b) stands at [a][pack of b][k][b within its pack].
void PullBack::unpack(const std::vector<double>& sums, size_t partner, std::span<Mat3> blocks) const {
  const auto width = static_cast<size_t>(width_), row = 9 * static_cast<size_t>(padded_);
  const double* from = sums.data() + partner * width * row;
  for (size_t a = 0; a < width; ++a, from += row) {
    for (size_t b = 0; b < width; ++b) {
      double* to = blocks[a * width + b].data();
      for (size_t k = 0; k < 9; ++k) to[k] = from[36 * (b / 4) + 4 * k + b % 4];
    }
  }
}

void PullBack::pull_vector(Index j, const VecX& f, std::span<Vec3> out) const {
  for (Vec3& v : out) v.setZero();
  for (Index k = source_offsets_[j]; k < source_offsets_[j + 1]; ++k) {
    const Vec3 value = f.segment<3>(3 * sources_[k].point);
    const double* w = weights_.data() + row_weights_[sources_[k].row];
    for (size_t a = 0; a < out.size(); ++a) out[a] += w[a] * value;
  }
}

}  // namespace marrow
