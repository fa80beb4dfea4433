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

#include <algorithm>
#include <cmath>

#include "geometry/ccd/ccd.h"

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

namespace inclusion {

inline constexpr double kRoundoff = 0x1p-53;
inline constexpr double kTiny = 1e-290;  // above all that underflow can lose

// The values of c and ρ at the corners of a cell, first those at t0, then those at t1.
struct Corners {
  int count;           // at each end of time
  double value[4][8];  // [x, y, z, ρ][corner]
};

MARROW_HD inline Corners compute_corners(const InclusionMotion& motion, const InclusionCell& cell) {
  Corners corners;
  corners.count = motion.kind == PairKind::EdgeEdge ? 4 : 3;
  const double u[4] = {cell.u[0], cell.u[1], cell.u[2], cell.u[1]};
  const double v[4] = {cell.v[0], cell.v[1], cell.v[2], cell.v[2]};
  for (int k = 0; k < 4; ++k) {
    for (int end = 0; end < 2; ++end) {
      const double t = end == 0 ? cell.t0 : cell.t1;
      double C[3];
      for (int i = 0; i < 3; ++i) C[i] = motion.change[k][i] * t + motion.start[k][i];
      double* value = corners.value[k] + end * corners.count;
      for (int i = 0; i < corners.count; ++i) value[i] = u[i] * C[0] + (v[i] * C[1] + C[2]);
    }
  }
  return corners;
}

struct Box {
  double low[4], high[4];  // x, y, z, ρ
};

MARROW_HD inline Box bound(const Corners& corners) {
  Box box;
  for (int k = 0; k < 4; ++k) {
    box.low[k] = box.high[k] = corners.value[k][0];
    for (int i = 1; i < 2 * corners.count; ++i) {
      box.low[k] = std::min(box.low[k], corners.value[k][i]);
      box.high[k] = std::max(box.high[k], corners.value[k][i]);
    }
  }
  return box;
}

// E1: the box is farther away than the radii reach.
MARROW_HD inline bool is_box_free(const InclusionMotion& motion, const Box& box) {
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = std::max(std::max(box.low[k], -box.high[k]) - motion.error, 0.0);
    squared += d * d;
  }
  return std::sqrt(squared) * (1 - 8 * kRoundoff) > box.high[3] + motion.radius_error;
}

// A direction of length at most 1; zero length if it cannot be had.
struct Direction {
  double n[3] = {0, 0, 0};
  double distance = 0;  // of the mean corner
};

MARROW_HD inline Direction compute_mean_direction(const Corners& corners) {
  Direction direction;
  double squared = 0;
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int i = 0; i < 2 * corners.count; ++i) sum += corners.value[k][i];
    direction.n[k] = sum / (2 * corners.count);
    squared += direction.n[k] * direction.n[k];
  }
  if (!(squared > 1e-280)) return {};
  direction.distance = std::sqrt(squared);
  for (double& n : direction.n) n /= direction.distance * (1 + 8 * kRoundoff);
  return direction;
}

// The direction between the closest points of the cell at t0, which separates best there.
MARROW_HD inline Direction compute_closest_direction(PairKind kind, const Corners& corners) {
  const auto at = [&](int i) {
    return Triple<double>{corners.value[0][i], corners.value[1][i], corners.value[2][i]};
  };
  const double* rho = corners.value[3];
  const PairCoefficients<double> k = {at(1) - at(0),   at(2) - at(0),   at(0),
                                      rho[1] - rho[0], rho[2] - rho[0], rho[0]};
  const Closest<double> p = find_closest(kind, k);
  const Triple<double> c = relative_center(k, p.u, p.v);
  const double squared = dot(c, c);
  if (!(squared > 1e-280)) return {};
  const double distance = std::sqrt(squared);
  const double scale = 1 / (distance * (1 + 8 * kRoundoff));
  return {{scale * c.x, scale * c.y, scale * c.z}, distance};
}

// n·c_i − ρ_i of every corner, rounded down.
struct Supports {
  double s[8];
};

