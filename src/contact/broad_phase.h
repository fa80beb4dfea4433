// The broad phase of all points uses the trees of contact/candidates.h for points that move by themselves,
// and those of contact/group_candidates.h for points that move as one.
#pragma once

#include <memory>

#include "contact/group_candidates.h"

namespace marrow {

class BroadPhase {
 public:
  BroadPhase(CollisionMesh mesh, CandidateFilter filter, MovedGroups groups);
  BroadPhase(const BroadPhase&) = delete;  // the finders refer to its members
  BroadPhase& operator=(const BroadPhase&) = delete;

  const CollisionMesh& mesh() const { return mesh_; }
  const MovedGroups& groups() const { return groups_; }

  // The points of no group.
  const std::vector<Index>& free_points() const { return free_points_; }

  // The box of a group's coordinates.
  CenterBox box_of(Index group) const { return group_finder_->box_of(group); }

  // From now on pairs within a region are left out too. Regions are given by point, edge and triangle of the
  // mesh (kNone: in none). Only points of no group may have one.
  void set_regions(std::span<const Index> points, std::span<const Index> edges,
                   std::span<const Index> triangles);

  // Discards earlier searches: from now on, what is found, and in which order, depends on the path alone.
  void reset() {
    if (group_finder_) group_finder_->reset();
  }

  // Finds pairs that may be closer than the activation distance somewhere on the path. The previous content
  // of candidates is lost. growth: the extra distance allowed between each group and another group or point;
  // empty: none.
  void find(const PointPaths& paths, double activation_distance, Candidates& candidates,
            std::span<const double> growth = {});

 private:
  CollisionMesh make_free_mesh();
  CandidateFilter make_free_filter(const CandidateFilter& filter) const;

  CollisionMesh mesh_;
  MovedGroups groups_;
  std::vector<Index> free_points_;
  // The simplices of the free points, over these alone, and their numbers in the mesh.
  std::vector<Index> free_edges_, free_triangles_;
  std::vector<Index> number_;                           // of a point among the free points
  Points x0_, x1_;                                      // of the free points
  std::unique_ptr<CandidateFinder> free_finder_;        // null: no pairs among them
  std::unique_ptr<GroupCandidateFinder> group_finder_;  // null: no groups
};

}  // namespace marrow
