// The pairs that may come close, searched for again only when they no longer suffice.
//
// A search for a way leaves slack: it also holds for every other way that stays within that slack of it.
// Newton's later, small steps and the trial points of a line search are answered from the last search. Of
// points that move by themselves each is compared with the box of its own way. Of a group
// (contact/point_paths.h) the frames are: with s where it is nearest on the way of the search, the difference
// of the frames, which is an affine map too, must not move the box of its coordinates by more than the slack.
// A group has more slack, the larger its simplices are: it meets few more of them.
//
// Where surfaces have certificates, pairs within patches that keep apart for certain are left out
// (contact/certified_culling.h). That says something of one way only, so it is asked for every way the pairs
// are used on; where it does not hold any more, pairs are put back, by searching the same way again if need
// be. What a search covers does not depend on certificates, so that results do not either.
#pragma once

#include "contact/broad_phase.h"
#include "contact/certified_culling.h"
#include "contact/stencils.h"

namespace marrow {

class Proximity {
 public:
  Proximity(CollisionMesh mesh, CandidateFilter filter, double d_hat, MovedGroups groups = {},
            const std::vector<CertifiedSurface>& certified = {});

  const CollisionMesh& mesh() const { return broad_phase_.mesh(); }
  const MovedGroups& groups() const { return broad_phase_.groups(); }
  double d_hat() const { return d_hat_; }

  // Forgets the last search, so that what follows does not depend on what was before.
  void reset() {
    is_searched_ = false;
    broad_phase_.reset();
  }

  // Whether the last search holds for this way.
  bool is_covered(const PointPaths& paths) const;

  // Pairs among which are all that come as close as d_hat anywhere on the way.
  const PairStencils& find_pairs(const PointPaths& paths) { return find_pairs(paths, paths); }
  // As well: all those that the search for the way finds and that come that close on the way of use.
  const PairStencils& find_pairs(const PointPaths& paths, const PointPaths& use);

  const CullingReport& culling() const { return culling_.report(); }

  // What the last search found, and the points of groups that occur there.
  const PairStencils& pairs() const { return stencils_; }
  const std::vector<Index>& near_points() const { return near_points_; }

  // The points of no group.
  const std::vector<Index>& free_points() const { return broad_phase_.free_points(); }

 private:
  bool is_group_covered(const PointPaths& paths, Index group) const;
  void search(const PointPaths& paths, const PointPaths& use);
  CertifiedCulling::Search find_candidates(const PointPaths& paths, bool is_all);
  void renew_regions(const PointPaths& use);
  void make_stencils();
  void list_near_points();

  BroadPhase broad_phase_;
  double d_hat_;
  double activation_;  // the largest gap at which a barrier acts; d_hat unless radii taper
  double slack_;
  double point_slack_;              // less what rounding takes
  std::vector<double> more_slack_;  // of each group
  bool is_searched_ = false;
  // The way of the last search: boxes of the free points' ways, frames of groups.
  Points lower_, upper_;
  std::vector<AffineFrame> start_, end_;
  Points x0_, x1_;  // of all points, where certificates may have the search made again
  std::vector<TurningFrame> turns_;
  CertifiedCulling culling_;
  Candidates candidates_;
  Candidates kept_;     // without pairs within regions, where candidates_ has those too
  bool is_all_ = true;  // it has
  PairStencils stencils_;
  std::vector<Index> near_points_;
  std::vector<std::uint8_t> is_near_;  // by point
};

}  // namespace marrow