MARROW_HD inline Supports compute_supports(const InclusionMotion& motion, const Corners& corners,
                                           const Box& box, const Direction& direction) {
  double reach = 0;
  for (int k = 0; k < 3; ++k) reach = std::max(reach, std::max(-box.low[k], box.high[k]));
  const double error = 24 * kRoundoff * reach + 1.8 * motion.error + motion.radius_error;
  Supports supports;
  for (int i = 0; i < 2 * corners.count; ++i) {
    double along = 0;
    for (int k = 0; k < 3; ++k) along += direction.n[k] * corners.value[k][i];
    supports.s[i] = (along - corners.value[3][i]) - error;
  }
  return supports;
}

// E2 over time: every corner moves evenly. The first time one falls to the level, if one falls to zero in the
// cell; above t1 if none does.
MARROW_HD inline double find_first_time(const InclusionCell& cell, int count, const Supports& supports,
                                        double level) {
  double fraction = 2;
  bool is_free = true;
  for (int i = 0; i < count; ++i) {
    const double start = supports.s[i], end = supports.s[i + count];
    is_free = is_free && start > 0 && end > 0;
    if (!(start > level)) {
      fraction = 0;
    } else if (!(end > level)) {
      fraction = std::min(fraction, (start - level) / (start - end));
    }
  }
  if (is_free) return std::numeric_limits<double>::infinity();
  const double time = cell.t0 + fraction * (1 - 8 * kRoundoff) * (cell.t1 - cell.t0);
  return std::max(cell.t0, time * (1 - 4 * kRoundoff));
}

// How much the difference between corners i and j loosens E2 (second order across n), or E1 if that is less.
MARROW_HD inline double compute_slack(const Corners& corners, const Direction& direction, int i, int j) {
  double along = 0, squared = 0, largest = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = corners.value[k][j] - corners.value[k][i];
    along += direction.n[k] * d;
    squared += d * d;
    largest = std::max(largest, std::abs(d));
  }
  const double radius = corners.value[3][j] - corners.value[3][i];
  largest = std::max(largest, std::abs(radius));
  if (direction.distance == 0) return largest;
  const double across = std::max(squared - along * along, 0.0);
  return std::min(largest, std::abs(along - radius) + across / (2 * direction.distance));
}

MARROW_HD inline int choose_cut(PairKind kind, const Corners& corners, const Direction& direction) {
  const int m = corners.count;
  double widest = 0;
  for (int i = 0; i < m; ++i) widest = std::max(widest, compute_slack(corners, direction, i, i + m));
  int cut = 0;
  const int pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  for (int p = 0; p < (kind == PairKind::EdgeEdge ? 2 : 3); ++p) {
    const int i = pairs[p][0], j = pairs[p][1];
    const double width =
        std::max(compute_slack(corners, direction, i, j), compute_slack(corners, direction, i + m, j + m));
    if (width > widest) {
      widest = width;
      cut = p + 1;
    }
  }
  return cut;
}

}  // namespace inclusion

MARROW_HD inline InclusionMotion make_inclusion_motion(const CcdQuery& query, double separation) {
  InclusionMotion motion;
  motion.kind = query.kind;
  const auto take = [&](const std::array<Vec3, 4>& x, const std::array<double, 4>& r) {
    Stencil<double> s;
    for (int i = 0; i < 4; ++i) {
      s.x[i] = {x[i][0], x[i][1], x[i][2]};
      s.r[i] = r[i];
    }
    return make_coefficients(query.kind, s);
  };
  // Differences of the given coordinates: rounded once, whatever the distance from the origin.
  const PairCoefficients<double> ends[2] = {take(query.x0, query.r0), take(query.x1, query.r1)};
  double values[2][4][3];
  for (int end = 0; end < 2; ++end) {
    const PairCoefficients<double>& k = ends[end];
    const Triple<double> C[3] = {k.C1, k.C2, k.C3};
    const double R[3] = {k.R1, k.R2, k.R3};
    for (int i = 0; i < 3; ++i) {
      values[end][0][i] = C[i].x;
      values[end][1][i] = C[i].y;
      values[end][2][i] = C[i].z;
      values[end][3][i] = i < 2 ? R[i] : R[i] + separation;
    }
  }
  double largest[4] = {0, 0, 0, 0};
  motion.size = 0;
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < 3; ++i) {
      motion.start[k][i] = values[0][k][i];
      motion.change[k][i] = values[1][k][i] - values[0][k][i];
      for (const auto& value : values) {
        largest[k] = std::max(largest[k], std::abs(value[k][i]));
        motion.size += std::abs(value[k][i]);
      }
    }
  }
  motion.error =
      32 * inclusion::kRoundoff * std::max({largest[0], largest[1], largest[2]}) + inclusion::kTiny;
  motion.radius_error = 40 * inclusion::kRoundoff * largest[3] + inclusion::kTiny;
  return motion;
}

