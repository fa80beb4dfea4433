#include "preprocess/certificates/patch_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <random>

#include "exec/parallel.h"
#include "geometry/bvh/aabb.h"
#include "mesh/buckets.h"

namespace marrow {
namespace {

constexpr double kBoxCost = 0.1;
constexpr size_t kTrialWork = 400000;  // triangles to grow over, in all trials of a patch
constexpr size_t kMostTrials = 12;

class Splitter {
 public:
  Splitter(const Points& points, const std::vector<Triangle>& triangles, Index leaf_size)
      : points_(points), triangles_(triangles), leaf_size_(leaf_size) {
    find_neighbours();
    for (const Triangle& t : triangles) {
      const Vec3 &a = corner(t, 0), &b = corner(t, 1), &c = corner(t, 2);
      centroids_.push_back((a + b + c) / 3);
      areas_.push_back(0.5 * (b - a).cross(c - a).norm());
    }
    owner_.assign(triangles.size(), 0);
    side_.assign(triangles.size(), 0);
    order_.resize(triangles.size());
    std::iota(order_.begin(), order_.end(), 0);
  }

  PatchSplit split() {
    nodes_.push_back({0, static_cast<Index>(triangles_.size()), kNone, kNone, 0, true});
    size_t begin = 0;
    while (begin < nodes_.size()) {
      const size_t end = nodes_.size();
      std::vector<Index> middles(end - begin, kNone);
      exec::parallel_for(
          "patch_split.level", end - begin, [&](size_t i) { middles[i] = halve(begin + i); }, 1);
      for (size_t i = begin; i < end; ++i) add_children(i, middles[i - begin]);
      begin = end;
    }
    return in_preorder();
  }

 private:
  const Vec3& corner(const Triangle& t, size_t k) const { return points_[static_cast<size_t>(t[k])]; }
  size_t at(Index place) const { return static_cast<size_t>(order_[static_cast<size_t>(place)]); }

  void find_neighbours() {
    struct Side {
      Index high, triangle;
    };
    Buckets<Side> sides = fill_buckets<Side>(points_.size(), [&](const auto& visit) {
      for (size_t i = 0; i < triangles_.size(); ++i) {
        for (size_t k = 0; k < 3; ++k) {
          const Index u = triangles_[i][k];
          const Index v = triangles_[i][(k + 1) % 3];
          visit(std::min(u, v), Side{std::max(u, v), static_cast<Index>(i)});
        }
      }
    });
    std::vector<std::array<Index, 2>> links;
    for (size_t low = 0; low < sides.key_count(); ++low) {
      const std::span<Side> list = sides.of(low);
      std::stable_sort(list.begin(), list.end(),
                       [](const Side& a, const Side& b) { return a.high < b.high; });
      for (size_t i = 0; i + 1 < list.size(); ++i) {
        if (list[i].high == list[i + 1].high) links.push_back({list[i].triangle, list[i + 1].triangle});
      }
    }
    neighbours_ = fill_buckets<Index>(triangles_.size(), [&](const auto& visit) {
      for (const auto& [a, b] : links) {
        visit(a, b);
        visit(b, a);
      }
    });
  }

  // Orders the triangles of a node so that its halves follow each other; returns where the second starts.
  Index halve(size_t n) {
    PatchNode& node = nodes_[n];
    for (Index i = node.first; i < node.last; ++i) owner_[at(i)] = static_cast<Index>(n);
    const std::vector<std::vector<Index>> parts = find_parts(node, static_cast<Index>(n));
    node.is_connected = parts.size() == 1;
    if (node.count() <= leaf_size_ && node.is_connected) return kNone;
    if (parts.size() > 1) return part_components(node, parts);
    grow_best(node, static_cast<Index>(n));
    const auto begin = order_.begin() + node.first;
    const auto middle = std::stable_partition(begin, order_.begin() + node.last,
                                              [&](Index t) { return side_[static_cast<size_t>(t)] == 1; });
    return static_cast<Index>(middle - order_.begin());
  }

