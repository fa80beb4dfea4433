#include "geometry/exact_radii.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/exact_number.h"

namespace marrow::exact {
namespace {

using ExactPoint = std::array<ExactNumber, 3>;

// Balls of one simplex, exactly and rounded.
struct Side {
  int count = 0;
  std::array<ExactPoint, 3> exact;
  std::array<Vec3, 3> centres;
  std::array<double, 3> radii = {0, 0, 0};
};

// Weights of the corners of both sides.
struct Weights {
  std::array<double, 3> a = {0, 0, 0};
  std::array<double, 3> b = {0, 0, 0};
};

struct Nearest {
  Weights weights;
  Vec3 direction = Vec3::Zero();  // from b to a, unit length; zero if unknown
};

ExactNumber dot(const Vec3& n, const ExactPoint& p) { return p[0] * n[0] + p[1] * n[1] + p[2] * n[2]; }

// Whether n, |n| ≤ 1, proves a gap.
bool separates(const Vec3& n, const Side& a, const Side& b) {
  const ExactNumber squared_length = dot(n, {n[0], n[1], n[2]});
  if (ExactNumber(1.0) < squared_length) return false;
  std::array<ExactNumber, 3> upper;
  for (size_t j = 0; j < static_cast<size_t>(b.count); ++j) upper[j] = dot(n, b.exact[j]) + b.radii[j];
  for (size_t i = 0; i < static_cast<size_t>(a.count); ++i) {
    const ExactNumber lower = dot(n, a.exact[i]) - a.radii[i];
    for (size_t j = 0; j < static_cast<size_t>(b.count); ++j) {
      if (lower <= upper[j]) return false;
    }
  }
  return true;
}

// Adds Σ w_i (x_i, r_i) of a side to c (with a sign) and ρ. The largest weight is replaced by what the others
// leave of 1, exactly, so that they sum to 1; false if that is negative.
bool add_weighted(const Side& side, const std::array<double, 3>& weights, double sign, ExactPoint& c,
                  ExactNumber& rho) {
  const size_t largest =
      static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  ExactNumber rest = 1.0;
  for (size_t i = 0; i < static_cast<size_t>(side.count); ++i) {
    if (i != largest) rest = rest - weights[i];
  }
  if (rest.sign() < 0) return false;
  for (size_t i = 0; i < static_cast<size_t>(side.count); ++i) {
    const ExactNumber weight = i == largest ? rest : ExactNumber(weights[i]);
    rho = rho + weight * side.radii[i];
    for (size_t k = 0; k < 3; ++k) c[k] = c[k] + weight * side.exact[i][k] * sign;
  }
  return true;
}

// Whether the balls at these weights have a point in common.
bool overlaps(const Weights& weights, const Side& a, const Side& b) {
  ExactPoint c;
  ExactNumber rho;
  if (!add_weighted(a, weights.a, 1, c, rho) || !add_weighted(b, weights.b, -1, c, rho)) return false;
  return (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - rho * rho).sign() <= 0;
}

// A face: the corners in use on each side, as lists.
struct Face {
  std::array<size_t, 3> a = {0, 0, 0};
  std::array<size_t, 3> b = {0, 0, 0};
  int count_a = 0;
  int count_b = 0;
};

Face make_face(unsigned corners_a, unsigned corners_b) {
  Face face;
  for (size_t i = 0; i < 3; ++i) {
    if ((corners_a >> i & 1) != 0) face.a[static_cast<size_t>(face.count_a++)] = i;
    if ((corners_b >> i & 1) != 0) face.b[static_cast<size_t>(face.count_b++)] = i;
  }
  return face;
}

// The stationary point of g on the plane of a face with k = 0, 1 or 2 free weights η:
//   c = c₀ + J η, ρ = ρ₀ + s·η;  η = −G⁻¹Jᵀc₀ + G⁻¹s h / √(1 − sᵀG⁻¹s),  G = JᵀJ, h = |c₀ − J G⁻¹Jᵀ c₀|.
// False if there is none, or outside the face.
bool find_stationary(const Side& a, const Side& b, const Face& face, Weights& weights) {
  const int k = face.count_a + face.count_b - 2;
  Eigen::Matrix<double, 3, 2> J = Eigen::Matrix<double, 3, 2>::Zero();
  Vec2 s = Vec2::Zero();
  int column = 0;
  for (size_t i = 1; i < static_cast<size_t>(face.count_a); ++i, ++column) {
    J.col(column) = a.centres[face.a[i]] - a.centres[face.a[0]];
    s[column] = a.radii[face.a[i]] - a.radii[face.a[0]];
  }
  for (size_t j = 1; j < static_cast<size_t>(face.count_b); ++j, ++column) {
    J.col(column) = b.centres[face.b[0]] - b.centres[face.b[j]];
    s[column] = b.radii[face.b[j]] - b.radii[face.b[0]];
  }
  Vec2 eta = Vec2::Zero();
  if (k > 0) {
    Eigen::Matrix2d G = J.transpose() * J;
    if (k == 1) G(1, 1) = 1;
    if (!(G.determinant() > 0)) return false;
    const Eigen::Matrix2d inverse = G.inverse();
    const Vec3 c0 = a.centres[face.a[0]] - b.centres[face.b[0]];
    const Vec2 foot = -(inverse * (J.transpose() * c0));
    const double rest = 1 - s.dot(inverse * s);
    if (!(rest > 0)) return false;
    eta = foot + inverse * s * ((c0 + J * foot).norm() / std::sqrt(rest));
  }
  weights = {};
  weights.a[face.a[0]] = weights.b[face.b[0]] = 1;
  for (int i = 0; i < k; ++i) {
    if (!(eta[i] >= 0)) return false;
    const bool is_a = i < face.count_a - 1;
    const size_t corner = static_cast<size_t>(is_a ? i + 1 : i + 2 - face.count_a);
    (is_a ? weights.a[face.a[corner]] : weights.b[face.b[corner]]) = eta[i];
    (is_a ? weights.a[face.a[0]] : weights.b[face.b[0]]) -= eta[i];
  }
  return weights.a[face.a[0]] >= 0 && weights.b[face.b[0]] >= 0;
}

// The smallest gap over all faces, in doubles.
Nearest find_nearest(const Side& a, const Side& b) {
  Nearest nearest;
  double best = std::numeric_limits<double>::infinity();
  for (unsigned corners_a = 1; corners_a < 1U << a.count; ++corners_a) {
    for (unsigned corners_b = 1; corners_b < 1U << b.count; ++corners_b) {
      const Face face = make_face(corners_a, corners_b);
      Weights weights;
      if (face.count_a + face.count_b > 4 || !find_stationary(a, b, face, weights)) continue;
      Vec3 c = Vec3::Zero();
      double rho = 0;
      for (size_t i = 0; i < 3; ++i) {
        if (weights.a[i] > 0) c += weights.a[i] * a.centres[i];
        if (weights.b[i] > 0) c -= weights.b[i] * b.centres[i];
        rho += weights.a[i] * a.radii[i] + weights.b[i] * b.radii[i];
      }
      const double length = c.norm();
      if (!(length - rho < best)) continue;
      best = length - rho;
      // A little shorter than 1, so that it is not longer in spite of rounding.
      nearest = {weights, length > 0 ? Vec3(c * ((1 - 0x1p-48) / length)) : Vec3::Zero()};
    }
  }
  return nearest;
}

// Centres relative to a corner of the pair, so that rounding is relative to the pair's size.
void set_centres(Side& a, Side& b) {
  const ExactPoint origin = a.exact[0];
  for (Side* side : {&a, &b}) {
    for (size_t i = 0; i < static_cast<size_t>(side->count); ++i) {
      for (size_t k = 0; k < 3; ++k) {
        side->centres[i][static_cast<Eigen::Index>(k)] = (side->exact[i][k] - origin[k]).approximate();
      }
    }
  }
}

template <class PointAt>
Side make_side(const Simplex& simplex, std::span<const double> radii, const PointAt& point_at) {
  Side side;
  side.count = simplex.count;
  for (int i = 0; i < simplex.count; ++i) {
    const size_t corner = static_cast<size_t>(i);
    side.exact[corner] = point_at(simplex[i]);
    side.radii[corner] = radii[static_cast<size_t>(simplex[i])];
  }
  return side;
}

// The pair at one time of its motion.
struct Instant {
  Side a;
  Side b;
};

struct PairMotion {
  const Motion& motion;
  std::span<const double> radii;
  const Simplex& A;
  const Simplex& B;

