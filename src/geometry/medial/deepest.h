// The deepest penetration of two medial primitives, or their distance: g = min |c| − ρ over both.
//
//   c = Σ l_i a_i − Σ m_j b_j      ρ = Σ l_i ra_i + Σ m_j rb_j      l, m: weights, each at least 0, sum 1
//
// One enumeration serves every pair of spheres, cones and slabs (the paper has cases 0 to 4 for two cones and
// more for the others; docs/models/medial_elastics.md). g is convex, and its least value lies in the inside
// of a face: some balls of either primitive. On a face with free directions J, radius slopes s and base c₀,
// with J = QR and t = R⁻ᵀs, there is one candidate if |t| < 1, and none that a smaller face does not have
// otherwise:
//
//   η = −R⁻¹(Qᵀc₀ − t h/√(1 − |t|²)),    h = |c₀ − QQᵀc₀|
//
// A slab against a slab has 48 faces with an R that can be inverted, a cone against a cone 9.
//
// The certificate. For every |n| <= 1
//
//   LB(n) = min_i (n·a_i − ra_i) − max_j (n·b_j + rb_j) <= g
//
// with equality at the minimiser for n = Qt + √(1 − |t|²) (c₀ − QQᵀc₀)/h. It trusts nothing about how n was
// found, so `certified` is a proof of separation where it is positive. The search ends at the first face
// whose certificate meets its gap.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/medial/primitives.h"

namespace marrow {

struct Deepest {
  Vec3 weights_a = Vec3::Zero();  // of the balls, where the gap is smallest
  Vec3 weights_b = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit, from b to a: moving a by the depth along it separates the two. Where
                               // the medial axes cross (c = 0): the direction of the least such way among the
                               // normals of their faces and of pairs of edges
  double gap = 0;              // |c| − ρ there [m]; negative: the depth of penetration
  double certified = 0;        // no gap is smaller than this, rounding included [m]

  MARROW_HD bool is_apart() const { return certified > 0; }
};

// The deepest points of the two surfaces: of a into b, and of b into a. Apart: the closest ones.
struct DeepestPoints {
  Vec3 on_a, on_b;
};

namespace detail {

// Both primitives about the first ball of a, which rounding errors then have the size of.
struct DeepestPair {
  std::array<Vec3, 3> a, b;
  std::array<double, 3> ra, rb;
  int count_a, count_b;
  double scale;  // the largest coordinate or radius

  MARROW_HD DeepestPair(const MedialBalls& first, const MedialBalls& second)
      : count_a(first.count), count_b(second.count), scale(0) {
    for (size_t i = 0; i < 3; ++i) {
      a[i] = first.x[i] - first.x[0];
      b[i] = second.x[i] - first.x[0];
      ra[i] = first.r[i];
      rb[i] = second.r[i];
      scale = std::max({scale, a[i].norm(), b[i].norm(), ra[i], rb[i]});
    }
  }

  MARROW_HD Vec3 center(const Vec3& l, const Vec3& m) const {
    return l[0] * a[0] + l[1] * a[1] + l[2] * a[2] - m[0] * b[0] - m[1] * b[1] - m[2] * b[2];
  }
  MARROW_HD double radius(const Vec3& l, const Vec3& m) const {
    return l[0] * ra[0] + l[1] * ra[1] + l[2] * ra[2] + m[0] * rb[0] + m[1] * rb[1] + m[2] * rb[2];
  }
};

// LB(n), less what rounding may add: every sum has at most eight terms of the pair's scale.
MARROW_HD inline double compute_certificate(const DeepestPair& pair, const Vec3& n) {
  double front = INFINITY, back = -INFINITY;
  for (size_t i = 0; i < static_cast<size_t>(pair.count_a); ++i)
    front = std::min(front, n.dot(pair.a[i]) - pair.ra[i]);
  for (size_t j = 0; j < static_cast<size_t>(pair.count_b); ++j)
    back = std::max(back, n.dot(pair.b[j]) + pair.rb[j]);
  return front - back - 0x1p-48 * pair.scale;  // [derived: 16 units of 2⁻⁵², n longer than 1 by rounding]
}

// The free directions of a face, orthonormalised as they come: J = QR.
struct FaceDirections {
  int count = 0;
  std::array<Vec3, 3> q;
  std::array<std::array<double, 3>, 3> R;  // R[k][l]: of column l along q_k
  std::array<double, 3> t;                 // R⁻ᵀ s