  // The parts that are connected across edges.
  std::vector<std::vector<Index>> find_parts(const PatchNode& node, Index n) {
    std::vector<std::vector<Index>> parts;
    for (Index i = node.first; i < node.last; ++i) side_[at(i)] = 0;
    for (Index i = node.first; i < node.last; ++i) {
      if (side_[at(i)] != 0) continue;
      std::vector<Index> part = {order_[static_cast<size_t>(i)]};
      side_[at(i)] = 1;
      for (size_t k = 0; k < part.size(); ++k) {
        for (const Index next : neighbours_.of(static_cast<size_t>(part[k]))) {
          const auto j = static_cast<size_t>(next);
          if (owner_[j] != n || side_[j] != 0) continue;
          side_[j] = 1;
          part.push_back(next);
        }
      }
      parts.push_back(std::move(part));
    }
    return parts;
  }

  // Parts along the longest side of the box of their middles, the first half of the triangles on one side.
  Index part_components(const PatchNode& node, const std::vector<std::vector<Index>>& parts) {
    Points middles;
    for (const std::vector<Index>& part : parts) {
      Vec3 sum = Vec3::Zero();
      for (const Index t : part) sum += centroids_[static_cast<size_t>(t)];
      middles.push_back(sum / static_cast<double>(part.size()));
    }
    Vec3 lower = middles[0];
    Vec3 upper = middles[0];
    for (const Vec3& m : middles) {
      lower = lower.cwiseMin(m);
      upper = upper.cwiseMax(m);
    }
    int axis = 0;
    (upper - lower).maxCoeff(&axis);
    std::vector<size_t> by_place(parts.size());
    std::iota(by_place.begin(), by_place.end(), 0);
    std::stable_sort(by_place.begin(), by_place.end(),
                     [&](size_t a, size_t b) { return middles[a][axis] < middles[b][axis]; });
    Index place = node.first;
    Index middle = kNone;
    for (size_t k = 0; k < by_place.size(); ++k) {
      const bool is_last = k + 1 == by_place.size();
      for (const Index t : parts[by_place[k]]) order_[static_cast<size_t>(place++)] = t;
      if (middle == kNone &&
          (is_last ? false : 2 * (place - node.first) >= node.count() || k + 2 == by_place.size()))
        middle = place;
    }
    return middle;
  }

  Index find_farthest(const PatchNode& node, const Vec3& from) const {
    Index best = order_[static_cast<size_t>(node.first)];
    double farthest = -1;
    for (Index i = node.first; i < node.last; ++i) {
      const double distance = (centroids_[at(i)] - from).squaredNorm();
      if (distance <= farthest) continue;
      farthest = distance;
      best = order_[static_cast<size_t>(i)];
    }
    return best;
  }

  // Sets side_ of the node's triangles to 1 or 2.
  void grow_best(const PatchNode& node, Index n) {
    const auto count = static_cast<size_t>(node.count());
    const size_t trials = std::clamp(kTrialWork / (count + 1), size_t{1}, std::min(kMostTrials, count));
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(node.first + 1));
    std::vector<std::uint8_t> best(count);
    double least = std::numeric_limits<double>::infinity();
    for (size_t trial = 0; trial < trials; ++trial) {
      const Vec3& start =
          centroids_[at(node.first + (trial == 0 ? 0 : static_cast<Index>(random() % count)))];
      const Index a = find_farthest(node, start);
      Index b = find_farthest(node, centroids_[static_cast<size_t>(a)]);
      if (trial > 1) b = order_[static_cast<size_t>(node.first) + random() % count];
      if (b == a)
        b = order_[static_cast<size_t>(node.first)] == a ? order_[static_cast<size_t>(node.last) - 1]
                                                         : order_[static_cast<size_t>(node.first)];
      const double cost = grow(node, n, a, b);
      if (cost >= least) continue;
      least = cost;
      for (size_t i = 0; i < count; ++i) best[i] = side_[at(node.first + static_cast<Index>(i))];
    }
    for (size_t i = 0; i < count; ++i) side_[at(node.first + static_cast<Index>(i))] = best[i];
  }

  struct Reached {
    double distance;
    Index triangle;
    bool operator<(const Reached& other) const {
      return distance != other.distance ? distance > other.distance : triangle > other.triangle;
    }
  };

