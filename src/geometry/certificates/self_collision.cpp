#include "geometry/certificates/self_collision.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/clock.h"
#include "core/macros.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr size_t kChunk = 64;           // patches
constexpr double kPlaneMargin = 1e-12;  // of the lengths involved

// What failed by more than this factor waits for some frames until it is asked again, not all for as many.
constexpr double kClearly = 1.2;
constexpr std::uint32_t kLeastWait = 4;

enum State : std::uint8_t { kOpen, kCertified, kApart, kUnasked };

// Asks those of the list that are due, on all threads, and notes those that pass. Returns how many were
// asked.
template <class IsDue, class Passes, class Note>
size_t ask(const std::vector<Index>& list, const IsDue& is_due, const Passes& passes, const Note& note) {
  std::vector<Index> due;
  for (const Index i : list) {
    if (is_due(i)) due.push_back(i);
  }
  std::vector<std::uint8_t> has_passed(due.size());
  exec::parallel_for(
      "self_collision.ask", due.size(), [&](size_t k) { has_passed[k] = passes(due[k]) ? 1 : 0; }, kChunk);
  for (size_t k = 0; k < due.size(); ++k) {
    if (has_passed[k] != 0) note(due[k]);
  }
  return due.size();
}

// The vertices of every leaf, once each.
Buckets<Index> list_leaf_vertices(const PatchTree& tree, const std::vector<Index>& leaves) {
  return fill_buckets<Index>(leaves.size(), [&](const auto& visit) {
    std::vector<Index> vertices;
    for (size_t i = 0; i < leaves.size(); ++i) {
      const PatchNode& leaf = tree.node(leaves[i]);
      vertices.clear();
      for (auto t = static_cast<size_t>(leaf.first); t < static_cast<size_t>(leaf.last); ++t) {
        vertices.insert(vertices.end(), tree.triangles[t].begin(), tree.triangles[t].end());
      }
      std::sort(vertices.begin(), vertices.end());
      vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
      for (const Index v : vertices) visit(static_cast<Index>(i), v);
    }
  });
}

}  // namespace

SelfCollider::SelfCollider(const Certificates& certificates)
    : certificates_(certificates),
      tree_(certificates.tree),
      shapes_(certificates),
      plane_of_pair_(tree_.pairs.size(), kNone),
      instant0_(tree_, certificates.options.max_triangles),
      instant1_(tree_, certificates.options.max_triangles),
      node_boxes_(tree_.nodes.size()),
      triangle_boxes_(tree_.triangles.size()),
      boxed_in_(tree_.nodes.size()),
      node_state_(tree_.nodes.size()),
      pair_state_(tree_.pairs.size()),
      node_dues_(tree_.nodes.size()),
      pair_dues_(tree_.pairs.size()),
      plane_dues_(tree_.pairs.size()),
      pull_backs_(tree_.nodes.size(), Mat3::Zero()) {
  for (size_t n = 0; n < tree_.nodes.size(); ++n) {
    if (tree_.nodes[n].is_leaf()) leaves_.push_back(static_cast<Index>(n));
  }
  leaf_vertices_ = list_leaf_vertices(tree_, leaves_);
  for (size_t i = 0; i < certificates.planes.size(); ++i) {
    plane_of_pair_[static_cast<size_t>(certificates.planes[i].pair)] = static_cast<Index>(i);
  }
}

SelfCollisions SelfCollider::find(const Points& x, Culling culling) {
  is_moving_ = false;
  tree_.gather(x, x0_);
  has_sums0_ = false;
  return search(culling);
}

SelfCollisions SelfCollider::find_swept(const Points& x0, const Points& x1, Culling culling) {
  is_moving_ = true;
  move_start(x0);
  tree_.gather(x1, x1_);
  has_sums1_ = false;
  return search(culling);
}

// Sums are known of where the last motion ended, and of where it began if it is looked at again.
void SelfCollider::move_start(const Points& x0) {
  tree_.gather(x0, gathered_);
  const bool was_end = has_sums1_ && gathered_ == x1_;
  has_sums0_ = was_end || (has_sums0_ && gathered_ == x0_);
  if (was_end) std::swap(instant0_, instant1_);
  x0_.swap(gathered_);
}

