#include "contact/group_candidates.h"

#include <algorithm>
#include <numeric>

#include "contact/group_rounding.h"
#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr size_t kGroupChunk = 8;  // overlapping groups that are searched together [speed only]

bool has_pair_in_any_order(const std::vector<IndexPair>& pairs, Index a, Index b) {
  return std::binary_search(pairs.begin(), pairs.end(), IndexPair{a, b}) ||
         std::binary_search(pairs.begin(), pairs.end(), IndexPair{b, a});
}

CenterBox box_of_tile(const Tile& tile, const Points& x) {
  std::array<Vec3, 3> corners;
  for (int k = 0; k < tile.corner_count; ++k) corners[k] = x[tile.corners[k]];
  return box_of_points(std::span(corners).first(static_cast<size_t>(tile.corner_count)));
}

double size_of(const Aabb& box) {
  return box.hi[0] - box.lo[0] + box.hi[1] - box.lo[1] + box.hi[2] - box.lo[2];
}

// The same as is_overlapping. Where about half of the boxes overlap, one branch for all comparisons is
// cheaper than one for each.
bool is_overlapping_at_once(const Aabb& a, const Aabb& b) {
  const int x = static_cast<int>(a.lo[0] <= b.hi[0]) & static_cast<int>(b.lo[0] <= a.hi[0]);
  const int y = static_cast<int>(a.lo[1] <= b.hi[1]) & static_cast<int>(b.lo[1] <= a.hi[1]);
  const int z = static_cast<int>(a.lo[2] <= b.hi[2]) & static_cast<int>(b.lo[2] <= a.hi[2]);
  return (x & y & z) != 0;
}

// A direct-mapped cache: the last value computed in each slot. A number may evict another one.
template <class T, size_t kSize>
class SmallCache {
 public:
  void clear() { numbers_.fill(kNone); }

  template <class Compute>
  const T& get(Index number, const Compute& compute) {
    const size_t at = static_cast<size_t>(number) % kSize;
    if (numbers_[at] != number) values_[at] = compute();
    numbers_[at] = number;
    return values_[at];
  }

 private:
  std::array<Index, kSize> numbers_;
  std::array<T, kSize> values_;
};

// The boxes of a tile's corners, and of the whole tile.
struct CornerBoxes {
  std::array<Aabb, 3> of;
  Aabb all;
};

// Boxes of one side that a search needs repeatedly.
struct BoxCache {
  SmallCache<Aabb, 2048> nodes;
  SmallCache<CornerBoxes, 1024> tiles;
  void clear() {
    nodes.clear();
    tiles.clear();
  }
};

// The caches of this thread, one for each side.
std::array<BoxCache, 2>& own_caches() {
  thread_local std::array<BoxCache, 2> caches;
  return caches;
}