  // Grows both regions and returns the cost. A region that is shut in leaves the rest to the other.
  double grow(const PatchNode& node, Index n, Index seed_a, Index seed_b) {
    for (Index i = node.first; i < node.last; ++i) side_[at(i)] = 0;
    std::array<std::priority_queue<Reached>, 2> queues;
    const std::array<Index, 2> seeds = {seed_a, seed_b};
    std::array<double, 2> areas = {0, 0};
    std::array<Index, 2> counts = {0, 0};
    for (size_t s = 0; s < 2; ++s) queues[s].push({0, seeds[s]});
    side_[static_cast<size_t>(seed_b)] = 3;  // reserved for the second region
    while (!queues[0].empty() || !queues[1].empty()) {
      // By count where areas say nothing.
      const bool is_first = areas[0] != areas[1] ? areas[0] < areas[1] : counts[0] <= counts[1];
      const size_t s = queues[is_first ? 0 : 1].empty() ? (is_first ? 1 : 0) : (is_first ? 0 : 1);
      const auto t = static_cast<size_t>(queues[s].top().triangle);
      queues[s].pop();
      if (side_[t] != 0 && !(side_[t] == 3 && s == 1)) continue;
      side_[t] = s == 0 ? 1 : 2;
      areas[s] += areas_[t];
      ++counts[s];
      for (const Index next : neighbours_.of(t)) {
        const auto j = static_cast<size_t>(next);
        if (owner_[j] != n || (side_[j] != 0 && side_[j] != 3)) continue;
        const Vec3& seed = centroids_[static_cast<size_t>(seeds[s])];
        queues[s].push({(centroids_[j] - seed).squaredNorm(), next});
      }
    }
    return std::abs(areas[0] - areas[1]) + kBoxCost * compute_box_area(node);
  }

  // The surfaces of the boxes of both regions.
  double compute_box_area(const PatchNode& node) const {
    std::array<Vec3, 3> lower;
    std::array<Vec3, 3> upper;
    lower.fill(Vec3::Constant(std::numeric_limits<double>::infinity()));
    upper.fill(Vec3::Constant(-std::numeric_limits<double>::infinity()));
    for (Index i = node.first; i < node.last; ++i) {
      const size_t side = side_[at(i)];
      for (size_t k = 0; k < 3; ++k) {
        const Vec3& p = corner(triangles_[at(i)], k);
        lower[side] = lower[side].cwiseMin(p);
        upper[side] = upper[side].cwiseMax(p);
      }
    }
    double area = 0;
    for (size_t side = 1; side < 3; ++side) {
      const Vec3 d = upper[side] - lower[side];
      area += 2 * (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]);
    }
    return area;
  }

  void add_children(size_t n, Index middle) {
    if (middle == kNone) return;
    const PatchNode node = nodes_[n];
    nodes_[n].left = static_cast<Index>(nodes_.size());
    nodes_.push_back({node.first, middle, kNone, kNone, node.level + 1, true});
    nodes_[n].right = static_cast<Index>(nodes_.size());
    nodes_.push_back({middle, node.last, kNone, kNone, node.level + 1, true});
  }

  PatchSplit in_preorder() {
    PatchSplit split;
    split.order = std::move(order_);
    // Open nodes with the place of the link to them: the parent's right child.
    std::vector<std::array<Index, 2>> open = {{0, kNone}};
    while (!open.empty()) {
      const auto [n, parent] = open.back();
      open.pop_back();
      const auto place = static_cast<Index>(split.nodes.size());
      PatchNode node = nodes_[static_cast<size_t>(n)];
      if (parent != kNone) split.nodes[static_cast<size_t>(parent)].right = place;
      if (!node.is_leaf()) {
        open.push_back({node.right, place});
        open.push_back({node.left, kNone});
        node.left = place + 1;
      }
      split.nodes.push_back(node);
    }
    return split;
  }

  const Points& points_;
  const std::vector<Triangle>& triangles_;
  Index leaf_size_;
  Buckets<Index> neighbours_;  // across edges
  Points centroids_;
  std::vector<double> areas_;
  std::vector<Index> owner_;        // the node that is being split
  std::vector<std::uint8_t> side_;  // 0: in no region yet
  std::vector<Index> order_;
  std::vector<PatchNode> nodes_;  // level by level
};

}  // namespace

PatchSplit compute_patch_split(const Points& points, const std::vector<Triangle>& triangles,
                               Index leaf_size) {
  if (triangles.empty()) return {};
  return Splitter(points, triangles, std::max(leaf_size, Index{1})).split();
}

}  // namespace marrow
