// The broad phase of points that move as one (contact/point_paths.h) finds pairs between two groups, and
// between a group and points that move by themselves. There are no pairs within a group: it is assumed not to
// touch itself.
//
// Each group has a tree over its tiles, built once in its own coordinates. A search moves boxes, not trees:
//
//   groups whose swept boxes overlap → both trees at once, node boxes mapped by the frames → corners' boxes
//
// so that the cost depends on what is near, and not on the size of the meshes. Under the frame A, t a box of
// centre c and half size h has the centre A c + t and the half size |A| h; its path is in the box around both
// ends. The pairs are those of CandidateFinder: the boxes of points grow by the same amount, and the filter
// is the same.
#pragma once

#include "contact/point_paths.h"
#include "contact/tiles.h"

namespace marrow {

class GroupCandidateFinder {
 public:
  // The mesh and the groups must outlive this.
  GroupCandidateFinder(const CollisionMesh& mesh, CandidateFilter filter, const MovedGroups& groups);
  ~GroupCandidateFinder();
  GroupCandidateFinder(const GroupCandidateFinder&) = delete;
  GroupCandidateFinder& operator=(const GroupCandidateFinder&) = delete;

  // Later searches do not depend on earlier ones.
  void reset() { is_shape_old_ = true; }

  // Appends the pairs of which at least one side moves with a group. growth: the amount by which each group's
  // boxes are grown beyond half the activation distance; empty: none.
  void add_pairs(const PointPaths& paths, double activation_distance, std::span<const double> growth,
                 Candidates& candidates);

  // The box of a group's coordinates.
  CenterBox box_of(Index group) const { return trees_[static_cast<size_t>(group)].box(); }

 private:
  class Side;
  class Search;

  void build_trees();
  void update_free_boxes(const PointPaths& paths, double activation_distance);
  void update_sides(const PointPaths& paths, double activation_distance, std::span<const double> growth);
  void find_overlaps();
  bool is_kept(std::span<const Index> corners_a, std::span<const Index> corners_b) const;

  const CollisionMesh& mesh_;
  CandidateFilter filter_;
  const MovedGroups& groups_;
  bool has_element_filter_ = false;  // beyond that of whole groups
  VertexWireRule vertex_wire_rule_;
  std::vector<Tile> tiles_;
  // By group. Points that move by themselves count as one more group, the last, with boxes in the world.
  std::vector<TileTree> trees_;
  std::vector<Index> bodies_;
  std::vector<double> largest_radii_;
  std::vector<Side> sides_;
  // Points that move by themselves.
  std::vector<Index> free_points_, free_tiles_;
  std::vector<CenterBox> boxes_;  // by tile
  Points free_x0_, free_x1_;      // positions for which the boxes were made
  double free_distance_ = -1;     // likewise
  bool is_shape_old_ = true;      // of their tree: to be built again
  bool is_built_here_ = false;    // it was built for these boxes
  // Groups that are near each other, and the pairs found there.
  std::vector<Index> all_groups_, group_ids_;  // the latter: those that have tiles
  std::vector<Aabb> group_boxes_;
  Bvh bvh_;
  BvhQuery query_;
  std::vector<IndexPair> overlaps_;
  std::vector<Candidates> found_;  // by chunk of them
};

}  // namespace marrow
