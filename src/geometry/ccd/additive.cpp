#include "geometry/ccd/additive.h"

#include <algorithm>
#include <cmath>

#include "geometry/distance/distance.h"

namespace marrow {
namespace {

constexpr double kRoundoff = 0x1p-53;
constexpr double kTiny = 1e-290;  // above all that underflow can lose
constexpr double kSlack = 0.1;    // s: the part of the gap that a step keeps

double compute_speed(const AdditiveMotion& motion) {
  const Vec3 mean = 0.25 * (motion.dx[0] + motion.dx[1] + motion.dx[2] + motion.dx[3]);
  double centers[2] = {0, 0}, radii[2] = {0, 0};
  for (int i = 0; i < 4; ++i) {
    const int side = i < front_count(motion.kind) ? 0 : 1;
    centers[side] = std::max(centers[side], (motion.dx[i] - mean).norm());
    radii[side] = std::max(radii[side], motion.dr[i]);
  }
  const double speed = centers[0] + centers[1] + radii[0] + radii[1];
  return speed + 64 * kRoundoff * motion.size + kTiny;
}

// min_ij n·(A_i − B_j) − (ra_i + rb_j) over the balls at one time.
double compute_certificate(PairKind kind, const PairBalls& balls, const Vec3& n) {
  double front = std::numeric_limits<double>::infinity(), back = -front;
  for (int i = 0; i < 4; ++i) {
    if (i < front_count(kind)) {
      front = std::min(front, n.dot(balls.x[i]) - balls.r[i]);
    } else {
      back = std::max(back, n.dot(balls.x[i]) + balls.r[i]);
    }
  }
  return front - back;
}

}  // namespace

AdditiveMotion make_additive_motion(const CcdQuery& query, double separation) {
  AdditiveMotion motion;
  motion.kind = query.kind;
  double size = 0;
  for (int i = 0; i < 4; ++i) {
    motion.x[i] = query.x0[i] - query.x0[0];
    motion.dx[i] = (query.x1[i] - query.x1[0]) - motion.x[i];
    const double extra = i < front_count(query.kind) ? 0 : separation;
    motion.r[i] = query.r0[i] + extra;
    motion.dr[i] = query.r1[i] - query.r0[i];
    // A sum rather than a maximum: a NaN stays one.
    size += motion.x[i].lpNorm<1>() + motion.dx[i].lpNorm<1>() + motion.r[i] + std::abs(motion.dr[i]);
  }
  motion.size = size;
  motion.error = 48 * kRoundoff * size + kTiny;
  motion.speed = compute_speed(motion);
  return motion;
}

double compute_gap_bound(const AdditiveMotion& motion, double t) {
  PairBalls balls;
  for (int i = 0; i < 4; ++i) {
    balls.x[i] = motion.x[i] + t * motion.dx[i];
    balls.r[i] = motion.r[i] + t * motion.dr[i];
  }
  const Vec3 c = find_closest(motion.kind, balls).c;
  const double distance = c.norm();
  if (!(distance > 1e-140)) return 0;
  const Vec3 n = c / (distance * (1 + 8 * kRoundoff));
  return compute_certificate(motion.kind, balls, n) - motion.error;
}

CcdResult detect_by_additive(const CcdQuery& query, const CcdOptions& options) {
  const AdditiveMotion motion = make_additive_motion(query, options.min_separation);
  if (!(motion.size < kHuge)) return {true, 0, 0};
  CcdResult result{true, 0, 1};
  double gap = compute_gap_bound(motion, 0);
  if (!(gap > 0)) return result;
  // The gap that counts as contact. A start closer than the tolerance is none unless the pair comes much
  // closer.
  const double stop = options.keep > 0
                          ? std::max(std::min(options.keep * gap, options.most_kept), options.tolerance)
                          : std::min(options.tolerance, kSlack * gap);
  do {
    const double step = (1 - kSlack) * gap / motion.speed;
    const double next = (result.toi + step) * (1 - 4 * kRoundoff);
    if (next >= options.t_max) return {false, std::numeric_limits<double>::infinity(), result.iterations};
    if (!(next > result.toi)) return result;
    result.toi = next;
    gap = compute_gap_bound(motion, result.toi);
    ++result.iterations;
  } while (gap > stop && result.iterations < options.max_iterations);
  return result;
}

}  // namespace marrow