template <class T>
void append(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// One group on its path: the swept boxes of the nodes of its tree, and of its points.
class GroupCandidateFinder::Side {
 public:
  // grown: the margin of boxes around their contents [m].
  Side(const GroupCandidateFinder& finder, const PointPaths& paths, double grown, Index group)
      : finder_(&finder), paths_(&paths), grown_(grown), is_free_(group == finder.groups_.count) {
    if (is_free_ || finder.trees_[group].is_empty()) return;
    start_ = paths.start[group];
    end_ = paths.end[group];
    is_moving_ = start_.A != end_.A || start_.t != end_.t;
    middle_ = {0.5 * (start_.A + end_.A), 0.5 * (start_.t + end_.t)};
    half_path_ = {0.5 * (end_.A - start_.A), 0.5 * (end_.t - start_.t)};
    const Mat3 abs_start = start_.A.cwiseAbs(), abs_end = end_.A.cwiseAbs();
    extent_ = abs_start.cwiseMax(abs_end);
    const CenterBox box = finder.box_of(group);
    if (!paths.turns.empty()) turn_ = paths.turns[group];
    // The point farthest from the centre of rotation has the largest bow.
    const double arm = (start_.place(box.center) - turn_.center).norm() + (abs_start * box.half).norm();
    const double bow = turn_.rotation.squaredNorm() / 8 * arm;
    const double size = measure_turn(turn_) * std::max(measure_frame(start_, box), measure_frame(end_, box));
    rounding_ = GroupRounding::kPoint * size;
    pad_ = GroupRounding::kSum * (finder.largest_radii_[group] + bow + grown) + GroupRounding::kNode * size;
  }

  Aabb box_of_node(const CenterBox& box) const {
    if (is_free_) return place(box.center, box.half, 0);
    Vec3 half = extent_ * box.half;
    if (is_moving_) half += half_path_.place(box.center).cwiseAbs();
    return place(middle_.place(box.center), half, pad_);
  }

  Aabb box_of_point(Index point) const {
    const double r = (finder_->mesh_.radii.empty() ? 0 : finder_->mesh_.radii[point]) + grown_;
    if (is_free_) return box_of_swept_ball(paths_->x0[point], paths_->x1[point], r);
    const Vec3& y = finder_->groups_.coordinates[point];
    const Vec3 x0 = start_.place(y);
    if (!is_moving_) return box_of_ball(x0, GroupRounding::kSum * r + rounding_);
    const double grown = GroupRounding::kSum * (r + turn_.compute_bow(x0, 1)) + rounding_;
    return box_of_swept_ball(x0, end_.place(y), grown);
  }

 private:
  static Aabb place(const Vec3& center, const Vec3& half, double pad) {
    Aabb box;
    for (int k = 0; k < 3; ++k) {
      box.lo[k] = center[k] - half[k] - pad;
      box.hi[k] = center[k] + half[k] + pad;
    }
    return box;
  }

  const GroupCandidateFinder* finder_;
  const PointPaths* paths_;
  double grown_;
  bool is_free_;
  bool is_moving_ = false;
  AffineFrame start_, end_, middle_, half_path_;
  Mat3 extent_ = Mat3::Zero();  // at least |A| on the whole path
  TurningFrame turn_;
  double rounding_ = 0;  // of a point's position [m]
  double pad_ = 0;
};

// Finds the pairs of two groups by descending both trees together.
class GroupCandidateFinder::Search {
 public:
  Search(const GroupCandidateFinder& finder, Index a, Index b, Candidates& found)
      : finder_(finder),
        tree_a_(finder.trees_[a]),
        tree_b_(finder.trees_[b]),
        side_a_(finder.sides_[a]),
        side_b_(finder.sides_[b]),
        found_(found) {}

  void run() {
    cache_a_.clear();
    cache_b_.clear();
    const Aabb a = side_a_.box_of_node(tree_a_.box()), b = side_b_.box_of_node(tree_b_.box());
    if (is_overlapping(a, b)) visit(0, a, 0, b);
  }

 private:
  // Descends into the larger of two overlapping nodes. A box is copied before its own node is visited,
  // because the cache may evict it.
  void visit(Index a, const Aabb& box_a, Index b, const Aabb& box_b) {
    const TileTree::Node &node_a = tree_a_.node(a), &node_b = tree_b_.node(b);
    if (node_a.is_leaf() && node_b.is_leaf()) {
      add_tiles(node_a.tile, node_b.tile);
    } else if (node_b.is_leaf() || (!node_a.is_leaf() && size_of(box_a) >= size_of(box_b))) {
      for (const Index child : {a + 1, node_a.right}) {
        const Aabb& box =
            cache_a_.nodes.get(child, [&] { return side_a_.box_of_node(tree_a_.node(child).box); });
        if (is_overlapping_at_once(box, box_b)) visit(child, Aabb(box), b, box_b);
      }
    } else {
      for (const Index child : {b + 1, node_b.right}) {
        const Aabb& box =
            cache_b_.nodes.get(child, [&] { return side_b_.box_of_node(tree_b_.node(child).box); });
        if (is_overlapping_at_once(box_a, box)) visit(a, box_a, child, Aabb(box));
      }
    }
  }

  static CornerBoxes find_corner_boxes(const Tile& tile, const Side& side) {
    CornerBoxes boxes;
    boxes.all = boxes.of[0] = side.box_of_point(tile.corners[0]);
    for (int k = 1; k < tile.corner_count; ++k) {
      boxes.of[k] = side.box_of_point(tile.corners[k]);
      boxes.all = merge(boxes.all, boxes.of[k]);
    }
    return boxes;
  }

  static const Aabb& find_box(const Tile& tile, const CornerBoxes& boxes, Index point) {
    return boxes.of[tile.corners[0] == point ? 0 : tile.corners[1] == point ? 1 : 2];
  }

  Aabb find_edge_box(const Tile& tile, const CornerBoxes& boxes, Index edge) const {
    const Edge& e = finder_.mesh_.edges[edge];
    return merge(find_box(tile, boxes, e[0]), find_box(tile, boxes, e[1]));
  }

  void add_tiles(Index tile_a, Index tile_b) {
    const Tile &a = finder_.tiles_[tile_a], &b = finder_.tiles_[tile_b];
    const CornerBoxes& boxes_a = cache_a_.tiles.get(tile_a, [&] { return find_corner_boxes(a, side_a_); });
    const CornerBoxes& boxes_b = cache_b_.tiles.get(tile_b, [&] { return find_corner_boxes(b, side_b_); });
    if (!is_overlapping(boxes_a.all, boxes_b.all)) return;
    for (int i = 0; i < a.edge_count; ++i) {
      const Aabb box_a = find_edge_box(a, boxes_a, a.edges[i]);
      if (!is_overlapping(box_a, boxes_b.all)) continue;
      for (int j = 0; j < b.edge_count; ++j) {
        if (!is_overlapping(box_a, find_edge_box(b, boxes_b, b.edges[j]))) continue;
        const Index low = std::min(a.edges[i], b.edges[j]), high = std::max(a.edges[i], b.edges[j]);
        add(finder_.mesh_.edges[low], low, finder_.mesh_.edges[high], high, found_.edge_edge);
      }
    }
    add_vertices(a, boxes_a, b, boxes_b);
    add_vertices(b, boxes_b, a, boxes_a);
    if (a.is_loose() && b.is_loose()) {
      const Index low = std::min(a.corners[0], b.corners[0]), high = std::max(a.corners[0], b.corners[0]);
      add(std::span(&low, 1), low, std::span(&high, 1), high, found_.vertex_vertex);
    }
  }

  // Pairs the vertices of one tile with the triangle of the other, or with its wire if vertex_wire_rule_ asks
  // for that.
  void add_vertices(const Tile& front, const CornerBoxes& front_boxes, const Tile& back,
                    const CornerBoxes& back_boxes) {
    for (int i = 0; i < front.vertex_count; ++i) {
      const Index vertex = front.vertices[i];
      if (!is_overlapping(find_box(front, front_boxes, vertex), back_boxes.all)) continue;
      const std::span<const Index> corners(back.corners.data(), static_cast<size_t>(back.corner_count));
      if (back.triangle != kNone) {
        add(std::span(&vertex, 1), vertex, corners, back.triangle, found_.vertex_triangle);
      } else if (back.is_wire() && finder_.vertex_wire_rule_.is_pair(vertex, back.edges[0])) {
        add(std::span(&vertex, 1), vertex, corners, back.edges[0], found_.vertex_edge);
      }
    }
  }

  void add(std::span<const Index> corners_a, Index a, std::span<const Index> corners_b, Index b,
           std::vector<IndexPair>& list) const {
    if (!finder_.has_element_filter_ || finder_.is_kept(corners_a, corners_b)) list.push_back({a, b});
  }

  const GroupCandidateFinder& finder_;
  const TileTree &tree_a_, &tree_b_;
  const Side &side_a_, &side_b_;
  Candidates& found_;
  BoxCache& cache_a_ = own_caches()[0];
  BoxCache& cache_b_ = own_caches()[1];
};

GroupCandidateFinder::GroupCandidateFinder(const CollisionMesh& mesh, CandidateFilter filter,
                                           const MovedGroups& groups)
    : mesh_(mesh), filter_(std::move(filter)), groups_(groups), vertex_wire_rule_(mesh) {
  std::sort(filter_.ignored_bodies.begin(), filter_.ignored_bodies.end());
  std::sort(filter_.neighbours.begin(), filter_.neighbours.end());
  std::erase_if(filter_.ignored_bodies, [](const IndexPair& pair) { return pair[0] == pair[1]; });
  bool has_fixed_groups = false;
  for (size_t i = 0; i < filter_.fixed.size() && !has_fixed_groups; ++i) {
    has_fixed_groups = filter_.fixed[i] != 0 && groups_.group_of(static_cast<Index>(i)) != kNone;
  }
  if (!has_fixed_groups) filter_.fixed.clear();  // no pair with a group is fixed
  has_element_filter_ =
      !filter_.neighbours.empty() || !filter_.fixed.empty() || !filter_.ignored_bodies.empty();
  build_trees();
}

GroupCandidateFinder::~GroupCandidateFinder() = default;

void GroupCandidateFinder::build_trees() {
  tiles_ = build_tiles(mesh_);
  boxes_.resize(tiles_.size());
  const auto count = static_cast<size_t>(groups_.count) + 1;
  std::vector<std::vector<Index>> members(count);
  bodies_.assign(count, kNone);
  largest_radii_.assign(count, 0);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const Tile& tile = tiles_[i];
    const Index group = groups_.group_of(tile.corners[0]);
    const auto at = static_cast<size_t>(group == kNone ? groups_.count : group);
    members[at].push_back(static_cast<Index>(i));
    if (group == kNone) continue;
    boxes_[i] = box_of_tile(tile, groups_.coordinates);
    bodies_[at] = mesh_.bodies.empty() ? 0 : mesh_.bodies[tile.corners[0]];
    for (int k = 0; k < tile.corner_count && !mesh_.radii.empty(); ++k) {
      largest_radii_[at] = std::max(largest_radii_[at], mesh_.radii[tile.corners[k]]);
    }
  }
  free_tiles_ = members.back();
  for (Index i = 0; i < mesh_.point_count; ++i) {
    if (groups_.group_of(i) == kNone) free_points_.push_back(i);
  }
  trees_.resize(count);
  all_groups_.resize(count);
  std::iota(all_groups_.begin(), all_groups_.end(), 0);
  exec::parallel_for(
      "broad_phase.trees", count - 1, [&](size_t g) { trees_[g].build(std::move(members[g]), boxes_); }, 1);
}