void SelfCollider::forget() {
  for (auto* dues : {&node_dues_, &pair_dues_, &plane_dues_}) dues->assign(dues->size(), 0);
  has_sums0_ = has_sums1_ = false;
}

SelfCollisions SelfCollider::search(Culling culling) {
  SelfCollisions result;
  const auto levels = static_cast<size_t>(tree_.level_count);
  for (auto* list :
       {&result.counts.nodes_culled, &result.counts.pairs_culled, &result.counts.planes_culled}) {
    list->assign(levels, 0);
  }
  const Clock::time_point start = Clock::now();
  ++frame_;
  update_boxes();
  if (culling == Culling::Certified) update_sums();
  result.counts.update_seconds = seconds_since(start);
  const Open open = walk(culling, result.counts);
  const std::vector<IndexPair> leaf_tests = list_leaf_tests(open, result.counts);
  update_triangle_boxes(leaf_tests);
  test_leaves(leaf_tests, result);
  std::sort(result.pairs.begin(), result.pairs.end());
  result.counts.query_seconds = seconds_since(start) - result.counts.update_seconds;
  return result;
}

void SelfCollider::update_sums() {
  if (!has_sums0_) instant0_.update(x0_);
  has_sums0_ = true;
  if (is_moving_) instant1_.update(x1_);
  has_sums1_ = is_moving_;
}

void SelfCollider::update_boxes() {
  const Points& x1 = is_moving_ ? x1_ : x0_;
  exec::parallel_for(
      "self_collision.leaves", leaves_.size(),
      [&](size_t i) {
        const std::span<const Index> vertices = leaf_vertices_.of(i);
        const auto first = static_cast<size_t>(vertices[0]);
        Aabb box = box_of_swept_ball(x0_[first], x1[first], 0);
        for (const Index v : vertices.subspan(1)) {
          box = merge(box, box_of_swept_ball(x0_[static_cast<size_t>(v)], x1[static_cast<size_t>(v)], 0));
        }
        node_boxes_[static_cast<size_t>(leaves_[i])] = box;
      },
      1024);
  // Children stand behind their parents.
  for (size_t n = tree_.nodes.size(); n-- > 0;) {
    const PatchNode& node = tree_.nodes[n];
    if (node.is_leaf()) continue;
    node_boxes_[n] =
        merge(node_boxes_[static_cast<size_t>(node.left)], node_boxes_[static_cast<size_t>(node.right)]);
  }
}

SelfCollider::Open SelfCollider::walk(Culling culling, SelfCollisionCounts& counts) {
  Open open, last;
  open.nodes = {0};
  // A patch within one that is certified is so itself; it is never asked.
  std::fill(node_state_.begin(), node_state_.end(), culling == Culling::Certified ? kUnasked : kOpen);
  while (!open.nodes.empty() || !open.pairs.empty()) {
    for (const Index p : open.pairs) pair_state_[static_cast<size_t>(p)] = kOpen;
    if (culling == Culling::Certified) test_certificates(open, counts);
    Open next;
    next.far.swap(last.far);
    next.leaf_nodes.swap(last.leaf_nodes);
    next.leaf_pairs.swap(last.leaf_pairs);
    expand(open, next);
    last.far.swap(next.far);
    last.leaf_nodes.swap(next.leaf_nodes);
    last.leaf_pairs.swap(next.leaf_pairs);
    open = std::move(next);
  }
  return last;
}

