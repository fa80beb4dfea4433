#include "geometry/certificates/patch_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/macros.h"
#include "exec/parallel.h"
#include "mesh/buckets.h"

namespace marrow {
namespace {

// Rows of any size keep a certificate sound; these keep slivers from ruling all others.
constexpr double kMostCotangent = 1e3;
constexpr double kLeastArea = 1e-9;  // of the longest side squared

double compute_area(const Points& x, const Triangle& t) {
  const Vec3& a = x[static_cast<size_t>(t[0])];
  const Vec3 u = x[static_cast<size_t>(t[1])] - a;
  const Vec3 v = x[static_cast<size_t>(t[2])] - a;
  const double longest = std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
  return std::max(0.5 * u.cross(v).norm(), kLeastArea * longest);
}

double compute_cotangent(const Vec3& at, const Vec3& p, const Vec3& q) {
  const Vec3 u = p - at;
  const Vec3 v = q - at;
  const double sine = u.cross(v).norm();
  const double cosine = u.dot(v);
  if (!(sine * kMostCotangent > std::abs(cosine))) return cosine < 0 ? -kMostCotangent : kMostCotangent;
  return cosine / sine;
}

Index opposite(const Triangle& t, Index p, Index q) {
  for (const Index v : t) {
    if (v != p && v != q) return v;
  }
  return kNone;  // a triangle that names a vertex twice
}

PatchHinge make_hinge(const PatchTree& tree, Index p, Index q, Index first, Index second) {
  const Triangle& t = tree.triangles[static_cast<size_t>(first)];
  const Triangle& s = tree.triangles[static_cast<size_t>(second)];
  PatchHinge hinge;
  hinge.vertices = {p, q, opposite(t, p, q), opposite(s, p, q)};
  MARROW_ASSERT(hinge.vertices[2] != kNone && hinge.vertices[3] != kNone);
  const auto at = [&](size_t k) -> const Vec3& { return tree.rest[static_cast<size_t>(hinge.vertices[k])]; };
  const double tp = compute_cotangent(at(0), at(1), at(2));
  const double tq = compute_cotangent(at(1), at(0), at(2));
  const double sp = compute_cotangent(at(0), at(1), at(3));
  const double sq = compute_cotangent(at(1), at(0), at(3));
  const double area = compute_area(tree.rest, t) + compute_area(tree.rest, s);
  const double scale = area > 0 ? std::sqrt(3 / area) : 0;
  // The weight of p is minus the sum of the others, whatever the rounding.
  hinge.weights = {scale * (tp + sp), -scale * (tp + tq), -scale * (sp + sq)};
  hinge.rest = compute_hinge(hinge, tree.rest);
  return hinge;
}

// Owner, edge and triangles of a hinge.
struct HingeKey {
  Index owner, p, q, first, second;
};

// The least node that contains both places.
Index find_owner(const PatchTree& tree, Index first, Index second) {
  Index at = 0;
  for (;;) {
    const PatchNode& node = tree.node(at);
    if (node.is_leaf()) return at;
    const Index middle = tree.node(node.left).last;
    if ((first < middle) != (second < middle)) return at;
    at = first < middle ? node.left : node.right;
  }
}

std::vector<HingeKey> find_hinges(const PatchTree& tree) {
  struct Side {
    Index high, place;
  };
  Buckets<Side> sides = fill_buckets<Side>(tree.vertices.size(), [&](const auto& visit) {
    for (size_t i = 0; i < tree.triangles.size(); ++i) {
      for (size_t k = 0; k < 3; ++k) {
        const Index u = tree.triangles[i][k];
        const Index v = tree.triangles[i][(k + 1) % 3];
        visit(std::min(u, v), Side{std::max(u, v), static_cast<Index>(i)});
      }
    }
  });
  std::vector<HingeKey> keys;
  for (size_t low = 0; low < sides.key_count(); ++low) {
    const std::span<Side> at = sides.of(low);
    std::stable_sort(at.begin(), at.end(), [](const Side& a, const Side& b) { return a.high < b.high; });
    for (size_t i = 0; i + 1 < at.size(); ++i) {
      if (at[i].high != at[i + 1].high) continue;
      const Index first = at[i].place;
      const Index second = at[i + 1].place;
      keys.push_back({find_owner(tree, first, second), static_cast<Index>(low), at[i].high, first, second});
    }
  }
  std::stable_sort(keys.begin(), keys.end(),
                   [](const HingeKey& a, const HingeKey& b) { return a.owner < b.owner; });
  return keys;
}

void add_hinges(PatchTree& tree, const std::vector<HingeKey>& keys) {
  tree.hinge_starts.assign(tree.nodes.size() + 1, 0);
  for (const HingeKey& key : keys) ++tree.hinge_starts[static_cast<size_t>(key.owner) + 1];
  for (size_t i = 0; i < tree.nodes.size(); ++i) tree.hinge_starts[i + 1] += tree.hinge_starts[i];
  tree.hinges.resize(keys.size());
  exec::parallel_for("patch_tree.hinges", keys.size(), [&](size_t i) {
    tree.hinges[i] = make_hinge(tree, keys[i].p, keys[i].q, keys[i].first, keys[i].second);
  });
}

void number_vertices(PatchTree& tree, const std::vector<Triangle>& triangles, size_t point_count) {
  std::vector<Index> place(point_count, kNone);
  tree.triangles.reserve(triangles.size());
  for (const Index id : tree.ids) {
    Triangle t = triangles[static_cast<size_t>(id)];
    for (Index& v : t) {
      Index& at = place[static_cast<size_t>(v)];
      if (at == kNone) {
        at = static_cast<Index>(tree.vertices.size());
        tree.vertices.push_back(v);
      }
      v = at;
    }
    tree.triangles.push_back(t);
  }
}

// Lists the pairs of patches that share vertices, from the siblings down.
class PairBuilder {
 public:
  PairBuilder(PatchTree& tree, const std::vector<HingeKey>& keys) : tree_(tree), keys_(keys) {
    places_ = fill_buckets<Index>(tree.vertices.size(), [&](const auto& visit) {
      for (size_t i = 0; i < tree.triangles.size(); ++i) {
        for (const Index v : tree.triangles[i]) visit(v, static_cast<Index>(i));
      }
    });
  }