// level: the gap that the free time is to keep.
MARROW_HD inline InclusionVerdict judge_cell(const InclusionMotion& motion, const InclusionCell& cell,
                                             double level) {
  const inclusion::Corners corners = inclusion::compute_corners(motion, cell);
  const inclusion::Box box = inclusion::bound(corners);
  constexpr InclusionVerdict kFree = {true, 0, 0, 0};
  if (inclusion::is_box_free(motion, box)) return kFree;
  const inclusion::Direction direction = inclusion::compute_mean_direction(corners);
  const inclusion::Supports mean = inclusion::compute_supports(motion, corners, box, direction);
  double first_time = inclusion::find_first_time(cell, corners.count, mean, level);
  if (first_time > cell.t1) return kFree;
  const inclusion::Supports closest = inclusion::compute_supports(
      motion, corners, box, inclusion::compute_closest_direction(motion.kind, corners));
  first_time = std::max(first_time, inclusion::find_first_time(cell, corners.count, closest, level));
  if (first_time > cell.t1) return kFree;
  double spread = 0;
  for (int k = 0; k < 4; ++k) spread = std::max(spread, box.high[k] - box.low[k]);
  return {false, first_time, spread, inclusion::choose_cut(motion.kind, corners, direction)};
}

// Cuts a cell in two; false if it cannot be cut further.
MARROW_HD inline bool cut_cell(PairKind kind, InclusionCell cell, int cut, InclusionCell (&halves)[2]) {
  InclusionCell& a = halves[0];
  InclusionCell& b = halves[1];
  a = b = cell;
  if (cut == 0) {
    const double middle = 0.5 * (cell.t0 + cell.t1);
    a.t1 = b.t0 = middle;
    return cell.t0 < middle && middle < cell.t1;
  }
  if (kind == PairKind::EdgeEdge) {
    const bool along_u = cut == 1;
    const double low = along_u ? cell.u[0] : cell.v[0], high = along_u ? cell.u[1] : cell.v[2];
    const double middle = 0.5 * (low + high);
    if (along_u) {
      a.u[1] = b.u[0] = b.u[2] = middle;
    } else {
      a.v[2] = b.v[0] = b.v[1] = middle;
    }
    return low < middle && middle < high;
  }
  const int i = cut == 3 ? 1 : 0, j = cut == 1 ? 1 : 2;
  const double u = 0.5 * (cell.u[i] + cell.u[j]), v = 0.5 * (cell.v[i] + cell.v[j]);
  a.u[j] = b.u[i] = u;
  a.v[j] = b.v[i] = v;
  // Halves of dyadic numbers are exact down to this length.
  return std::max(std::abs(cell.u[i] - cell.u[j]), std::abs(cell.v[i] - cell.v[j])) > 0x1p-50;
}

// The gap at time t less the separation, to rounding.
MARROW_HD inline double compute_gap_at(const InclusionMotion& motion, double t) {
  double value[4][3];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) value[k][i] = motion.change[k][i] * t + motion.start[k][i];
  PairCoefficients<double> k;
  Triple<double>* C[3] = {&k.C1, &k.C2, &k.C3};
  for (int i = 0; i < 3; ++i) *C[i] = {value[0][i], value[1][i], value[2][i]};
  k.R1 = value[3][0];
  k.R2 = value[3][1];
  k.R3 = value[3][2];
  const Closest<double> p = find_closest(motion.kind, k);
  const Triple<double> c = relative_center(k, p.u, p.v);
  return std::sqrt(dot(c, c)) - (p.u * k.R1 + (p.v * k.R2 + k.R3));
}

}  // namespace marrow
