// Contact motion knows which pairs are near, where their points are, and how far these may move.
//
// Bodies whose points all follow the same four nodes move as one (contact/point_paths.h), whatever their
// kind: with the corners u_a of a regular tetrahedron and weights that add up to 1,
//
//   x = Σ w_a n_a = A y + t,     y = Σ w_a u_a,     A = ¾ Σ n_a u_aᵀ,     t = ¼ Σ n_a
//
// The orientation of the tetrahedron is free; it is chosen so that the box around a body's y is small.
//
// For such bodies, only the points of near pairs are ever computed.
#pragma once

#include <memory>

#include "contact/proximity.h"
#include "contact/turning_limit.h"
#include "kinematics/node_map.h"
#include "kinematics/node_path.h"

namespace marrow {

// Two bodies that come within d̂ of each other where a path was stopped.
struct NearBodies {
  IndexPair bodies;  // the smaller number first
  double begin = 0;  // fraction of the path at which they come within d̂
  double depth = 0;  // penetration at its end of the points that are nearest there [m]
  // The displacements over the whole path of such points of the one and the other body [m], for the points
  // whose displacements differ most.
  std::array<Vec3, 2> shifts = {Vec3::Zero(), Vec3::Zero()};

  double compute_path() const { return (shifts[0] - shifts[1]).norm(); }
};

// The place on a path where some pairs of bodies first meet, just before they touch.
struct Meeting {
  double alpha = 1;              // fraction of the path; 1: they do not meet
  std::vector<NearBodies> near;  // one entry per pair of bodies, ascending
};

class NearPairs;

class ContactMotion {
 public:
  // Bodies that move as one must not collide with themselves: if the filter does not say so, they count as
  // moving point by point. rest: all points at rest.
  ContactMotion(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map, const Points& rest,
                double d_hat, const std::vector<CertifiedSurface>& certified = {});
  ~ContactMotion();

  const NodeMap& map() const { return map_; }
  const CollisionMesh& mesh() const { return proximity_.mesh(); }
  double d_hat() const { return proximity_.d_hat(); }
  const CullingReport& culling() const { return proximity_.culling(); }

  // Discards the last search, so that later results do not depend on it.
  void reset() { proximity_.reset(); }

  // Announces that nodes on this path will soon be queried. If points move as one, the pairs of the path are
  // searched for immediately.
  void prefetch_pairs(const NodePath& path);

  // The pairs near n, those that certainly are no contacts left out. x receives all of their points, and all
  // points that move by themselves; others are not written.
  const PairStencils& move_to(const VecX& n, Points& x);

  // The largest coordinate of those points.
  double compute_reach(std::span<const Vec3> x) const;

  // The step limit of the nodes before contact. The pairs near the start bound the path first, so that a
  // direction that is far too long does not collect pairs that it will never reach.
  StepLimit compute_limit(const NodePath& path);

  // The place where these pairs of bodies first meet on the path. bodies: the smaller number first,
  // ascending.
  Meeting find_meeting(const NodePath& path, const std::vector<IndexPair>& bodies);

 private:
  using Corners = Eigen::Matrix<double, 3, 4>;  // u_a as columns

  MovedGroups find_groups(const CollisionMesh& mesh, const CandidateFilter& filter, const Points& rest);
  void turn_groups(const CollisionMesh& mesh, MovedGroups& groups);
  void compute_frames(const VecX& n, std::vector<AffineFrame>& frames) const;
  PointPaths make_paths(const NodePath& path);
  NearPairs& near_pairs();
  TurningPoints place_points(const NodePath& path);
  StepLimit limit_by_pairs(const NodePath& path);
  StepLimit limit_by_pairs(const NodePath& path, const TurningPoints& points,
                           const PairStencils& pairs) const;
  PairStencils select_pairs(const std::vector<IndexPair>& bodies) const;
  Points compute_near_points(const VecX& n) const;
  double find_begin(const NodePath& path, const PairStencils& pairs, double end) const;

  NodeMap map_;
  std::vector<std::array<Index, 4>> nodes_;  // of each group
  std::vector<Corners> corners_;             // likewise
  std::vector<Index> group_of_node_;         // kNone: of none
  Proximity proximity_;
  std::unique_ptr<NearPairs> near_pairs_;
  std::uint64_t near_version_ = 0;  // of the pairs that they are chosen from
  std::vector<Index> free_points_;  // those that collide and are in no group
  // The ends of the last path, and the rotations of groups on it.
  VecX end_nodes_;
  Points x0_, x1_;
  std::vector<AffineFrame> start_, end_;
  std::vector<TurningFrame> turns_;
  std::vector<Index> turn_of_point_;  // kNone: straight
  std::vector<double> grown_radii_;   // of the points of pairs: with their bows
  std::vector<Index> grown_points_;   // those points
};

}  // namespace marrow
