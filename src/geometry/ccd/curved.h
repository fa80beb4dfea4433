// Continuous collision detection of rigid bodies on curved paths: chords, with a proven bound on the bow.
//
// A body's pose goes evenly from (p₀, θ₀) to (p₁, θ₁), θ a rotation vector: x(t) = p(t) + R(θ(t)) X. With
// R = exp[θ], its angular velocity is ω = (∫₀¹ exp(s[θ]) ds) θ′, so
//
//   |ω| <= |Δθ|,      |ω′| <= ½ |Δθ|²,      |x″| = |ω′×RX + ω×(ω×RX)| <= 3/2 |Δθ|² |X|
//
// and over a stretch of length h the path leaves its chord by at most  β = h²/8 max|x″| <= 3/16 h² |Δθ|² |X|.
// So the pair is free on the stretch if the chords keep a gap of β_A + β_B, which the straight test answers
// with that much more separation (thesis, chapter 4, algorithm 4.1 asks the same of intervals).
//
// The stretch is chosen so that the bows are a quarter of the present gap. The gap is thus never used up by
// them, and the first stretch always has a positive length.
#pragma once

#include <span>

#include "geometry/ccd/ccd.h"

namespace marrow {

struct RigidPose {
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // rotation vector [rad]
};

// Where a body point is at a pose.
Vec3 transform_point(const RigidPose& pose, const Vec3& X);

// The pose at time t in [0, 1].
RigidPose interpolate(const RigidPose& start, const RigidPose& end, double t);

// Bound of the distance between path and chord over a stretch of length h, for a point at distance r from the
// origin.
double compute_bow_bound(const RigidPose& start, const RigidPose& end, double r, double h);

// Two simplices of two bodies, in the order of closest.h; the front simplex belongs to the first body.
struct CurvedQuery {
  PairKind kind = PairKind::EdgeEdge;
  std::array<Vec3, 4> points;  // in the body frames
  std::array<double, 4> radii = {0, 0, 0, 0};
  std::array<RigidPose, 2> start, end;
};

// Conservative like the straight methods: never later than the first contact. The options' method is not
// used.
CcdResult detect_curved_collision(const CurvedQuery& query, const CcdOptions& options);

// A body that goes straight while it turns evenly about a fixed axis: x(t) = c + t shift + R(t rotation) (X −
// c). Then |x″| <= |rotation|² |X − c|.
struct TurningFrame {
  Vec3 center = Vec3::Zero();  // c, at time 0
  Vec3 shift = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // rotation vector [rad]

  Vec3 place(const Vec3& X, double t) const;

  // Bound of the distance between path and chord over a stretch of length h.
  double compute_bow(const Vec3& X, double h) const {
    constexpr double kRounding = 1 + 1e-12;
    return kRounding / 8 * h * h * rotation.squaredNorm() * (X - center).norm();
  }
};

// Vertices of which some go straight from x0 to x1, and the others turn with a frame from x0 (and arrive at
// x1).
struct TurningPoints {
  std::span<const Vec3> x0, x1;
  std::span<const double> radii;          // one per vertex; empty: all zero
  std::span<const Index> frame_of_point;  // kNone: straight
  std::span<const TurningFrame> frames;
};

// One pair of them, conservatively.
CcdResult detect_turning_collision(PairKind kind, const std::array<Index, 4>& vertices,
                                   const TurningPoints& points, const CcdOptions& options);

}  // namespace marrow
