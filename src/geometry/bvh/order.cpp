#include "geometry/bvh/order.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel.h"
#include "geometry/bvh/hilbert.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kPlaceBits = 31;  // the lower bits of a key: the place in ids
constexpr int kKeyBits = 33;    // the upper bits: the place on the curve
constexpr int kKeyLevels = 12;  // of the curve, of which a key holds eleven
constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t{1} << kDigitBits;
constexpr size_t kChunk = 16384;
constexpr size_t kFewKeys = 512;  // below this many, counting digits costs more than comparing
constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;

double centre(const Aabb& box, int k) { return 0.5 * box.lo[k] + 0.5 * box.hi[k]; }

// The box around all centres.
Aabb compute_bounds(std::span<const Index> ids, std::span<const Aabb> boxes) {
  const Aabb none{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  std::vector<Aabb> chunk_bounds((ids.size() + kChunk - 1) / kChunk, none);
  const auto bound_chunk = [&](size_t chunk) {
    Aabb bounds = none;
    for (size_t i = chunk * kChunk; i < std::min(ids.size(), (chunk + 1) * kChunk); ++i) {
      const Aabb& box = boxes[static_cast<size_t>(ids[i])];
      for (int k = 0; k < 3; ++k) {
        bounds.lo[k] = smaller(bounds.lo[k], centre(box, k));
        bounds.hi[k] = larger(bounds.hi[k], centre(box, k));
      }
    }
    chunk_bounds[chunk] = bounds;
  };
  exec::parallel_for("bvh.bounds", chunk_bounds.size(), bound_chunk, 1);
  Aabb all = none;
  for (const Aabb& bounds : chunk_bounds) all = merge(all, bounds);
  return all;
}

// Cells are cubes. Where all centres are one, or too far apart to subtract, any order will do.
struct Cells {
  double lo[3];
  double scale;

  explicit Cells(const Aabb& all) : lo{all.lo[0], all.lo[1], all.lo[2]} {
    const double extent = std::max({all.hi[0] - all.lo[0], all.hi[1] - all.lo[1], all.hi[2] - all.lo[2]});
    scale = static_cast<double>((1 << kHilbertBits) - 1) / extent;
    if (!std::isfinite(extent) || !std::isfinite(scale)) scale = 0;
  }

  std::uint64_t code(const Aabb& box, int levels) const {
    if (scale == 0) return 0;
    const auto cell = [&](int k) { return static_cast<std::uint32_t>((centre(box, k) - lo[k]) * scale); };
    return hilbert_code(cell(0), cell(1), cell(2), levels);
  }
};

}  // namespace

std::span<const Index> BvhOrder::compute(std::span<const Index> ids, std::span<const Aabb> boxes) {
  const Cells cells(compute_bounds(ids, boxes));
  keys_.resize(ids.size());
  spare_.resize(ids.size());
  const auto update_key = [&](size_t i) {
    const std::uint64_t code = cells.code(boxes[static_cast<size_t>(ids[i])], kKeyLevels);
    keys_[i] = code >> (3 * kKeyLevels - kKeyBits) << kPlaceBits | i;
  };
  exec::parallel_for("bvh.keys", ids.size(), update_key, kChunk / 4);
  // Keys end with their place, so they all differ and both sorts give the same order.
  if (keys_.size() <= kFewKeys) {
    std::sort(keys_.begin(), keys_.end());
  } else {
    for (int digit = 0; digit < 3; ++digit) sort_digit(kPlaceBits + digit * kDigitBits);
  }
  order_.resize(ids.size());
  const auto update_order = [&](size_t i) { order_[i] = ids[keys_[i] & kPlaceMask]; };
  exec::parallel_for("bvh.order", ids.size(), update_order, kChunk / 4);
  refine_runs([&](Index id) { return cells.code(boxes[static_cast<size_t>(id)], kHilbertBits); });
  return order_;
}

// A stable counting sort by the digit at this bit: count per chunk, sum up, scatter per chunk.
void BvhOrder::sort_digit(int shift) {
  const size_t count = keys_.size();
  const size_t chunks = (count + kChunk - 1) / kChunk;
  places_.assign(chunks * kDigits, 0);
  const auto for_each_key = [&](const char* name, const auto& visit) {
    const auto visit_chunk = [&](size_t chunk) {
      for (size_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk); ++i) {
        visit(keys_[i], places_[chunk * kDigits + (keys_[i] >> shift & (kDigits - 1))]);
      }
    };
    exec::parallel_for(name, chunks, visit_chunk, 1);
  };
  for_each_key("bvh.count", [](std::uint64_t, Index& number) { ++number; });
  Index sum = 0;
  for (size_t digit = 0; digit < kDigits; ++digit) {
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      const Index start = sum;
      sum += places_[chunk * kDigits + digit];
      places_[chunk * kDigits + digit] = start;
    }
  }
  for_each_key("bvh.scatter",
               [&](std::uint64_t key, Index& place) { spare_[static_cast<size_t>(place++)] = key; });
  keys_.swap(spare_);
}

// Many items in one coarse cell, as when one body is much larger than another, are sorted by the whole code.
template <class CodeOf>
void BvhOrder::refine_runs(const CodeOf& code_of) {
  constexpr size_t kFew = 8;
  for (size_t begin = 0; begin < keys_.size();) {
    size_t end = begin + 1;
    while (end < keys_.size() && keys_[end] >> kPlaceBits == keys_[begin] >> kPlaceBits) ++end;
    if (end - begin > kFew) {
      std::vector<std::pair<std::uint64_t, Index>> run;
      for (size_t i = begin; i < end; ++i) run.push_back({code_of(order_[i]), order_[i]});
      std::sort(run.begin(), run.end());
      for (size_t i = begin; i < end; ++i) order_[i] = run[i - begin].second;
    }
    begin = end;
  }
}

}  // namespace marrow
