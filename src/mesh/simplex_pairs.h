// A set of pairs of simplices (points, edges, triangles), by their vertices in any order.
//
// Medial bodies use it for the primitives of theirs that overlap at rest: those are never kept apart, and the
// witness does not look at them either.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>
#include <vector>

#include "core/types.h"

namespace marrow {

class SimplexPairs {
 public:
  void insert(std::span<const Index> a, std::span<const Index> b) { pairs_.insert(make_key(a, b)); }
  bool contains(std::span<const Index> a, std::span<const Index> b) const {
    return !pairs_.empty() && pairs_.count(make_key(a, b)) > 0;
  }
  bool empty() const { return pairs_.empty(); }
  size_t size() const { return pairs_.size(); }

  // The same pairs with points by other numbers; pairs with a point that has none are left out.
  SimplexPairs renumbered(std::span<const Index> number) const {
    SimplexPairs result;
    for (Key key : pairs_) {
      bool is_whole = true;
      for (Index& i : key) {
        if (i == kNone) continue;
        i = number[static_cast<size_t>(i)];
        is_whole = is_whole && i != kNone;
      }
      if (is_whole) result.pairs_.insert(sort_key(key));
    }
    return result;
  }

  // Adds the pairs of a list whose points are numbered from first on.
  void merge(const SimplexPairs& other, Index first) {
    for (Key key : other.pairs_) {
      for (Index& i : key) i = i == kNone ? kNone : i + first;
      pairs_.insert(key);
    }
  }

 private:
  using Key =
      std::array<Index, 6>;  // the vertices of the one, then of the other, kNone where there are fewer
  struct Hash {
    size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      for (const Index i : key) {
        hash = (hash ^ static_cast<std::uint64_t>(static_cast<std::uint32_t>(i))) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
      return static_cast<size_t>(hash);
    }
  };

  static Key sort_key(Key key) {
    std::sort(key.begin(), key.begin() + 3);
    std::sort(key.begin() + 3, key.end());
    if (std::lexicographical_compare(key.begin() + 3, key.end(), key.begin(), key.begin() + 3)) {
      std::swap_ranges(key.begin(), key.begin() + 3, key.begin() + 3);
    }
    return key;
  }
  static Key make_key(std::span<const Index> a, std::span<const Index> b) {
    Key key;
    key.fill(kNone);
    std::copy(a.begin(), a.end(), key.begin());
    std::copy(b.begin(), b.end(), key.begin() + 3);
    return sort_key(key);
  }

  std::unordered_set<Key, Hash> pairs_;
};

}  // namespace marrow
