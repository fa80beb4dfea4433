#include "geometry/ccd_curved.h"

#include <algorithm>
#include <cmath>

#include "geometry/gap.h"
#include "math/rotation.h"

namespace marrow {
namespace {

constexpr int kMaxStretches = 10000;

// The share of the present gap that the bows of a stretch may take.
constexpr double kBowShare = 0.25;

// Rounding of a transformed point, relative to the size of the coordinates.
constexpr double kTransformError = 64 * 0x1p-53;

int body_of(PairKind kind, int i) { return i < front_count(kind) ? 0 : 1; }

PairBalls place(const CurvedQuery& query, double t) {
  PairBalls balls;
  std::array<RigidPose, 2> pose;
  for (int b : {0, 1}) pose[b] = interpolate(query.start[b], query.end[b], t);
  for (int i = 0; i < 4; ++i) {
    balls.x[i] = transform_point(pose[body_of(query.kind, i)], query.points[i]);
    balls.r[i] = query.radii[i];
  }
  return balls;
}

// The largest bow of each body over a stretch of length h, summed.
double compute_bows(const CurvedQuery& query, double h) {
  std::array<double, 2> reach = {0, 0};
  for (int i = 0; i < 4; ++i) {
    double& r = reach[body_of(query.kind, i)];
    r = std::max(r, query.points[i].norm());
  }
  return compute_bow_bound(query.start[0], query.end[0], reach[0], h) +
         compute_bow_bound(query.start[1], query.end[1], reach[1], h);
}

double compute_rounding(const CurvedQuery& query) {
  double size = 0;
  for (int i = 0; i < 4; ++i) size = std::max(size, query.points[i].norm());
  for (int b : {0, 1}) size += std::max(query.start[b].position.norm(), query.end[b].position.norm());
  return kTransformError * size;
}

// The straight query between two times.
CcdQuery make_chord(const CurvedQuery& query, double t0, double t1) {
  CcdQuery chord;
  chord.kind = query.kind;
  chord.x0 = place(query, t0).x;
  chord.x1 = place(query, t1).x;
  chord.r0 = chord.r1 = query.radii;
  return chord;
}

CcdResult make_hit(double t, int iterations) {
  CcdResult result;
  result.is_hit = true;
  result.toi = t;
  result.iterations = iterations;
  return result;
}

}  // namespace

Vec3 transform_point(const RigidPose& pose, const Vec3& X) {
  return pose.position + rotation_from_vector(pose.rotation) * X;
}

RigidPose interpolate(const RigidPose& start, const RigidPose& end, double t) {
  return {start.position + t * (end.position - start.position),
          start.rotation + t * (end.rotation - start.rotation)};
}

double compute_bow_bound(const RigidPose& start, const RigidPose& end, double r, double h) {
  const double turn = (end.rotation - start.rotation).norm();
  return 3.0 / 16 * h * h * turn * turn * r * (1 + 1e-12);
}

CcdResult detect_curved_collision(const CurvedQuery& query, const CcdOptions& options) {
  const double rounding = compute_rounding(query);
  const double whole_bow = compute_bows(query, 1);
  int iterations = 0;
  double t = 0;
  for (int stretch = 0; stretch < kMaxStretches && iterations < options.max_iterations; ++stretch) {
    const double gap = find_gap(query.kind, place(query, t)).compute_gap() - options.min_separation;
    const bool is_start = stretch == 0;
    if (gap <= (is_start ? rounding : options.tolerance)) return make_hit(t, iterations);

    // As long a stretch as the bows allow: they grow with its square.
    const double longest = options.t_max - t;
    const double allowed = whole_bow > 0 ? std::sqrt(kBowShare * gap / whole_bow) : longest;
    const double h = std::min(longest, allowed);
    CcdOptions straight = options;
    straight.t_max = 1;
    straight.tolerance = std::min(options.tolerance, 0.1 * gap);
    straight.min_separation = options.min_separation + compute_bows(query, h) + 2 * rounding;
    const CcdResult chord = detect_by_advancement(make_chord(query, t, t + h), straight);
    iterations += 1 + chord.iterations;
    const double advance = chord.is_hit ? chord.toi * h : h;
    if (!chord.is_hit && h == longest) return {false, std::numeric_limits<double>::infinity(), iterations};
    const double next = t + advance * (1 - 0x1p-50);
    if (!(next > t)) return make_hit(t, iterations);
    t = next;
  }
  return make_hit(t, iterations);
}

}  // namespace marrow
