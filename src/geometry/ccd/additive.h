// Additive CCD: steps of gap over speed. Conservative; kept to compare with, and as the simplest witness.
//
// No two points of the pair approach each other faster than
//
//   l = max_i |dA_i − mean| + max_j |dB_j − mean| + max_i dra_i + max_j drb_j        (rising radii only)
//
// so from time t with a gap g the pair stays apart for g/l. We step (1 − s) g/l, s = 0.1, until g falls to
// the tolerance or t passes t_max. Positions are computed from t, never accumulated.
//
// g must be a lower bound of the gap; a distance that is wrong in the last digits would not do. We take
//
//   min_ij n·(A_i − B_j) − (ra_i + rb_j),    n = c/|c| at the closest points
//
// which holds for every n, and is the gap itself for equal radii and near contact.
//
// Source: Codimensional IPC (Li et al. 2021), section 5.3; ours has radii and rounds to the safe side.
#pragma once

#include "geometry/ccd/ccd.h"

namespace marrow {

struct AdditiveMotion {
  PairKind kind;
  std::array<Vec3, 4> x, dx;    // relative to ball 0, which rests at the origin
  std::array<double, 4> r, dr;  // the separation counts to the last balls
  double speed;                 // l, rounded up
  double size;                  // bound of all coordinates and radii
  double error;                 // of the certificate
};

AdditiveMotion make_additive_motion(const CcdQuery& query, double separation);

// A lower bound of the gap at time t, less the separation.
double compute_gap_bound(const AdditiveMotion& motion, double t);

}  // namespace marrow
