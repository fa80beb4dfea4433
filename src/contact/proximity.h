// The pairs that may come close, searched for again only when they no longer suffice.
//
// A search for the way x0 → x1 leaves slack: it also holds for every other way whose points stay within that
// slack of their own boxes. Newton's later, small steps and the trial points of a line search are answered
// from the last search.
#pragma once

#include "contact/candidates.h"
#include "contact/stencils.h"
#include "contact/step_limit.h"
#include "contact/turning_limit.h"

namespace marrow {

class Proximity {
 public:
  Proximity(CollisionMesh mesh, CandidateFilter filter, double d_hat);

  const CollisionMesh& mesh() const { return finder_.mesh(); }
  double d_hat() const { return d_hat_; }

  // Forgets the last search, so that what follows does not depend on what was before.
  void reset() { lower_.clear(); }

  // Pairs among which are all that come as close as d_hat anywhere on the straight way x0 → x1.
  const PairStencils& find_pairs(const Points& x0, const Points& x1);

  // How far the points may go from x0 towards x1 without touching. The pairs near x0 bound the way first, so
  // that a direction far too long does not gather pairs it will never reach.
  StepLimit compute_limit(const Points& x0, const Points& x1);

  // The same where points turn with frames. frame_of_point: one per point, kNone: straight.
  StepLimit compute_turning_limit(const Points& x0, const Points& x1, std::span<const Index> frame_of_point,
                                  std::span<const TurningFrame> frames);

 private:
  bool is_covered(const Points& x0, const Points& x1, std::span<const double> bows = {}) const;
  void search(const Points& x0, const Points& x1, std::span<const double> bows = {});

  CandidateFinder finder_;
  double d_hat_;
  double activation_;  // the largest gap at which a barrier acts; d_hat unless radii taper
  double slack_;
  Points lower_, upper_;  // the boxes of the points' ways of the last search; empty: none
  Candidates candidates_;
  PairStencils stencils_;
};

}  // namespace marrow
