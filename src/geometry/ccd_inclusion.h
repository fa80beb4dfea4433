// Inclusion: best-first search for the first contact over cells, conservative by interval arguments.
//
// A cell is (part of the parameter domain) × [t0, t1]. The relative centre and the radius sum
//
//   c = u C₁(t) + v C₂(t) + C₃(t)        ρ = u R₁(t) + v R₂(t) + R₃(t) + separation
//
// are affine in (u, v) and in t separately, so in a cell both are the same convex combination of their values
// c_i, ρ_i at its corners (8 edge–edge, 6 point–triangle). A contact |c| <= ρ in the cell therefore implies
//
//   E1   the box around all c_i is no farther from the origin than max ρ_i
//   E2   min_i (n·c_i − ρ_i) <= 0 for every |n| <= 1
//
// and a cell that violates one of them is dropped. E2 is tried along the mean corner and along the closest
// points at t0; for a fixed n it also says up to when nothing happens, and the cell begins there. The cell
// with the earliest t0 goes first, so every contact is at or after its t0; if the gap there is below the
// tolerance, t0 is the answer, once some more cells have not shown that the pair only passes by. Else the
// cell is cut where that tightens E2 most; triangles are cut into triangles, never boxed.
//
// Source: Tight-Inclusion (Wang et al. 2021). Ours adds radii, E2, triangles and the stop by gap. Rounding:
// u = 2⁻⁵³, D and Q the largest coefficients of c and ρ; corners are off by at most 26 u D and 29 u Q
// (docs/models/ccd.md).
#pragma once

#include "geometry/ccd.h"

namespace marrow {

// Parameters of the corners: point–triangle all three; edge–edge (u0,v0), (u1,v0), (u0,v1), which imply
// (u1,v1). All are dyadic numbers, so that cutting in half is exact.
struct InclusionCell {
  double t0, t1;
  double u[3], v[3];
};

// Coefficients of c (three coordinates) and of ρ at both ends of time.
struct InclusionMotion {
  PairKind kind;
  double start[4][3], change[4][3];  // [x, y, z, ρ][C₁, C₂, C₃]
  double size;                       // sum of all their magnitudes: not finite if the query is not
  double error;                      // of a coordinate of a corner
  double radius_error;
};

// What the corners of a cell say: whether it may be dropped, and where to cut it otherwise.
struct InclusionVerdict {
  bool is_free;
  double first_time;  // no contact in the cell before, nor a gap below the level
  double spread;      // the largest extent of c or ρ over the cell
  int cut;            // 0: time; 1, 2, 3: between parameter corners 0 1, 0 2, 1 2
};

InclusionMotion make_inclusion_motion(const CcdQuery& query, double separation);

// level: the gap that the free time is to keep.
InclusionVerdict judge_cell(const InclusionMotion& motion, const InclusionCell& cell, double level);

// Cuts a cell in two; false if it cannot be cut further.
bool cut_cell(PairKind kind, InclusionCell cell, int cut, InclusionCell (&halves)[2]);

// The gap at time t less the separation, to rounding.
double compute_gap_at(const InclusionMotion& motion, double t);

}  // namespace marrow