  void build() {
    tree_.sibling_pairs.assign(tree_.nodes.size(), kNone);
    for (size_t n = 0; n < tree_.nodes.size(); ++n) {
      const PatchNode& node = tree_.nodes[n];
      if (node.is_leaf()) continue;
      std::vector<Index> hinges(static_cast<size_t>(tree_.hinge_starts[n + 1] - tree_.hinge_starts[n]));
      std::iota(hinges.begin(), hinges.end(), tree_.hinge_starts[n]);
      tree_.sibling_pairs[n] = add(node.left, node.right, find_vertices(node.left), hinges, true);
    }
  }

 private:
  // The vertices of a node, once each.
  std::vector<Index> find_vertices(Index n) const {
    const PatchNode& node = tree_.node(n);
    std::vector<Index> list;
    for (Index i = node.first; i < node.last; ++i) {
      for (const Index v : tree_.triangles[static_cast<size_t>(i)]) list.push_back(v);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  bool is_at(Index vertex, const PatchNode& node) {
    const std::span<Index> list = places_.of(static_cast<size_t>(vertex));
    const auto found = std::lower_bound(list.begin(), list.end(), node.first);
    return found != list.end() && *found < node.last;
  }

  // vertices, hinges: among which those of the pair are.
  Index add(Index a, Index b, const std::vector<Index>& vertices, const std::vector<Index>& hinges,
            bool are_siblings) {
    const PatchNode node_a = tree_.node(a);
    const PatchNode node_b = tree_.node(b);
    std::vector<Index> shared;
    for (const Index v : vertices) {
      if (is_at(v, node_a) && is_at(v, node_b)) shared.push_back(v);
    }
    if (shared.empty()) return kNone;
    PatchPair pair;
    pair.a = a;
    pair.b = b;
    pair.are_siblings = are_siblings;
    pair.shared_count = static_cast<int>(shared.size());
    for (size_t i = 0; i < shared.size() && i < 2; ++i) pair.shared[i] = shared[i];
    pair.first_hinge = static_cast<Index>(tree_.pair_hinges.size());
    for (const Index h : hinges) {
      if (joins(h, node_a, node_b)) tree_.pair_hinges.push_back(h);
    }
    pair.last_hinge = static_cast<Index>(tree_.pair_hinges.size());
    const auto at = static_cast<Index>(tree_.pairs.size());
    tree_.pairs.push_back(pair);
    add_children(at, shared);
    return at;
  }

  void add_children(Index at, const std::vector<Index>& shared) {
    const PatchPair pair = tree_.pairs[static_cast<size_t>(at)];
    const PatchNode& a = tree_.node(pair.a);
    const PatchNode& b = tree_.node(pair.b);
    if (a.is_leaf() && b.is_leaf()) return;
    const std::span<const Index> list = tree_.hinges_of(pair);
    const std::vector<Index> hinges(list.begin(), list.end());
    size_t k = 0;
    for (const Index child_a : a.is_leaf() ? std::array{pair.a, kNone} : std::array{a.left, a.right}) {
      for (const Index child_b : b.is_leaf() ? std::array{pair.b, kNone} : std::array{b.left, b.right}) {
        if (child_a == kNone || child_b == kNone) continue;
        const Index child = add(child_a, child_b, shared, hinges, false);
        tree_.pairs[static_cast<size_t>(at)].children[k++] = child;
      }
    }
  }

  bool joins(Index hinge, const PatchNode& a, const PatchNode& b) const {
    const HingeKey& key = keys_[static_cast<size_t>(hinge)];
    const auto is_in = [](Index place, const PatchNode& n) { return place >= n.first && place < n.last; };
    return (is_in(key.first, a) && is_in(key.second, b)) || (is_in(key.first, b) && is_in(key.second, a));
  }

  PatchTree& tree_;
  const std::vector<HingeKey>& keys_;
  Buckets<Index> places_;  // of triangles, by vertex, ascending
};

}  // namespace

Vec3 compute_middle(const Points& x) {
  if (x.empty()) return Vec3::Zero();
  Vec3 lower = x[0];
  Vec3 upper = x[0];
  for (const Vec3& point : x) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  return 0.5 * (lower + upper);
}

std::span<const PatchHinge> PatchTree::hinges_below(Index n) const {
  // Nodes of a subtree stand behind each other, and their hinges too.
  auto end = static_cast<size_t>(n);
  while (end < nodes.size() && nodes[end].last <= node(n).last) ++end;
  const auto first = static_cast<size_t>(hinge_starts[static_cast<size_t>(n)]);
  return std::span(hinges).subspan(first, static_cast<size_t>(hinge_starts[end]) - first);
}

void PatchTree::gather(const Points& x, Points& gathered) const {
  gathered.resize(vertices.size());
  exec::parallel_for(
      "patch_tree.gather", vertices.size(),
      [&](size_t i) { gathered[i] = x[static_cast<size_t>(vertices[i])]; }, 4096);
}

bool is_split_valid(const PatchSplit& split, size_t triangle_count) {
  const std::vector<PatchNode>& nodes = split.nodes;
  if (split.order.size() != triangle_count || nodes.empty()) return false;
  std::vector<std::uint8_t> is_used(triangle_count, 0);
  for (const Index id : split.order) {
    if (id < 0 || static_cast<size_t>(id) >= triangle_count || is_used[static_cast<size_t>(id)]++ != 0)
      return false;
  }
  if (nodes[0].first != 0 || static_cast<size_t>(nodes[0].last) != triangle_count) return false;
  // From the last node back: where every subtree ends.
  std::vector<Index> ends(nodes.size());
  for (size_t n = nodes.size(); n-- > 0;) {
    const PatchNode& node = nodes[n];
    ends[n] = static_cast<Index>(n) + 1;
    if (node.count() <= 0 || (node.left == kNone) != (node.right == kNone)) return false;
    if (node.is_leaf()) continue;
    if (node.left != ends[n] || static_cast<size_t>(node.left) >= nodes.size()) return false;
    if (node.right != ends[static_cast<size_t>(node.left)]) return false;
    if (static_cast<size_t>(node.right) >= nodes.size()) return false;
    const PatchNode& l = nodes[static_cast<size_t>(node.left)];
    const PatchNode& r = nodes[static_cast<size_t>(node.right)];
    if (l.first != node.first || l.last != r.first || r.last != node.last) return false;
    if (l.level != node.level + 1 || r.level != node.level + 1) return false;
    ends[n] = ends[static_cast<size_t>(node.right)];
  }
  if (static_cast<size_t>(ends[0]) != nodes.size()) return false;
  return nodes[0].level == 0;
}

PatchTree build_patch_tree(const Points& rest, const std::vector<Triangle>& triangles, PatchSplit split) {
  MARROW_ASSERT(is_split_valid(split, triangles.size()));
  PatchTree tree;
  tree.ids = std::move(split.order);
  tree.nodes = std::move(split.nodes);
  for (const PatchNode& node : tree.nodes) tree.level_count = std::max(tree.level_count, node.level + 1);
  number_vertices(tree, triangles, rest.size());
  tree.gather(rest, tree.rest);
  double total = 0;
  for (const Triangle& t : tree.triangles) {
    tree.areas.push_back(compute_area(tree.rest, t));
    total += tree.areas.back();
  }
  for (double& area : tree.areas) area = total > 0 ? area / total : 0;
  const Vec3 middle = compute_middle(tree.rest);
  for (const Triangle& t : tree.triangles) {
    Vec3 sum = Vec3::Zero();
    for (const Index v : t) sum += tree.rest[static_cast<size_t>(v)] - middle;
    tree.centroids.push_back(sum / 3);
    tree.rest_size = std::max(tree.rest_size, 1.01 * tree.centroids.back().norm());
  }
  const std::vector<HingeKey> keys = find_hinges(tree);
  add_hinges(tree, keys);
  PairBuilder(tree, keys).build();
  return tree;
}

}  // namespace marrow
