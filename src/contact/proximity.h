// Proximity keeps the pairs that may come close, and searches again only when they no longer suffice.
//
// A search for a path leaves slack: it also holds for every other path that stays within that slack of it.
// Newton's later, small steps and the trial points of a line search are answered from the last search. Each
// point that moves by itself is compared with the box of its own path. For a group (contact/point_paths.h)
// the frames are compared: with s the position on the searched path where it is nearest, the difference of
// the frames, which is an affine map too, must not move the box of its coordinates by more than the slack.
// The larger the simplices of a group, the more slack it has, because it meets few more of them.
//
// If surfaces have certificates, pairs within patches that are certain to stay apart from themselves are left
// out (contact/certified_culling.h). A certificate holds for one path only, so it is checked for every path
// on which the pairs are used. If it no longer holds, the pairs are put back, by searching the same path
// again if necessary. The paths that a search covers do not depend on certificates, so results do not either.
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

  // Discards the last search, so that later results do not depend on it.
  void reset() {
    is_searched_ = false;
    broad_phase_.reset();
  }

  // True if the last search holds for this path.
  bool is_covered(const PointPaths& paths) const;

  // Returns pairs that include all that come as close as d_hat anywhere on the path.
  const PairStencils& find_pairs(const PointPaths& paths) { return find_pairs(paths, paths); }
  // The same for a path for which is_covered just returned true.
  const PairStencils& find_covered_pairs(const PointPaths& paths);
  // The same, and also all pairs that the search for paths finds and that come that close on the path of use.
  const PairStencils& find_pairs(const PointPaths& paths, const PointPaths& use);

  const CullingReport& culling() const { return culling_.report(); }

  // The pairs that the last search found, and the points of groups that occur in them.
  const PairStencils& pairs() const { return stencils_; }
  const std::vector<Index>& near_points() const { return near_points_; }
  // Changes whenever they do.
  std::uint64_t pairs_version() const { return pairs_version_; }

  // The largest gap at which a barrier acts; d_hat unless radii taper [m].
  double activation() const { return activation_; }

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
  double activation_;
  double slack_;
  double point_slack_;              // the same, minus rounding
  std::vector<double> more_slack_;  // of each group
  bool is_searched_ = false;
  // The path of the last search: boxes of the free points' paths, and frames of groups.
  Points lower_, upper_;
  std::vector<AffineFrame> start_, end_;
  Points x0_, x1_;  // of all points, if certificates may require another search
  std::vector<TurningFrame> turns_;
  CertifiedCulling culling_;
  Candidates candidates_;
  Candidates kept_;     // without pairs within regions, where candidates_ has those too
  bool is_all_ = true;  // it has
  PairStencils stencils_;
  std::uint64_t pairs_version_ = 0;
  std::vector<Index> near_points_;
  std::vector<std::uint8_t> is_near_;  // by point
};

}  // namespace marrow
