// Is there a gap between two simplices with radii? Certified: each answer but "undecided" is a proof.
//
// A simplex with radii is the hull of the balls of its corners (x_i, r_i). With weights l, m of the corners,
//
//   g = min |Σ l_i a_i − Σ m_j b_j| − Σ l_i r_i − Σ m_j r_j        the gap; closed sets: g ≤ 0 is meeting
//
//   separated      a direction n, |n| ≤ 1, with n·(a_i − b_j) − r_i − r_j > 0 for all i, j: then g > 0
//   intersecting   weights at which |c|² ≤ ρ²; or the cores (radii left out) meet
//
// Both certificates are evaluated without rounding (number.h) where doubles leave any doubt, so it does
// not matter where n and the weights come from. They come from the minimum of g over the faces of the pair
// with at most two free weights, in closed form, in doubles; if the cores do not meet, the minimum is on one
// of them (docs/models/checker.md). Pairs whose gap is lost in the rounding of that minimum, about 10⁻¹⁵ of
// their size, stay undecided.
//
// In motion (radii constant) a_i − b_j is linear in time. With a direction that is constant or turns as a
// parabola, n·(a_i − b_j) is a cubic; it is positive on an interval of time if its Bernstein coefficients
// are. Intervals are bisected until each is separated or one instant is proven to intersect. Turning matters
// for long elements at tiny gaps: a constant direction needs as many intervals as the far end moves gaps.
#pragma once

#include <span>

#include "exact/motion.h"

namespace marrow::exact {

enum class Gap { Separated, Intersecting, Undecided };

// radii: one per point, not negative.
Gap classify_gap(const Points& points, std::span<const double> radii, const Simplex& A, const Simplex& B);

// Over the whole motion; the vertices of A and B are disjoint.
Gap classify_gap(const Motion& motion, std::span<const double> radii, const Simplex& A, const Simplex& B);

}  // namespace marrow::exact
