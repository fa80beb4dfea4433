#include "exact/radii.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "exact/number.h"

namespace marrow::exact {
namespace {

template <class Number>
using Coordinates = std::array<Number, 3>;

// Balls of one simplex, exactly (Number = ExactNumber) or rounded (double).
template <class Number>
struct Balls {
  int count = 0;
  std::array<Coordinates<Number>, 3> centres;
  std::array<double, 3> radii = {0, 0, 0};

  size_t size() const { return static_cast<size_t>(count); }
};
using Side = Balls<double>;

template <class Number>
struct BallPair {
  Balls<Number> a;
  Balls<Number> b;
};
using RoundedPair = BallPair<double>;
using ExactPair = BallPair<ExactNumber>;

// Weights of the corners of both sides.
struct Weights {
  std::array<double, 3> a = {0, 0, 0};
  std::array<double, 3> b = {0, 0, 0};
};

struct Nearest {
  Weights weights;
  Vec3 direction = Vec3::Zero();  // from b to a, unit length; zero if unknown
  double gap = std::numeric_limits<double>::infinity();
};

Vec3 to_vector(const Coordinates<double>& p) { return {p[0], p[1], p[2]}; }

template <class Number>
Number dot(const Vec3& n, const Coordinates<Number>& p) {
  return p[0] * n[0] + p[1] * n[1] + p[2] * n[2];
}

// A direction over an interval of time, n(u) = (1−u)² P₀ + 2u(1−u) P₁ + u² P₂: turning, or constant if all
// are the same. length bounds |P_k|, so |n(u)| too.
struct TurningNormal {
  std::array<Vec3, 3> control;
  double length;

