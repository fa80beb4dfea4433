// Gives equal points the same number: an open-addressing hash table over exact coordinates.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace marrow {

class PointMerger {
 public:
  explicit PointMerger(size_t expected) { rebuild(std::bit_ceil(2 * expected + 16)); }

  // The number of this point, which is new if none equals it. Zero and minus zero are equal.
  Index add(const Vec3& p) {
    if (2 * (points_.size() + 1) > slots_.size()) rebuild(2 * slots_.size());
    const size_t mask = slots_.size() - 1;
    for (size_t slot = hash(p) & mask;; slot = (slot + 1) & mask) {
      Index& number = slots_[slot];
      if (number == kNone) {
        number = static_cast<Index>(points_.size());
        points_.push_back(p);
        return number;
      }
      if (points_[static_cast<size_t>(number)] == p) return number;
    }
  }

  Index count() const { return static_cast<Index>(points_.size()); }
  Points take() { return std::move(points_); }

 private:
  static size_t hash(const Vec3& p) {
    std::uint64_t h = 0;
    for (int i = 0; i < 3; ++i) {
      h ^= std::bit_cast<std::uint64_t>(p[i] + 0.0);  // minus zero becomes zero
      h *= 0x9E3779B97F4A7C15ULL;
      h ^= h >> 29;
    }
    return h ^ (h >> 32);
  }

  void rebuild(size_t slot_count) {
    slots_.assign(slot_count, kNone);
    const size_t mask = slot_count - 1;
    for (size_t i = 0; i < points_.size(); ++i) {
      size_t slot = hash(points_[i]) & mask;
      while (slots_[slot] != kNone) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<Index>(i);
    }
  }

  std::vector<Index> slots_;  // a power of two of them
  Points points_;
};

}  // namespace marrow
