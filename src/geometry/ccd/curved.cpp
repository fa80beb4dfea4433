#include "geometry/ccd/curved.h"

#include <algorithm>
#include <cmath>

#include "geometry/distance/gap.h"
#include "math/rotation.h"

namespace marrow {
namespace {

constexpr int kMaxStretches = 10000;

// The share of the present gap that the bows of a stretch may take.
constexpr double kBowShare = 0.25;

// Rounding of a transformed point, relative to the size of the coordinates.
constexpr double kTransformError = 64 * 0x1p-53;

int body_of(PairKind kind, int i) { return i < front_count(kind) ? 0 : 1; }

PairBalls place_pair(const CurvedQuery& query, double t) {
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
double compute_pair_bows(const CurvedQuery& query, double h) {
  std::array<double, 2> reach = {0, 0};
  for (int i = 0; i < 4; ++i) {
    double& r = reach[body_of(query.kind, i)];
    r = std::max(r, query.points[i].norm());
  }
  return compute_bow_bound(query.start[0], query.end[0], reach[0], h) +
         compute_bow_bound(query.start[1], query.end[1], reach[1], h);
}

double compute_pair_rounding(const CurvedQuery& query) {
  double size = 0;
  for (int i = 0; i < 4; ++i) size = std::max(size, query.points[i].norm());
  for (int b : {0, 1}) size += std::max(query.start[b].position.norm(), query.end[b].position.norm());
  return kTransformError * size;
}

CcdResult make_hit(double t, int iterations) {
  CcdResult result;
  result.is_hit = true;
  result.toi = t;
  result.iterations = iterations;
  return result;
}

// A path of which nothing at all is free in double precision, whose directions are too inaccurate at gaps
// below 1e-8 of the pair's size, is looked at as line searches do: in twice the precision, to a part of the
// gap.
CcdResult detect_on_chord(const CcdQuery& query, CcdOptions options, bool is_start) {
  constexpr double kKept = 0.1;
  const CcdResult result = detect_by_advancement(query, options);
  if (!is_start || !result.is_hit || result.toi > 0) return result;
  options.keep = kKept;
  return detect_by_advancement(query, options);
}

// Advances along the chords of a path. Path: kind, place(t), compute_bows(h), rounding().
template <class Path>
CcdResult advance_along_chords(const Path& path, const CcdOptions& options) {
  const double rounding = path.compute_rounding();
  const double whole_bow = path.compute_bows(1);
  int iterations = 0;
  double t = 0;
  PairBalls here = path.place(0);
  for (int stretch = 0; stretch < kMaxStretches && iterations < options.max_iterations; ++stretch) {
    const double gap = find_gap(path.kind(), here).compute_gap() - options.min_separation;
    const bool is_start = stretch == 0;
    if (gap <= (is_start ? rounding : options.tolerance)) return make_hit(t, iterations);

    // As long a stretch as the bows allow: they grow with its square.
    const double longest = options.t_max - t;
    const double allowed = whole_bow > 0 ? std::sqrt(kBowShare * gap / whole_bow) : longest;
    const double h = std::min(longest, allowed);
    const PairBalls there = path.place(t + h);
    CcdOptions straight = options;
    straight.t_max = 1;
    straight.tolerance = std::min(options.tolerance, 0.1 * gap);
    straight.min_separation = options.min_separation + path.compute_bows(h) + 2 * rounding;
    const CcdResult chord =
        detect_on_chord({path.kind(), here.x, there.x, here.r, here.r}, straight, is_start);
    iterations += 1 + chord.iterations;
    const double advance = chord.is_hit ? chord.toi * h : h;
    if (!chord.is_hit && h == longest) return {false, std::numeric_limits<double>::infinity(), iterations};
    const double next = t + advance * (1 - 0x1p-50);
    if (!(next > t)) return make_hit(t, iterations);
    t = next;
    here = path.place(t);
  }
  return make_hit(t, iterations);
}

// Two bodies whose poses go evenly from start to end.
class PosePath {
 public:
  explicit PosePath(const CurvedQuery& query) : query_(query) {}
  PairKind kind() const { return query_.kind; }
  PairBalls place(double t) const { return place_pair(query_, t); }
  double compute_bows(double h) const { return compute_pair_bows(query_, h); }
  double compute_rounding() const { return compute_pair_rounding(query_); }

 private:
  const CurvedQuery& query_;
};

// Four vertices that go straight or turn.
class TurningPath {
 public:
  TurningPath(PairKind kind, const std::array<Index, 4>& vertices, const TurningPoints& points)
      : kind_(kind), vertices_(vertices), points_(points) {}

  PairKind kind() const { return kind_; }

  PairBalls place(double t) const {
    PairBalls balls;
    for (size_t i = 0; i < 4; ++i) {
      const Index v = vertices_[i];
      const Vec3 &x0 = points_.x0[v], &x1 = points_.x1[v];
      const Index frame = points_.frame_of_point[v];
      balls.x[i] = frame == kNone ? Vec3(x0 + t * (x1 - x0)) : points_.frames[frame].place(x0, t);
      balls.r[i] = points_.radii.empty() ? 0 : points_.radii[v];
    }
    return balls;
  }

  double compute_bows(double h) const {
    std::array<double, 2> bows = {0, 0};
    for (int i = 0; i < 4; ++i) {
      const Index v = vertices_[static_cast<size_t>(i)], frame = points_.frame_of_point[v];
      if (frame == kNone) continue;
      double& bow = bows[static_cast<size_t>(body_of(kind_, i))];
      bow = std::max(bow, points_.frames[frame].compute_bow(points_.x0[v], h));
    }
    return bows[0] + bows[1];
  }

  double compute_rounding() const {
    double size = 0;
    for (const Index v : vertices_) size = std::max({size, points_.x0[v].norm(), points_.x1[v].norm()});
    return kTransformError * size;
  }

 private:
  PairKind kind_;
  const std::array<Index, 4>& vertices_;
  const TurningPoints& points_;
};

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
  return advance_along_chords(PosePath(query), options);
}

Vec3 TurningFrame::place(const Vec3& X, double t) const {
  return center + t * shift + rotation_from_vector(t * rotation) * (X - center);
}

CcdResult detect_turning_collision(PairKind kind, const std::array<Index, 4>& vertices,
                                   const TurningPoints& points, const CcdOptions& options) {
  return advance_along_chords(TurningPath(kind, vertices, points), options);
}

}  // namespace marrow