void GroupCandidateFinder::add_pairs(const PointPaths& paths, double activation_distance,
                                     std::span<const double> growth, Candidates& candidates) {
  const trace::Scope scope("broad_phase.groups");
  update_free_boxes(paths, activation_distance);
  update_sides(paths, activation_distance, growth);
  find_overlaps();
  const size_t chunks = (overlaps_.size() + kGroupChunk - 1) / kGroupChunk;
  found_.resize(std::max(found_.size(), chunks));
  const auto search = [&](size_t chunk) {
    Candidates& found = found_[chunk];
    for (auto* list : {&found.edge_edge, &found.vertex_triangle, &found.vertex_edge, &found.vertex_vertex}) {
      list->clear();
    }
    const size_t end = std::min(overlaps_.size(), (chunk + 1) * kGroupChunk);
    for (size_t i = chunk * kGroupChunk; i < end; ++i)
      Search(*this, overlaps_[i][0], overlaps_[i][1], found).run();
  };
  exec::parallel_for("broad_phase.pairs", chunks, search, 1);
  for (size_t chunk = 0; chunk < chunks; ++chunk) {
    append(found_[chunk].edge_edge, candidates.edge_edge);
    append(found_[chunk].vertex_triangle, candidates.vertex_triangle);
    append(found_[chunk].vertex_edge, candidates.vertex_edge);
    append(found_[chunk].vertex_vertex, candidates.vertex_vertex);
  }
}

