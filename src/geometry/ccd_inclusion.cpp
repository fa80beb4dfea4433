#include "geometry/ccd_inclusion.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace marrow {
namespace {

constexpr double kRoundoff = 0x1p-53;
constexpr double kTiny = 1e-290;       // above all that underflow can lose
constexpr double kHuge = 1e150;        // squares of larger numbers overflow
constexpr int kConfirmations = 100;    // cells spent on telling a close pass from a contact
constexpr size_t kMaxQueue = 1 << 17;  // cells kept at once; 9 MB

// The values of c and ρ at the corners of a cell, first those at t0, then those at t1.
struct Corners {
  int count;           // at each end of time
  double value[4][8];  // [x, y, z, ρ][corner]
};

Corners compute_corners(const InclusionMotion& motion, const InclusionCell& cell) {
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

Box bound(const Corners& corners) {
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
bool is_box_free(const InclusionMotion& motion, const Box& box) {
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

Direction compute_mean_direction(const Corners& corners) {
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
Direction compute_closest_direction(PairKind kind, const Corners& corners) {
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

Supports compute_supports(const InclusionMotion& motion, const Corners& corners, const Box& box,
                          const Direction& direction) {
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
double find_first_time(const InclusionCell& cell, int count, const Supports& supports, double level) {
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
double compute_slack(const Corners& corners, const Direction& direction, int i, int j) {
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

int choose_cut(PairKind kind, const Corners& corners, const Direction& direction) {
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

struct QueuedCell {
  InclusionCell cell;
  int order;  // younger first among cells of equal t0: depth first keeps the queue short
};

bool is_later(const QueuedCell& a, const QueuedCell& b) {
  return a.cell.t0 != b.cell.t0 ? a.cell.t0 > b.cell.t0 : a.order < b.order;
}

void push(std::vector<QueuedCell>& queue, const InclusionCell& cell, int order) {
  queue.push_back({cell, order});
  std::push_heap(queue.begin(), queue.end(), is_later);
}

CcdResult make_hit(double toi, int iterations) { return {true, toi, iterations}; }

InclusionCell make_whole_cell(double t_max) { return {0, t_max, {0, 1, 0}, {0, 0, 1}}; }

// The gap that counts as contact. A start closer than the tolerance is none unless the pair comes much
// closer; but what is within rounding cannot be told from a contact.
double choose_stop(const InclusionMotion& motion, const CcdOptions& options, double rounding) {
  const double first_gap = std::max(compute_gap_at(motion, 0), 0.0);
  if (options.keep > 0) return std::max(options.keep * first_gap, options.tolerance);
  return std::max(std::min(options.tolerance, 0.1 * first_gap), rounding);
}

}  // namespace

InclusionMotion make_inclusion_motion(const CcdQuery& query, double separation) {
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
  motion.error = 32 * kRoundoff * std::max({largest[0], largest[1], largest[2]}) + kTiny;
  motion.radius_error = 40 * kRoundoff * largest[3] + kTiny;
  return motion;
}

InclusionVerdict judge_cell(const InclusionMotion& motion, const InclusionCell& cell, double level) {
  const Corners corners = compute_corners(motion, cell);
  const Box box = bound(corners);
  constexpr InclusionVerdict kFree = {true, 0, 0, 0};
  if (is_box_free(motion, box)) return kFree;
  const Direction direction = compute_mean_direction(corners);
  const Supports mean = compute_supports(motion, corners, box, direction);
  double first_time = find_first_time(cell, corners.count, mean, level);
  if (first_time > cell.t1) return kFree;
  const Supports closest =
      compute_supports(motion, corners, box, compute_closest_direction(motion.kind, corners));
  first_time = std::max(first_time, find_first_time(cell, corners.count, closest, level));
  if (first_time > cell.t1) return kFree;
  double spread = 0;
  for (int k = 0; k < 4; ++k) spread = std::max(spread, box.high[k] - box.low[k]);
  return {false, first_time, spread, choose_cut(motion.kind, corners, direction)};
}

bool cut_cell(PairKind kind, InclusionCell cell, int cut, InclusionCell (&halves)[2]) {
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

double compute_gap_at(const InclusionMotion& motion, double t) {
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

CcdResult detect_by_inclusion(const CcdQuery& query, const CcdOptions& options) {
  const InclusionMotion motion = make_inclusion_motion(query, options.min_separation);
  if (!(motion.size < kHuge)) return {true, 0, 0};
  const double rounding = 16 * (motion.error + motion.radius_error);
  double stop = choose_stop(motion, options, rounding);
  double gap_time = -1, gap = 0;

  thread_local std::vector<QueuedCell> queue;
  queue.assign(1, {make_whole_cell(options.t_max), 0});
  CcdResult result;
  int limit = options.max_iterations;
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), is_later);
    InclusionCell cell = queue.back().cell;
    queue.pop_back();
    ++result.iterations;
    const InclusionVerdict verdict = judge_cell(motion, cell, 0.5 * stop);
    if (verdict.is_free) continue;

    // Close enough: nothing happens before t0. Whether anything happens after is worth some more cells.
    if (cell.t0 != gap_time) gap = compute_gap_at(motion, gap_time = cell.t0);
    if (std::min(gap, verdict.spread) <= stop) {
      if (result.is_hit || options.keep > 0 || std::min(gap, verdict.spread) <= rounding)
        return make_hit(std::min(result.toi, cell.t0), result.iterations);
      result.is_hit = true;
      result.toi = cell.t0;
      stop = rounding;
      limit = std::min(limit, result.iterations + kConfirmations);
    }

    // Leave out the time that is free, and cut the rest unless that was much.
    InclusionCell rest[2] = {cell, cell};
    rest[0].t0 = verdict.first_time;
    const bool is_shorter = verdict.first_time - cell.t0 > 0.25 * (cell.t1 - cell.t0);
    const bool is_cut = is_shorter || cut_cell(motion.kind, rest[0], verdict.cut, rest);
    if (!is_cut || result.iterations >= limit || queue.size() >= kMaxQueue)
      return make_hit(std::min(result.toi, cell.t0), result.iterations);
    for (int i = 0; i < (is_shorter ? 1 : 2); ++i) push(queue, rest[i], result.iterations);
  }
  return {false, std::numeric_limits<double>::infinity(), result.iterations};
}

}  // namespace marrow