void SelfCollider::test_certificates(const Open& open, SelfCollisionCounts& counts) {
  for (const Index n : open.nodes) node_state_[static_cast<size_t>(n)] = kOpen;
  const auto level_of_pair = [&](Index p) { return tree_.node(tree_.pairs[static_cast<size_t>(p)].a).level; };
  counts.certificate_tests += ask(
      open.nodes, [&](Index n) { return is_node_due(n); }, [&](Index n) { return is_node_certified(n); },
      [&](Index n) {
        node_state_[static_cast<size_t>(n)] = kCertified;
        ++counts.nodes_culled[static_cast<size_t>(tree_.node(n).level)];
      });
  counts.certificate_tests += ask(
      open.pairs, [&](Index p) { return is_pair_due(p); }, [&](Index p) { return is_pair_certified(p); },
      [&](Index p) {
        pair_state_[static_cast<size_t>(p)] = kCertified;
        ++counts.pairs_culled[static_cast<size_t>(level_of_pair(p))];
      });
  counts.plane_tests += ask(
      open.pairs, [&](Index p) { return is_plane_due(p); }, [&](Index p) { return is_pair_apart(p); },
      [&](Index p) {
        pair_state_[static_cast<size_t>(p)] = kApart;
        ++counts.planes_culled[static_cast<size_t>(level_of_pair(p))];
      });
}

std::uint32_t SelfCollider::choose_due(size_t i, bool fails_clearly) const {
  return frame_ + 1 + (fails_clearly ? kLeastWait + static_cast<std::uint32_t>(i) % kLeastWait : 0);
}

bool SelfCollider::is_node_due(Index node) const {
  return shapes_.of_node(node) != nullptr && node_dues_[static_cast<size_t>(node)] <= frame_;
}

bool SelfCollider::is_pair_due(Index pair) const {
  const auto at = static_cast<size_t>(pair);
  // What a part does not keep, the whole will hardly.
  return shapes_.of_pair(pair) != nullptr && pair_dues_[at] <= frame_ && !has_open_node(tree_.pairs[at]);
}

bool SelfCollider::is_plane_due(Index pair) const {
  const auto at = static_cast<size_t>(pair);
  if (plane_of_pair_[at] == kNone || pair_state_[at] != kOpen || plane_dues_[at] > frame_) return false;
  return !is_moving_ || tree_.pairs[at].shared_count == 1;
}

bool SelfCollider::has_open_node(const PatchPair& pair) const {
  return node_state_[static_cast<size_t>(pair.a)] == kOpen ||
         node_state_[static_cast<size_t>(pair.b)] == kOpen;
}

// The children of what is open; leaves and pairs without a vertex in common are kept for later.
void SelfCollider::expand(const Open& open, Open& next) {
  for (const Index n : open.nodes) {
    if (node_state_[static_cast<size_t>(n)] != kOpen) continue;
    const PatchNode& node = tree_.node(n);
    if (node.is_leaf()) {
      next.leaf_nodes.push_back(n);
      continue;
    }
    next.nodes.push_back(node.left);
    next.nodes.push_back(node.right);
    const Index pair = tree_.sibling_pairs[static_cast<size_t>(n)];
    if (pair == kNone) {
      push_far(node.left, node.right, next);
    } else {
      next.pairs.push_back(pair);
    }
  }
  for (const Index p : open.pairs) {
    if (pair_state_[static_cast<size_t>(p)] != kOpen) continue;
    const PatchPair& pair = tree_.pairs[static_cast<size_t>(p)];
    const PatchNode& a = tree_.node(pair.a);
    const PatchNode& b = tree_.node(pair.b);
    if (a.is_leaf() && b.is_leaf()) {
      next.leaf_pairs.push_back(p);
      continue;
    }
    size_t k = 0;
    for (const Index child_a : a.is_leaf() ? std::array{pair.a, kNone} : std::array{a.left, a.right}) {
      for (const Index child_b : b.is_leaf() ? std::array{pair.b, kNone} : std::array{b.left, b.right}) {
        if (child_a == kNone || child_b == kNone) continue;
        const Index child = pair.children[k++];
        if (child == kNone) {
          push_far(child_a, child_b, next);
        } else {
          next.pairs.push_back(child);
        }
      }
    }
  }
}

void SelfCollider::push_far(Index a, Index b, Open& next) const {
  if (is_overlapping(node_boxes_[static_cast<size_t>(a)], node_boxes_[static_cast<size_t>(b)]))
    next.far.push_back({a, b});
}