  TurningNormal(const Vec3& p0, const Vec3& p1, const Vec3& p2) : control{p0, p1, p2} {
    // Rounding of a norm is far below 2⁻⁴⁸ of it.
    length = (1 + 0x1p-48) * std::max({p0.norm(), p1.norm(), p2.norm()});
  }
};

// A lower bound of 3 (n·(a_i − b_j) − |n| (r_i + r_j)) over all corners and an interval of time: the least of
// the Bernstein coefficients, cubic in time. Positive: a gap throughout, proven if Number is exact.
template <class Number>
Number compute_clearance(const TurningNormal& turn, const BallPair<Number>& begin,
                         const BallPair<Number>& end) {
  const auto& [P0, P1, P2] = turn.control;
  Number least = 0.0;
  bool is_first = true;
  for (size_t i = 0; i < begin.a.size(); ++i) {
    for (size_t j = 0; j < begin.b.size(); ++j) {
      Coordinates<Number> c0;
      Coordinates<Number> c1;
      for (size_t k = 0; k < 3; ++k) {
        c0[k] = begin.a.centres[i][k] - begin.b.centres[j][k];
        c1[k] = end.a.centres[i][k] - end.b.centres[j][k];
      }
      const Number reach = Number(begin.a.radii[i]) + Number(begin.b.radii[j]);
      const Number coefficients[] = {dot(P0, c0) * 3.0, dot(P0, c1) + dot(P1, c0) * 2.0,
                                     dot(P1, c1) * 2.0 + dot(P2, c0), dot(P2, c1) * 3.0};
      for (const Number& coefficient : coefficients) {
        const Number clearance = coefficient - reach * turn.length * 3.0;
        if (is_first || clearance < least) least = clearance;
        is_first = false;
      }
    }
  }
  return least;
}

// Adds Σ w_i (x_i, r_i) of a side to c (with a sign) and ρ. The largest weight is replaced by what the others
// leave of 1, exactly, so that they sum to 1; false if that is negative.
bool add_weighted(const Balls<ExactNumber>& side, const std::array<double, 3>& weights, double sign,
                  Coordinates<ExactNumber>& c, ExactNumber& rho) {
  const size_t largest =
      static_cast<size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  ExactNumber rest = 1.0;
  for (size_t i = 0; i < side.size(); ++i) {
    if (i != largest) rest = rest - weights[i];
  }
  if (rest.sign() < 0) return false;
  for (size_t i = 0; i < side.size(); ++i) {
    const ExactNumber weight = i == largest ? rest : ExactNumber(weights[i]);
    rho = rho + weight * side.radii[i];
    for (size_t k = 0; k < 3; ++k) c[k] = c[k] + weight * side.centres[i][k] * sign;
  }
  return true;
}

// Whether the balls at these weights have a point in common.
bool overlaps(const Weights& weights, const ExactPair& pair) {
  Coordinates<ExactNumber> c;
  ExactNumber rho;
  if (!add_weighted(pair.a, weights.a, 1, c, rho) || !add_weighted(pair.b, weights.b, -1, c, rho))
    return false;
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

// How c and ρ change with the free weights of a face, J and s, and G⁻¹.
struct FaceSlopes {
  Eigen::Matrix<double, 3, 2> J = Eigen::Matrix<double, 3, 2>::Zero();
  Vec2 s = Vec2::Zero();
  Eigen::Matrix2d inverse = Eigen::Matrix2d::Zero();

  // At the stationary point Jᵀc = s|c|. A short c is the difference of long vectors, so its direction has
  // lost digits; this gives them back.
  Vec3 refine(const Vec3& c) const { return c - J * (inverse * (J.transpose() * c - s * c.norm())); }
};

// The stationary point of g on the plane of a face with k = 0, 1 or 2 free weights η:
//   c = c₀ + J η, ρ = ρ₀ + s·η;  η = −G⁻¹Jᵀc₀ + G⁻¹s h / √(1 − sᵀG⁻¹s),  G = JᵀJ, h = |c₀ − J G⁻¹Jᵀ c₀|.
// False if there is none, or outside the face.
bool find_stationary(const Side& a, const Side& b, const Face& face, Weights& weights, FaceSlopes& slopes) {
  const int k = face.count_a + face.count_b - 2;
  slopes = {};
  auto& [J, s, inverse] = slopes;
  int column = 0;
  for (size_t i = 1; i < static_cast<size_t>(face.count_a); ++i, ++column) {
    J.col(column) = to_vector(a.centres[face.a[i]]) - to_vector(a.centres[face.a[0]]);
    s[column] = a.radii[face.a[i]] - a.radii[face.a[0]];
  }
  for (size_t j = 1; j < static_cast<size_t>(face.count_b); ++j, ++column) {
    J.col(column) = to_vector(b.centres[face.b[0]]) - to_vector(b.centres[face.b[j]]);
    s[column] = b.radii[face.b[j]] - b.radii[face.b[0]];
  }
  Vec2 eta = Vec2::Zero();
  if (k > 0) {
    Eigen::Matrix2d G = J.transpose() * J;
    if (k == 1) G(1, 1) = 1;
    if (!(G.determinant() > 0)) return false;
    inverse = G.inverse();
    const Vec3 c0 = to_vector(a.centres[face.a[0]]) - to_vector(b.centres[face.b[0]]);
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
  for (unsigned corners_a = 1; corners_a < 1U << a.count; ++corners_a) {
    for (unsigned corners_b = 1; corners_b < 1U << b.count; ++corners_b) {
      const Face face = make_face(corners_a, corners_b);
      Weights weights;
      FaceSlopes slopes;
      if (face.count_a + face.count_b > 4 || !find_stationary(a, b, face, weights, slopes)) continue;
      Vec3 c = Vec3::Zero();
      double rho = 0;
      for (size_t i = 0; i < 3; ++i) {
        if (weights.a[i] > 0) c += weights.a[i] * to_vector(a.centres[i]);
        if (weights.b[i] > 0) c -= weights.b[i] * to_vector(b.centres[i]);
        rho += weights.a[i] * a.radii[i] + weights.b[i] * b.radii[i];
      }
      const double length = c.norm();
      if (!(length - rho < nearest.gap)) continue;
      nearest = {weights, slopes.refine(slopes.refine(c)).stableNormalized(), length - rho};
    }
  }
  return nearest;
}

// Errors of rounded clearances, relative to the pair's size: generous.
constexpr double kRounding = 0x1p-44;

constexpr int kMaxIntervals = 20000;
constexpr double kShortestInterval = 0x1p-40;

// The pair at one time of its motion.
struct Instant {
  double time = 0;
  RoundedPair pair;
  Nearest nearest;
};

class PairMotion {
 public:
  PairMotion(const Motion& motion, std::span<const double> radii, const Simplex& A, const Simplex& B)
      : motion_(motion), radii_(radii), A_(A), B_(B) {
    for (const Simplex* simplex : {&A, &B}) {
      for (int i = 0; i < simplex->count; ++i) {
        const size_t v = static_cast<size_t>((*simplex)[i]);
        for (const Points* x : {&motion.x0, &motion.x1}) {
          size_ = std::max(size_, ((*x)[v] - (*x)[static_cast<size_t>(A[0])]).lpNorm<Eigen::Infinity>());
        }
        size_ = std::max(size_, radii[v]);
      }
    }
  }

  // Centres relative to a corner, so that rounding is relative to the pair's size.
  Instant at(double t) const {
    const size_t origin = static_cast<size_t>(A_[0]);
    const auto centre_of = [&](size_t v) -> Coordinates<double> {
      const Vec3 start = motion_.x0[v] - motion_.x0[origin];
      const Vec3 end = motion_.x1[v] - motion_.x1[origin];
      const Vec3 c = (1 - t) * start + t * end;
      return {c[0], c[1], c[2]};
    };
    Instant instant{t, {make_balls<double>(A_, centre_of), make_balls<double>(B_, centre_of)}, {}};
    instant.nearest = find_nearest(instant.pair.a, instant.pair.b);
    return instant;
  }

  // Proven to meet at this instant.
  bool meets(const Instant& instant) const {
    if (instant.nearest.gap > kRounding * size_) return false;
    return overlaps(instant.nearest.weights, exactly_at(instant.time));
  }

  // Proven apart by this direction from one instant to the other. In doubles, if they leave no doubt.
  bool separates(const TurningNormal& turn, const Instant& begin, const Instant& end) const {
    const double clearance = compute_clearance(turn, begin.pair, end.pair);
    const double error = kRounding * size_ * turn.length;
    if (!(std::abs(clearance) <= error)) return clearance > 0;
    return compute_clearance(turn, exactly_at(begin.time), exactly_at(end.time)).sign() > 0;
  }

 private:
  template <class Number, class CentreOf>
  Balls<Number> make_balls(const Simplex& simplex, const CentreOf& centre_of) const {
    Balls<Number> balls;
    balls.count = simplex.count;
    for (int i = 0; i < simplex.count; ++i) {
      const size_t v = static_cast<size_t>(simplex[i]);
      balls.centres[static_cast<size_t>(i)] = centre_of(v);
      balls.radii[static_cast<size_t>(i)] = radii_[v];
    }
    return balls;
  }

  ExactPair exactly_at(double t) const {
    const auto centre_of = [&](size_t v) {
      Coordinates<ExactNumber> centre;
      for (size_t k = 0; k < 3; ++k) {
        const ExactNumber start = motion_.x0[v][static_cast<Eigen::Index>(k)];
        const ExactNumber end = motion_.x1[v][static_cast<Eigen::Index>(k)];
        centre[k] = start + (end - start) * t;
      }
      return centre;
    };
    return {make_balls<ExactNumber>(A_, centre_of), make_balls<ExactNumber>(B_, centre_of)};
  }

  const Motion& motion_;
  std::span<const double> radii_;
  const Simplex& A_;
  const Simplex& B_;
  double size_ = 0;
};

}  // namespace

Gap classify_gap(const Points& points, std::span<const double> radii, const Simplex& A, const Simplex& B) {
  const Motion rest{points, points};
  const PairMotion pair(rest, radii, A, B);
  const Instant instant = pair.at(0);
  const Vec3& n = instant.nearest.direction;
  if (pair.separates(TurningNormal(n, n, n), instant, instant)) return Gap::Separated;
  if (pair.meets(instant) || meet(PointSigns{points}, A, B)) return Gap::Intersecting;
  return Gap::Undecided;
}

Gap classify_gap(const Motion& motion, std::span<const double> radii, const Simplex& A, const Simplex& B) {
  const PairMotion pair(motion, radii, A, B);
  struct Interval {
    Instant begin;
    Instant end;
  };
  std::vector<Interval> open = {{pair.at(0), pair.at(1)}};
  if (pair.meets(open[0].begin) || pair.meets(open[0].end)) return Gap::Intersecting;
  bool is_decided = true;
  for (int visited = 0; !open.empty(); ++visited) {
    if (visited == kMaxIntervals) return Gap::Undecided;
    const Interval interval = open.back();
    open.pop_back();
    const Instant middle = pair.at(0.5 * (interval.begin.time + interval.end.time));
    if (pair.meets(middle)) return Gap::Intersecting;
    // Proven apart throughout, by the direction of the middle or by one that turns with the pair?
    const Vec3& n0 = interval.begin.nearest.direction;
    const Vec3& n1 = middle.nearest.direction;
    const Vec3& n2 = interval.end.nearest.direction;
    if (pair.separates(TurningNormal(n1, n1, n1), interval.begin, interval.end)) continue;
    if (pair.separates(TurningNormal(n0, 2 * n1 - 0.5 * (n0 + n2), n2), interval.begin, interval.end))
      continue;
    if (interval.end.time - interval.begin.time < kShortestInterval) {
      is_decided = false;
      continue;
    }
    open.push_back({middle, interval.end});
    open.push_back({interval.begin, middle});
  }
  return is_decided ? Gap::Separated : Gap::Undecided;
}

}  // namespace marrow::exact