  // False if the direction lies in the span of those before it, or is more than the space has room for.
  MARROW_HD bool add(const Vec3& column, double slope) {
    if (count == 3) return false;
    Vec3 rest = column;
    const auto n = static_cast<size_t>(count);
    for (size_t k = 0; k < n; ++k) R[k][n] = 0;
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough for full accuracy
      for (size_t k = 0; k < n; ++k) {
        const double along = q[k].dot(rest);
        R[k][n] += along;
        rest -= along * q[k];
      }
    }
    const double length = rest.norm();
    if (!(length > 1e-14 * column.norm())) return false;  // [derived: what is left is rounding]
    R[n][n] = length;
    q[n] = rest / length;
    t[n] = slope;
    for (size_t k = 0; k < n; ++k) t[n] -= R[k][n] * t[k];
    t[n] /= length;
    ++count;
    return true;
  }
};

struct FaceCandidate {
  Vec3 l = Vec3::Zero(), m = Vec3::Zero();
  Vec3 n = Vec3::Zero();  // the direction that certifies it; |n| <= 1
};

// Weights that are negative by rounding become 0. Returns false if one is negative by more.
MARROW_HD inline bool tidy_weights(Vec3& weights) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    if (!(weights[i] >= -1e-9)) return false;  // any weights in the simplex give a bound: the figure is free
    weights[i] = std::max(weights[i], 0.0);
    sum += weights[i];
  }
  weights /= sum;
  return true;
}

// The stationary point of a face, if it has one. Bits of the masks: which balls the face has.
MARROW_HD inline bool find_on_face(const DeepestPair& pair, int mask_a, int mask_b, FaceCandidate& found) {
  FaceDirections J;
  std::array<int, 4> ball = {0, 0, 0, 0};  // of direction k, b's after a's
  const auto bit = [](int mask, int i) { return (mask >> i & 1) != 0; };
  const auto lowest = [&](int mask) { return static_cast<size_t>(bit(mask, 0) ? 0 : bit(mask, 1) ? 1 : 2); };
  const size_t a0 = lowest(mask_a), b0 = lowest(mask_b);
  for (size_t i = a0 + 1; i < 3; ++i) {
    if (!bit(mask_a, static_cast<int>(i))) continue;
    ball[static_cast<size_t>(J.count)] = static_cast<int>(i);
    if (!J.add(pair.a[i] - pair.a[a0], pair.ra[i] - pair.ra[a0])) return false;
  }
  for (size_t j = b0 + 1; j < 3; ++j) {
    if (!bit(mask_b, static_cast<int>(j))) continue;
    ball[static_cast<size_t>(J.count)] = 3 + static_cast<int>(j);
    if (!J.add(pair.b[b0] - pair.b[j], pair.rb[j] - pair.rb[b0])) return false;
  }
  const auto count = static_cast<size_t>(J.count);
  double sigma2 = 0;
  for (size_t k = 0; k < count; ++k) sigma2 += J.t[k] * J.t[k];
  if (!(sigma2 < 1)) return false;
  const double cosine = std::sqrt(1 - sigma2);

  // What is left of c₀ across the face.
  const Vec3 base = pair.a[a0] - pair.b[b0];
  Vec3 across = base;
  std::array<double, 3> along = {0, 0, 0};
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t k = 0; k < count; ++k) {
      const double part = J.q[k].dot(across);
      along[k] += part;
      across -= part * J.q[k];
    }
  }
  // So little is rounding, and has no direction. [derived: 64 units of the coordinates]
  const double length = across.norm();
  const double h = count == 3 || length <= 0x1p-46 * pair.scale ? 0 : length;
  found.n.setZero();
  for (size_t k = 0; k < count; ++k) found.n += J.t[k] * J.q[k];
  if (h > 0) found.n += cosine / h * across;
  found.n /= std::max(1.0, found.n.norm());

  std::array<double, 3> eta = {0, 0, 0};
  for (size_t k = count; k-- > 0;) {
    double value = J.t[k] * h / cosine - along[k];
    for (size_t l = k + 1; l < count; ++l) value -= J.R[k][l] * eta[l];
    eta[k] = value / J.R[k][k];
  }
  found.l.setZero();
  found.m.setZero();
  found.l[static_cast<Eigen::Index>(a0)] = 1;
  found.m[static_cast<Eigen::Index>(b0)] = 1;
  for (size_t k = 0; k < count; ++k) {
    if (ball[k] < 3) {
      found.l[ball[k]] = eta[k];
      found.l[static_cast<Eigen::Index>(a0)] -= eta[k];
    } else {
      found.m[ball[k] - 3] = eta[k];
      found.m[static_cast<Eigen::Index>(b0)] -= eta[k];
    }
  }
  return tidy_weights(found.l) && tidy_weights(found.m);
}

