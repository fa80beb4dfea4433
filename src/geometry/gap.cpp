#include "geometry/gap.h"

#include <cmath>

namespace marrow {
namespace {

// c = base + u·C₁ + v·C₂ and ρ likewise, over the square or the triangle.
struct Face {
  Vec3 C1, C2, C3;
  double R1, R2, R3;

  double compute_gap(double u, double v) const {
    return (u * C1 + v * C2 + C3).norm() - (u * R1 + v * R2 + R3);
  }
};

Face make_face(PairKind kind, const PairBalls& b) {
  if (kind == PairKind::EdgeEdge) {
    return {b.x[1] - b.x[0], b.x[2] - b.x[3], b.x[0] - b.x[2],
            b.r[1] - b.r[0], b.r[3] - b.r[2], b.r[0] + b.r[2]};
  }
  return {b.x[1] - b.x[2], b.x[1] - b.x[3], b.x[0] - b.x[1],
          b.r[2] - b.r[1], b.r[3] - b.r[1], b.r[0] + b.r[1]};
}

// The minimiser of |base + x J| − x s on [0, 1].
double minimize_segment(const Vec3& base, const Vec3& J, double s) {
  const double length2 = J.squaredNorm();
  if (length2 <= s * s) return s > 0 ? 1 : 0;  // one end ball contains the other: the larger one
  const double foot = -J.dot(base) / length2;
  const double h = (base + foot * J).norm();
  return std::clamp(foot + s / length2 * h / std::sqrt(1 - s * s / length2), 0.0, 1.0);
}

struct Parameters {
  double u, v, rest;
};

void consider(const Face& face, const Parameters& p, Parameters& best, double& best_gap) {
  const double gap = face.compute_gap(p.u, p.v);
  if (gap < best_gap) {
    best = p;
    best_gap = gap;
  }
}

// The stationary point in the plane of both parameters, if it is inside the domain.
bool find_interior(PairKind kind, const Face& f, Parameters& p) {
  const double a = f.C1.squaredNorm(), b = f.C1.dot(f.C2), c = f.C2.squaredNorm();
  const double det = a * c - b * b;
  if (!(det > 1e-13 * a * c)) return false;
  const auto solve = [&](double x, double y) { return Vec2((c * x - b * y) / det, (a * y - b * x) / det); };
  const Vec2 foot = solve(-f.C1.dot(f.C3), -f.C2.dot(f.C3));
  const Vec2 tilt = solve(f.R1, f.R2);
  const double sigma2 = f.R1 * tilt[0] + f.R2 * tilt[1];
  if (!(sigma2 < 1)) return false;
  const double h = (foot[0] * f.C1 + foot[1] * f.C2 + f.C3).norm();
  const Vec2 eta = foot + tilt * (h / std::sqrt(1 - sigma2));
  p = {eta[0], eta[1], 1 - eta[0] - eta[1]};
  const bool is_in_square = p.u > 0 && p.v > 0 && p.u < 1 && p.v < 1;
  return is_in_square && (kind == PairKind::EdgeEdge || p.rest > 0);
}

}  // namespace

PairPoint find_gap(PairKind kind, const PairBalls& balls) {
  const Face f = make_face(kind, balls);
  const double u0 = minimize_segment(f.C3, f.C1, f.R1);
  Parameters best = {u0, 0, 1 - u0};
  double best_gap = f.compute_gap(best.u, best.v);
  const double v0 = minimize_segment(f.C3, f.C2, f.R2);
  consider(f, {0, v0, 1 - v0}, best, best_gap);
  if (kind == PairKind::EdgeEdge) {
    consider(f, {minimize_segment(f.C3 + f.C2, f.C1, f.R1), 1, 0}, best, best_gap);
    consider(f, {1, minimize_segment(f.C3 + f.C1, f.C2, f.R2), 0}, best, best_gap);
  } else {
    const double across = minimize_segment(f.C3 + f.C2, f.C1 - f.C2, f.R1 - f.R2);
    consider(f, {across, 1 - across, 0}, best, best_gap);
  }
  Parameters interior;
  if (find_interior(kind, f, interior)) consider(f, interior, best, best_gap);
  return make_point(shape_of(kind), balls, make_weights(kind, {best.u, best.v, best.rest}));
}

}  // namespace marrow
