// The point of every node tag of a Gmsh file, whose tags may be any positive numbers in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/types.h"

namespace marrow {

class NodeTags {
 public:
  // The tag of the next point.
  void add(std::int64_t tag) { tags_.push_back(tag); }

  // Makes find ready. Returns a tag that occurs twice, if there is one.
  std::optional<std::int64_t> build() {
    if (tags_.empty()) return std::nullopt;
    const auto [low, high] = std::minmax_element(tags_.begin(), tags_.end());
    lowest_ = *low;
    highest_ = *high;
    const auto span = static_cast<std::uint64_t>(highest_ - lowest_);
    return span < 4 * static_cast<std::uint64_t>(tags_.size()) + 1024 ? build_table() : build_sorted();
  }

  // kNone if there is no such tag.
  Index find(std::int64_t tag) const {
    if (tags_.empty() || tag < lowest_ || tag > highest_) return kNone;
    if (!table_.empty()) return table_[static_cast<size_t>(tag - lowest_)];
    const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(tag, Index{0}));
    return found != sorted_.end() && found->first == tag ? found->second : kNone;
  }

  size_t size() const { return tags_.size(); }
  std::int64_t lowest() const { return lowest_; }
  std::int64_t highest() const { return highest_; }

 private:
  // Dense tags: one entry each.
  std::optional<std::int64_t> build_table() {
    table_.assign(static_cast<size_t>(highest_ - lowest_) + 1, kNone);
    for (size_t i = 0; i < tags_.size(); ++i) {
      Index& entry = table_[static_cast<size_t>(tags_[i] - lowest_)];
      if (entry != kNone) return tags_[i];
      entry = static_cast<Index>(i);
    }
    return std::nullopt;
  }

  // Sparse tags: binary search.
  std::optional<std::int64_t> build_sorted() {
    sorted_.resize(tags_.size());
    for (size_t i = 0; i < tags_.size(); ++i) sorted_[i] = {tags_[i], static_cast<Index>(i)};
    std::sort(sorted_.begin(), sorted_.end());
    for (size_t i = 1; i < sorted_.size(); ++i) {
      if (sorted_[i].first == sorted_[i - 1].first) return sorted_[i].first;
    }
    return std::nullopt;
  }

  std::vector<std::int64_t> tags_;
  std::vector<Index> table_;
  std::vector<std::pair<std::int64_t, Index>> sorted_;
  std::int64_t lowest_ = 0;
  std::int64_t highest_ = 0;
};

}  // namespace marrow