// Where the medial axes cross, every direction is one of the gap's. This is the unit one with the best
// certificate, of the normals of faces and of pairs of edges: the least way out if no radius varies.
MARROW_HD inline Vec3 find_way_out(const DeepestPair& pair) {
  Vec3 best = Vec3::UnitX();
  double most = -INFINITY;
  const auto consider = [&](const Vec3& direction) {
    const double length = direction.norm();
    if (!(length > 0)) return;
    for (const double sign : {1.0, -1.0}) {
      const Vec3 n = sign / length * direction;
      const double value = compute_certificate(pair, n);
      if (value > most) {
        most = value;
        best = n;
      }
    }
  };
  consider((pair.a[0] + pair.a[1] + pair.a[2]) - (pair.b[0] + pair.b[1] + pair.b[2]));
  consider((pair.a[1] - pair.a[0]).cross(pair.a[2] - pair.a[0]));
  consider((pair.b[1] - pair.b[0]).cross(pair.b[2] - pair.b[0]));
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      consider((pair.a[(i + 1) % 3] - pair.a[i]).cross(pair.b[(j + 1) % 3] - pair.b[j]));
    }
  }
  return best;
}

}  // namespace detail

MARROW_HD inline Deepest find_deepest(const MedialBalls& a, const MedialBalls& b) {
  const detail::DeepestPair pair(a, b);
  const double hair = 0x1p-42 * pair.scale;  // [derived: 64 times the rounding of a certificate]
  Deepest best;
  best.gap = INFINITY;
  best.certified = -INFINITY;
  detail::FaceCandidate found;
  bool is_found = false;
  for (int mask_a = 1; mask_a < 1 << pair.count_a && !is_found; ++mask_a) {
    for (int mask_b = 1; mask_b < 1 << pair.count_b && !is_found; ++mask_b) {
      if (!detail::find_on_face(pair, mask_a, mask_b, found)) continue;
      const Vec3 c = pair.center(found.l, found.m);
      const double length = c.norm(), gap = length - pair.radius(found.l, found.m);
      if (gap > best.gap + hair) continue;
      best.certified = std::max(best.certified, detail::compute_certificate(pair, found.n));
      if (gap < best.gap) {
        best.gap = gap;
        best.weights_a = found.l;
        best.weights_b = found.m;
        const bool is_crossing = length <= hair;
        best.normal = is_crossing ? Vec3(Vec3::Zero()) : Vec3(c / length);
        if (!is_crossing)
          best.certified = std::max(best.certified, detail::compute_certificate(pair, best.normal));
      }
      is_found = best.gap - best.certified <= hair;
    }
  }
  if (best.normal.isZero(0)) best.normal = detail::find_way_out(pair);
  return best;
}

MARROW_HD inline DeepestPoints locate_deepest(const MedialBalls& a, const MedialBalls& b,
                                              const Deepest& deepest) {
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();
  double ra = 0, rb = 0;
  for (size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    on_a += deepest.weights_a[k] * a.x[i];
    on_b += deepest.weights_b[k] * b.x[i];
    ra += deepest.weights_a[k] * a.r[i];
    rb += deepest.weights_b[k] * b.r[i];
  }
  return {on_a - ra * deepest.normal, on_b + rb * deepest.normal};
}

}  // namespace marrow