bool SelfCollider::is_node_certified(Index node) {
  const auto at = static_cast<size_t>(node);
  const PatchShape& shape = *shapes_.of_node(node);
  const double bound =
      is_moving_ ? bound_patch_motion(shape, instant0_.of(node), instant0_.size(), instant1_.of(node),
                                      instant1_.size(), &pull_backs_[at])
                 : bound_patch_energy(shape, instant0_.of(node), instant0_.size(), &pull_backs_[at]);
  node_dues_[at] = choose_due(at, bound > kClearly * shape.limit);
  return bound < shape.limit;
}

bool SelfCollider::is_pair_certified(Index pair) {
  const auto at = static_cast<size_t>(pair);
  const PatchShape& shape = *shapes_.of_pair(pair);
  const PatchPair& patches = tree_.pairs[at];
  const PatchSums sums0 = instant0_.of(patches, x0_);
  const double bound = is_moving_ ? bound_patch_motion(shape, sums0, instant0_.size(),
                                                       instant1_.of(patches, x1_), instant1_.size())
                                  : bound_patch_energy(shape, sums0, instant0_.size());
  pair_dues_[at] = choose_due(at, bound > kClearly * shape.limit);
  return bound < shape.limit;
}

// The normal of a plane at rest, brought along with a patch; zero if the patch has no pull-back.
Vec3 SelfCollider::push_normal(Index node, const Vec3& rest) const {
  const PatchShape* shape = shapes_.of_node(node);
  if (shape == nullptr) return Vec3::Zero();
  if (node_state_[static_cast<size_t>(node)] != kUnasked) {
    return pull_backs_[static_cast<size_t>(node)].transpose() * rest;
  }
  Mat3 A;
  bound_patch_energy(*shape, instant0_.of(node), instant0_.size(), &A);
  return A.transpose() * rest;
}

// Whether the pair's plane, brought along with the patches, has all that is not shared strictly on its sides.
// It goes through the shared vertices, at both ends of a motion: so n·(x − x_shared) is linear in time.
bool SelfCollider::is_pair_apart(Index pair) {
  const auto at = static_cast<size_t>(pair);
  const PatchPair& patches = tree_.pairs[at];
  const auto& stored = certificates_.planes[static_cast<size_t>(plane_of_pair_[at])].normal;
  plane_dues_[at] = choose_due(at, true);
  const Vec3 rest(stored[0], stored[1], stored[2]);
  Vec3 normal = push_normal(patches.a, rest) + push_normal(patches.b, rest);
  Vec3 along = Vec3::Zero();
  if (patches.shared_count == 2) {
    along = x0_[static_cast<size_t>(patches.shared[1])] - x0_[static_cast<size_t>(patches.shared[0])];
    normal -= along.dot(normal) / along.squaredNorm() * along;
  }
  const double length = normal.norm();
  if (!(length > 0) || !std::isfinite(length)) return false;
  normal /= length;
  // A plane through both shared vertices is this near, and has the others beyond it by what is left.
  if (std::abs(normal.dot(along)) > 0.1 * kPlaneMargin * along.norm()) return false;
  for (const Points* x : {&x0_, &x1_}) {
    if (x == &x1_ && !is_moving_) break;
    if (!has_node_apart(patches.a, -1, normal, patches, *x) ||
        !has_node_apart(patches.b, 1, normal, patches, *x))
      return false;
  }
  plane_dues_[at] = choose_due(at, false);
  return true;
}

bool SelfCollider::has_node_apart(Index node, double sign, const Vec3& normal, const PatchPair& pair,
                                  const Points& x) const {
  const PatchNode& n = tree_.node(node);
  const Vec3& origin = x[static_cast<size_t>(pair.shared[0])];
  for (Index i = n.first; i < n.last; ++i) {
    for (const Index v : tree_.triangles[static_cast<size_t>(i)]) {
      if (v == pair.shared[0] || v == pair.shared[1]) continue;
      const Vec3 way = x[static_cast<size_t>(v)] - origin;
      if (!(sign * normal.dot(way) > kPlaneMargin * way.lpNorm<1>())) return false;
    }
  }
  return true;
}

}  // namespace marrow
