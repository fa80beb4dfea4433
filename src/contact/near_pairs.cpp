#include "contact/near_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "contact/kept_gap.h"
#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// None of these changes results. [speed only]
struct NearPairsHeuristics {
  size_t free_block = 64;       // consecutive pairs of points of no group in a block
  size_t largest_block = 2048;  // pairs of a list
  // Pairs are near up to this much beyond the activation distance: in units of it, and of the path's motion.
  double least_margin = 0.1;
  double path_margin = 2;
  // A block is measured again if a margin of this fraction would do.
  double smaller_margin = 0.25;
  // As many pairs are measured in the time of one collision query.
  std::uint32_t pairs_per_query = 4;
  // Beyond this motion, in units of the activation distance, nothing is left out.
  double far = 16;
  size_t grain = 16;  // blocks worth a task
};
constexpr NearPairsHeuristics kNearPairs;

constexpr double kUnit = 0x1p-53;  // u [derived: rounding of a number]
// Relative, of sums of a few lengths, square roots included. [derived: docs/models/contact.md, Rounding]
constexpr double kUp = 1 + 32 * kUnit, kDown = 1 - 32 * kUnit;
// Of a computed distance, in units of u times the size of a block. [derived: docs/models/contact.md,
// Rounding]
constexpr double kDistance = 256 * kUnit;
// The fraction of a block's least gap that a path may take: less than what pairs need not keep.
constexpr double kSpent = 0.8;  // [derived: below 1 − KeptGap::share, with room for rounding]
static_assert(kSpent < 1 - kKeptGap.share);

struct Range {
  Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Array3d high = Eigen::Array3d::Constant(-std::numeric_limits<double>::infinity());

  void extend(const Vec3& d) {
    low = low.min(d.array());
    high = high.max(d.array());
  }
};

// The largest distance of a point of one box from a point of the other. A displacement has lost at most a
// unit of itself, which is more than a unit of the difference if both sides move together.
double measure_apart(const Range& a, const Range& b) {
  const double lost = 4 * kUnit * (a.low.abs().max(a.high.abs()) + b.low.abs().max(b.high.abs())).sum();
  return kUp * ((a.high - b.low).max(b.high - a.low).max(0.0).matrix().norm() + lost);
}

std::array<const std::vector<PairStencil>*, 4> lists_of(const PairStencils& pairs) {
  return {&pairs.edge_edge, &pairs.vertex_face, &pairs.vertex_edge, &pairs.vertex_vertex};
}

std::array<std::vector<PairStencil>*, 4> lists_of(PairStencils& pairs) {
  return {&pairs.edge_edge, &pairs.vertex_face, &pairs.vertex_edge, &pairs.vertex_vertex};
}

constexpr size_t front_of(size_t list) { return list == 0 ? 2 : 1; }

// A gap that is certainly not above that of the pair, from such a number f for its squared medial distance:
// f = g (g + 2ρ) at the closest points, and ρ is at most the sum of the largest radii.
double bound_gap(double f, double rho) {
  return f > 0 ? kDown * f / (kUp * (std::sqrt(rho * rho + f) + rho)) : 0;
}

double compute_largest_radius_sum(const PairStencil& pair, size_t front, std::span<const double> radii) {
  if (radii.empty()) return 0;
  double a = 0, b = 0;
  for (size_t i = 0; i < 4; ++i) (i < front ? a : b) = std::max(i < front ? a : b, radii[pair[i]]);
  return a + b;
}

}  // namespace

std::uint32_t NearPairs::Block::pair_count() const {
  std::uint32_t count = 0;
  for (const Run& run : runs) count += run.end - run.begin;
  return count;
}

std::uint32_t NearPairs::Block::near_count() const {
  std::uint32_t count = 0;
  for (const std::uint32_t k : near) count += k;
  return count;
}

void NearPairs::set_pairs(const PairStencils& pairs) {
  pairs_ = &pairs;
  blocks_.clear();
  points_.clear();
  const auto lists = lists_of(pairs);
  for (size_t list = 0; list < kLists; ++list) add_runs(list, *lists[list]);
  std::fill(stamps_.begin(), stamps_.end(), 0);
  for (Block& block : blocks_) list_points(block);
  reference_.resize(points_.size());
}