  Instant at(double t) const {
    const auto point_at = [&](Index v) {
      ExactPoint point;
      for (int k = 0; k < 3; ++k) {
        const ExactNumber start = motion.x0[static_cast<size_t>(v)][k];
        const ExactNumber end = motion.x1[static_cast<size_t>(v)][k];
        point[static_cast<size_t>(k)] = start + (end - start) * t;
      }
      return point;
    };
    Instant instant{make_side(A, radii, point_at), make_side(B, radii, point_at)};
    set_centres(instant.a, instant.b);
    return instant;
  }
};

constexpr int kMaxIntervals = 2000;
constexpr double kShortestInterval = 0x1p-40;

}  // namespace

Gap classify_gap(const Points& points, std::span<const double> radii, const Simplex& A, const Simplex& B) {
  if (meet(PointSigns{points}, A, B)) return Gap::Intersecting;
  const auto point_at = [&](Index v) -> ExactPoint {
    const Vec3& p = points[static_cast<size_t>(v)];
    return {p[0], p[1], p[2]};
  };
  Side a = make_side(A, radii, point_at);
  Side b = make_side(B, radii, point_at);
  set_centres(a, b);
  const Nearest nearest = find_nearest(a, b);
  if (separates(nearest.direction, a, b)) return Gap::Separated;
  return overlaps(nearest.weights, a, b) ? Gap::Intersecting : Gap::Undecided;
}

Gap classify_gap(const Motion& motion, std::span<const double> radii, const Simplex& A, const Simplex& B) {
  const PairMotion pair{motion, radii, A, B};
  struct Interval {
    double begin;
    double end;
  };
  std::vector<Interval> open = {{0, 1}};
  bool is_decided = true;
  for (int visited = 0; !open.empty(); ++visited) {
    if (visited == kMaxIntervals) return Gap::Undecided;
    const Interval interval = open.back();
    open.pop_back();
    const double middle = 0.5 * (interval.begin + interval.end);
    // Proven to meet at an instant?
    for (const double t : {interval.begin, middle, interval.end}) {
      const Instant instant = pair.at(t);
      if (overlaps(find_nearest(instant.a, instant.b).weights, instant.a, instant.b))
        return Gap::Intersecting;
    }
    // Proven apart throughout, by a direction that suits the middle?
    const Instant start = pair.at(interval.begin);
    const Instant end = pair.at(interval.end);
    const Instant instant = pair.at(middle);
    const Vec3 n = find_nearest(instant.a, instant.b).direction;
    if (separates(n, start.a, start.b) && separates(n, end.a, end.b)) continue;
    if (interval.end - interval.begin < kShortestInterval) {
      is_decided = false;
      continue;
    }
    open.push_back({middle, interval.end});
    open.push_back({interval.begin, middle});
  }
  return is_decided ? Gap::Separated : Gap::Undecided;
}

}  // namespace marrow::exact