// The tree over free points keeps the shape of the first search since the reset, because the order of pairs
// depends on it. If no free point has moved, its boxes are kept.
void GroupCandidateFinder::update_free_boxes(const PointPaths& paths, double activation_distance) {
  if (free_tiles_.empty()) return;
  bool is_same = free_distance_ == activation_distance;
  free_x0_.resize(free_points_.size());
  free_x1_.resize(free_points_.size());
  for (size_t i = 0; i < free_points_.size(); ++i) {
    const Vec3 &x0 = paths.x0[free_points_[i]], &x1 = paths.x1[free_points_[i]];
    is_same = is_same && free_x0_[i] == x0 && free_x1_[i] == x1;
    free_x0_[i] = x0;
    free_x1_[i] = x1;
  }
  if (is_same && (!is_shape_old_ || is_built_here_)) {
    is_shape_old_ = false;
    return;
  }
  const Side side(*this, paths, 0.5 * activation_distance, groups_.count);
  double reach = 0;
  for (const Index i : free_tiles_) {
    const Tile& tile = tiles_[i];
    Aabb all = side.box_of_point(tile.corners[0]);
    for (int k = 1; k < tile.corner_count; ++k) all = merge(all, side.box_of_point(tile.corners[k]));
    const Vec3 lower(all.lo[0], all.lo[1], all.lo[2]), upper(all.hi[0], all.hi[1], all.hi[2]);
    reach = std::max(reach, lower.cwiseAbs().cwiseMax(upper.cwiseAbs()).maxCoeff());
    boxes_[i] = {0.5 * (lower + upper), 0.5 * (upper - lower)};
  }
  // The rounding of node boxes grows with the largest coordinate, so the boxes of tiles are enlarged by it.
  for (const Index i : free_tiles_) boxes_[i].half.array() += GroupRounding::kFreeNode * reach;
  if (is_shape_old_) {
    trees_.back().build(free_tiles_, boxes_);
  } else {
    trees_.back().refit(boxes_);
  }
  is_built_here_ = is_shape_old_;
  is_shape_old_ = false;
  free_distance_ = activation_distance;
}