void NearPairs::add_runs(size_t list, const std::vector<PairStencil>& pairs) {
  order_[list].clear();
  near_[list].resize(pairs.size());
  const auto group_of = [&](Index point) {
    return group_of_point_.empty() ? kNone : group_of_point_[static_cast<size_t>(point)];
  };
  // The blocks of the earlier lists by their two groups.
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  const auto key_of = [&](const PairStencil& pair, size_t front) {
    const auto [a, b] = std::minmax(group_of(pair[0]), group_of(pair[front]));
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32 | static_cast<std::uint32_t>(b);
  };
  constexpr std::uint64_t kFree = ~std::uint64_t{0};  // both are kNone [mark]
  for (std::uint32_t b = 0; b < blocks_.size() && list > 0; ++b) {
    for (size_t l = 0; l < list; ++l) {
      const Run run = blocks_[b].runs[l];
      if (run.begin == run.end) continue;
      known.emplace(key_of((*lists_of(*pairs_)[l])[run.begin], front_of(l)), b);
      break;
    }
  }
  std::uint64_t last = 0;
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const std::uint64_t key = key_of(pairs[k], front_of(list));
    const bool goes_on = k > 0 && key == last;
    if (goes_on) {
      Run& run = blocks_[order_[list].back()].runs[list];
      if (run.end - run.begin < (key == kFree ? kNearPairs.free_block : kNearPairs.largest_block)) {
        ++run.end;
        continue;
      }
    }
    last = key;
    const auto found = key == kFree || goes_on ? known.end() : known.find(key);
    auto number = static_cast<std::uint32_t>(blocks_.size());
    if (found != known.end() && blocks_[found->second].runs[list].end == 0) {
      number = found->second;
    } else {
      blocks_.emplace_back();
    }
    blocks_[number].runs[list] = {k, k + 1};
    order_[list].push_back(number);
  }
}

// Lists the points of both sides, each once. If the sides are different groups, a point is on the side of its
// group; else it is on the side of its simplex, and may be on both.
void NearPairs::list_points(Block& block) {
  const auto lists = lists_of(*pairs_);
  if (stamps_.empty()) {
    Index largest = 0;
    for (const auto* list : lists) {
      for (const PairStencil& pair : *list)
        largest = std::max(largest, *std::max_element(pair.begin(), pair.end()));
    }
    stamps_.resize(static_cast<size_t>(largest) + 1, 0);
  }
  const auto number = static_cast<std::uint32_t>(&block - blocks_.data());
  Index first_group = kNone;
  bool has_first = false, is_by_group = false;
  block.first = static_cast<std::uint32_t>(points_.size());
  for (const int side : {0, 1}) {
    if (side == 1) block.second = static_cast<std::uint32_t>(points_.size());
    const std::uint32_t stamp = 2 * number + 1 + static_cast<std::uint32_t>(side);
    for (size_t list = 0; list < kLists; ++list) {
      for (std::uint32_t k = block.runs[list].begin; k < block.runs[list].end; ++k) {
        const PairStencil& pair = (*lists[list])[k];
        const auto group = [&](size_t i) {
          return group_of_point_.empty() ? kNone : group_of_point_[static_cast<size_t>(pair[i])];
        };
        if (!has_first) {
          has_first = true;
          first_group = group(0);
          is_by_group = first_group != group(front_of(list));
        }
        const bool is_front = (side == 0) == (!is_by_group || group(0) == first_group);
        const size_t begin = is_front ? 0 : front_of(list), end = is_front ? front_of(list) : 4;
        for (size_t i = begin; i < end; ++i) {
          const auto point = static_cast<size_t>(pair[i]);
          if (point >= stamps_.size()) stamps_.resize(point + 1, 0);
          if (stamps_[point] == stamp) continue;
          stamps_[point] = stamp;
          points_.push_back(pair[i]);
        }
      }
    }
  }
  block.last = static_cast<std::uint32_t>(points_.size());
}

NearPairs::Motion NearPairs::measure_motion(const Block& block, const MovingPoints& points,
                                            std::span<const double> grown) const {
  const bool is_still = points.x0.data() == points.x1.data();
  std::array<Range, 2> start, anywhere, path;
  std::array<double, 2> bow = {0, 0};
  for (std::uint32_t k = block.first; k < block.last; ++k) {
    const int side = k < block.second ? 0 : 1;
    const auto point = static_cast<size_t>(points_[k]);
    const Vec3 d = points.x0[point] - reference_[k];
    start[side].extend(d);
    if (is_still) continue;
    anywhere[side].extend(points.x1[point] - reference_[k]);
    path[side].extend(points.x1[point] - points.x0[point]);
    if (grown.empty()) continue;
    const double r = points.radii.empty() ? 0 : points.radii[point];
    // The difference loses at most a unit of the larger number.
    bow[side] = std::max(bow[side], grown[point] - r + 4 * kUnit * grown[point]);
  }
  Motion motion;
  motion.at_start = measure_apart(start[0], start[1]);
  motion.anywhere = motion.at_start;
  if (is_still) return motion;
  for (const int side : {0, 1}) {
    anywhere[side].low = anywhere[side].low.min(start[side].low);
    anywhere[side].high = anywhere[side].high.max(start[side].high);
    path[side].extend(Vec3::Zero());
  }
  const double bows = kUp * (bow[0] + bow[1]);
  motion.anywhere = kUp * (measure_apart(anywhere[0], anywhere[1]) + bows);
  motion.on_path = kUp * (measure_apart(path[0], path[1]) + bows);
  return motion;
}

