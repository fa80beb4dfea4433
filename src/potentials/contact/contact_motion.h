// Points as contact sees them: which pairs are near, where their points are, and how far these may go.
//
// Bodies whose points all follow the same four nodes move as one (contact/point_paths.h), whatever their
// kind: with the corners u_a of a regular tetrahedron and weights that add up to 1,
//
//   x = Σ w_a n_a = A y + t,     y = Σ w_a u_a,     A = ¾ Σ n_a u_aᵀ,     t = ¼ Σ n_a
//
// How the tetrahedron is turned is free; it is turned so that the box around a body's y is small.
//
// Of such bodies only the points of pairs that are near are ever computed.
#pragma once

#include "contact/proximity.h"
#include "contact/turning_limit.h"
#include "kinematics/node_map.h"
#include "kinematics/node_path.h"

namespace marrow {

// Two bodies that come within d̂ of each other where a path was stopped.
struct NearBodies {
  IndexPair bodies;  // the smaller number first
  double begin = 0;  // how far the path is gone where they come within d̂
  double depth = 0;  // how far the points that are nearest there lie behind each other at its end [m]
  // How such points of the one and the other body move on all of the path [m]: those that do so most
  // differently.
  std::array<Vec3, 2> shifts = {Vec3::Zero(), Vec3::Zero()};

  double compute_path() const { return (shifts[0] - shifts[1]).norm(); }
};

// Where some pairs of bodies first meet on a path: short of touching.
struct Meeting {
  double alpha = 1;              // how far the path is gone; 1: they do not meet
  std::vector<NearBodies> near;  // one entry per pair of bodies, ascending
};

class ContactMotion {
 public:
  // Bodies that move as one must not meet themselves: filter says so, or they count as moving point by point.
  // rest: all points at rest.
  ContactMotion(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map, const Points& rest,
                double d_hat, const std::vector<CertifiedSurface>& certified = {});

  const NodeMap& map() const { return map_; }
  const CollisionMesh& mesh() const { return proximity_.mesh(); }
  double d_hat() const { return proximity_.d_hat(); }
  const CullingReport& culling() const { return proximity_.culling(); }

  // Forgets the last search, so that what follows does not depend on what was before.
  void reset() { proximity_.reset(); }

  // Nodes will soon be asked about on this path. Where points move as one, its pairs are searched for at
  // once.
  void prefetch_pairs(const NodePath& path);

  // The pairs near n. x gets all points of theirs, and all that move by themselves; others are not written.
  const PairStencils& move_to(const VecX& n, Points& x);

  // The largest coordinate of those points.
  double compute_reach(std::span<const Vec3> x) const;

  // How far the nodes may go without touching. The pairs near the start bound the way first, so that a
  // direction far too long does not gather pairs it will never reach.
  StepLimit compute_limit(const NodePath& path);

  // Where these pairs of bodies, the smaller number first, ascending, first meet on the path.
  Meeting find_meeting(const NodePath& path, const std::vector<IndexPair>& bodies);

 private:
  using Corners = Eigen::Matrix<double, 3, 4>;  // u_a as columns

  MovedGroups find_groups(const CollisionMesh& mesh, const CandidateFilter& filter, const Points& rest);
  void turn_groups(const CollisionMesh& mesh, MovedGroups& groups);
  void compute_frames(const VecX& n, std::vector<AffineFrame>& frames) const;
  PointPaths make_paths(const NodePath& path);
  StepLimit limit_by_pairs(const NodePath& path) { return limit_by_pairs(path, proximity_.pairs()); }
  StepLimit limit_by_pairs(const NodePath& path, const PairStencils& pairs);
  PairStencils select_pairs(const std::vector<IndexPair>& bodies) const;
  Points compute_near_points(const VecX& n) const;
  double find_begin(const NodePath& path, const PairStencils& pairs, double end) const;

  NodeMap map_;
  std::vector<std::array<Index, 4>> nodes_;  // of each group
  std::vector<Corners> corners_;             // likewise
  std::vector<Index> group_of_node_;         // kNone: of none
  Proximity proximity_;
  std::vector<Index> free_points_;  // those that collide and are of no group
  // The ends of the way last made, and how groups turn on it.
  VecX end_nodes_;
  Points x0_, x1_;
  std::vector<AffineFrame> start_, end_;
  std::vector<TurningFrame> turns_;
  std::vector<Index> turn_of_point_;  // kNone: straight
  std::vector<double> grown_radii_;   // of the points of pairs: with their bows
  std::vector<Index> grown_points_;   // those points
};

}  // namespace marrow
