#include "geometry/distance/nearest_point.h"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

namespace marrow {
namespace {

double nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length2 = along.squaredNorm();
  return length2 > 0 ? std::clamp(along.dot(p - a) / length2, 0.0, 1.0) : 0;
}

}  // namespace

Vec3 find_nearest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  // Inside, if the foot of the perpendicular is.
  const Vec3 ab = b - a, ac = c - a, ap = p - a;
  const Vec3 n = ab.cross(ac);
  const double area2 = n.squaredNorm();
  if (area2 > 0) {
    const double v = ap.cross(ac).dot(n) / area2, w = ab.cross(ap).dot(n) / area2;
    if (v >= 0 && w >= 0 && v + w <= 1) return {1 - v - w, v, w};
  }
  // Else on an edge.
  const double s = nearest_on_segment(p, a, b), t = nearest_on_segment(p, b, c),
               u = nearest_on_segment(p, c, a);
  const std::array<Vec3, 3> weights = {Vec3(1 - s, s, 0), Vec3(0, 1 - t, t), Vec3(u, 0, 1 - u)};
  Vec3 best = weights[0];
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& k : weights) {
    const double squared = (k[0] * a + k[1] * b + k[2] * c - p).squaredNorm();
    if (squared < least) {
      least = squared;
      best = k;
    }
  }
  return best;
}

Vec4 compute_barycentric(const Vec3& p, const std::array<Vec3, 4>& tet) {
  Mat3 edges;
  for (size_t k = 0; k < 3; ++k) edges.col(static_cast<Index>(k)) = tet[k + 1] - tet[0];
  const Vec3 inner = edges.partialPivLu().solve(Vec3(p - tet[0]));
  return {1 - inner.sum(), inner[0], inner[1], inner[2]};
}

Vec4 find_nearest_weights(const Vec3& p, const std::array<Vec3, 4>& tet) {
  const Vec4 inside = compute_barycentric(p, tet);
  if (inside.minCoeff() >= 0) return inside;
  Vec4 best = Vec4::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (size_t left_out = 0; left_out < 4; ++left_out) {
    const size_t a = (left_out + 1) % 4, b = (left_out + 2) % 4, c = (left_out + 3) % 4;
    const Vec3 w = find_nearest_weights(p, tet[a], tet[b], tet[c]);
    const double squared = (w[0] * tet[a] + w[1] * tet[b] + w[2] * tet[c] - p).squaredNorm();
    if (!(squared < least)) continue;
    least = squared;
    best.setZero();
    best[static_cast<Index>(a)] = w[0];
    best[static_cast<Index>(b)] = w[1];
    best[static_cast<Index>(c)] = w[2];
  }
  return best;
}

}  // namespace marrow