// Bounds the gaps of a block's pairs at x, and chooses those that are near.
void NearPairs::measure(Block& block, std::span<const Vec3> x, double margin) {
  constexpr size_t kChunk = 256;  // [speed only]
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::array<double, kChunk> f;
  double largest_radius_sum = 0;
  block.margin = margin;
  block.rest = block.least = kInfinity;
  const auto lists = lists_of(*pairs_);
  for (size_t list = 0; list < kLists; ++list) {
    const Run run = block.runs[list];
    std::uint32_t count = 0;
    const PairKind kind = list == 0 ? PairKind::EdgeEdge : PairKind::PointTriangle;
    for (size_t begin = run.begin; begin < run.end; begin += kChunk) {
      const std::span<const PairStencil> part =
          std::span(*lists[list]).subspan(begin, std::min<size_t>(kChunk, run.end - begin));
      bound_squared_gaps(kind, part, x, radii_, std::span(f).first(part.size()));
      for (size_t k = 0; k < part.size(); ++k) {
        const double rho = compute_largest_radius_sum(part[k], front_of(list), radii_);
        const double gap = bound_gap(f[k], rho);
        largest_radius_sum = std::max(largest_radius_sum, rho);
        block.least = std::min(block.least, gap);
        if (gap < activation_ + margin) {
          near_[list][run.begin + count++] = static_cast<std::uint32_t>(begin + k);
        } else {
          block.rest = std::min(block.rest, gap);
        }
      }
    }
    block.near[list] = count;
  }
  Range box;
  for (std::uint32_t k = block.first; k < block.last; ++k) {
    reference_[k] = x[static_cast<size_t>(points_[k])];
    box.extend(reference_[k]);
  }
  block.rounding = kDistance * ((box.high - box.low).sum() + largest_radius_sum);
  block.is_measured = true;
}

// Decides which pairs of a block may come near on the path, and measures it first if that is worth it.
void NearPairs::update(Block& block, const MovingPoints& points, std::span<const double> grown,
                       bool is_limit) {
  block.is_free = false;
  if (!block.is_measured) {
    for (std::uint32_t k = block.first; k < block.last; ++k) {
      reference_[k] = points.x0[static_cast<size_t>(points_[k])];
    }
  }
  Motion motion = measure_motion(block, points, grown);
  const auto is_apart = [&] { return kUp * (activation_ + motion.anywhere + block.rounding) <= block.rest; };
  const auto is_free = [&] { return motion.on_path <= kSpent * (kDown * block.least - motion.at_start); };
  if (block.is_measured && is_limit && is_free()) {
    block.is_free = true;
    return;
  }
  if (motion.on_path > kNearPairs.far * activation_) {  // all pairs
    block.is_measured = false;
    return;
  }
  const double margin = kNearPairs.path_margin * motion.on_path + kNearPairs.least_margin * activation_;
  const bool is_worth_it =
      is_limit &&
      (margin < kNearPairs.smaller_margin * block.margin || motion.on_path <= kSpent * block.least) &&
      kNearPairs.pairs_per_query * block.near_count() > block.pair_count();
  if (block.is_measured && is_apart() && !is_worth_it) return;
  measure(block, points.x0, margin);
  motion.anywhere = motion.on_path;
  motion.at_start = 0;
  block.is_free = is_limit && is_free();
  if (!is_apart()) block.is_measured = false;
}

const PairStencils& NearPairs::select(const MovingPoints& points, std::span<const double> grown,
                                      bool is_limit) {
  const trace::Scope scope("contact.near");
  exec::parallel_for(
      "contact.blocks", blocks_.size(), [&](size_t b) { update(blocks_[b], points, grown, is_limit); },
      kNearPairs.grain);
  const auto from = lists_of(*pairs_);
  const auto to = lists_of(selected_);
  for (size_t list = 0; list < kLists; ++list) {
    to[list]->clear();
    for (const std::uint32_t b : order_[list]) {
      const Block& block = blocks_[b];
      if (block.is_free) continue;
      const Run run = block.runs[list];
      if (!block.is_measured) {
        to[list]->insert(to[list]->end(), from[list]->begin() + run.begin, from[list]->begin() + run.end);
        continue;
      }
      for (std::uint32_t k = 0; k < block.near[list]; ++k) {
        to[list]->push_back((*from[list])[near_[list][run.begin + k]]);
      }
    }
  }
  return selected_;
}

}  // namespace marrow