void GroupCandidateFinder::update_sides(const PointPaths& paths, double activation_distance,
                                        std::span<const double> growth) {
  sides_.clear();
  group_boxes_.resize(trees_.size());
  group_ids_.clear();
  for (Index g = 0; g <= groups_.count; ++g) {
    const double more = g < groups_.count && !growth.empty() ? growth[g] : 0;
    sides_.emplace_back(*this, paths, 0.5 * activation_distance + more, g);
    if (trees_[g].is_empty()) continue;
    group_boxes_[g] = sides_.back().box_of_node(trees_[g].box());
    if (g < groups_.count) group_ids_.push_back(g);
  }
}

void GroupCandidateFinder::find_overlaps() {
  const auto is_ignored = [&](Index a, Index b) {
    return !filter_.ignored_bodies.empty() &&
           has_pair_in_any_order(filter_.ignored_bodies, bodies_[a], bodies_[b]);
  };
  bvh_.build({group_ids_, 1, all_groups_, {}}, group_boxes_);
  query_.find_self_pairs(
      bvh_, [&](Index a, Index b) { return !is_ignored(a, b); }, overlaps_);
  for (const Index g : group_ids_) {
    if (!trees_.back().is_empty() && is_overlapping(group_boxes_[g], group_boxes_.back())) {
      overlaps_.push_back({g, groups_.count});
    }
  }
  std::sort(overlaps_.begin(), overlaps_.end());
}

bool GroupCandidateFinder::is_kept(std::span<const Index> corners_a, std::span<const Index> corners_b) const {
  if (!filter_.fixed.empty()) {
    const auto is_fixed = [&](Index point) { return filter_.fixed[point] != 0; };
    if (std::all_of(corners_a.begin(), corners_a.end(), is_fixed) &&
        std::all_of(corners_b.begin(), corners_b.end(), is_fixed)) {
      return false;
    }
  }
  if (!filter_.ignored_bodies.empty() && !mesh_.bodies.empty() &&
      has_pair_in_any_order(filter_.ignored_bodies, mesh_.bodies[corners_a[0]], mesh_.bodies[corners_b[0]])) {
    return false;
  }
  if (filter_.neighbours.empty()) return true;
  for (const Index a : corners_a) {
    for (const Index b : corners_b) {
      if (has_pair_in_any_order(filter_.neighbours, a, b)) return false;
    }
  }
  return true;
}

}  // namespace marrow
