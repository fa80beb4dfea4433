#include "exact/motion.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/macros.h"
#include "exact/polynomial.h"

namespace marrow::exact {
namespace {

// Signs of moving points as polynomials of time.
struct MotionPolynomials {
  const Motion& motion;

  // Coordinate j minus coordinate i.
  Polynomial difference(int axis, Index i, Index j) const {
    const auto at = [axis](const Points& x, Index v) { return ExactNumber(x[static_cast<size_t>(v)][axis]); };
    const ExactNumber start = at(motion.x0, j) - at(motion.x0, i);
    const ExactNumber end = at(motion.x1, j) - at(motion.x1, i);
    return Polynomial({start, end - start});
  }

  Polynomial orient2(int axis, Index i, Index j, Index k) const {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    return difference(u, i, j) * difference(v, i, k) - difference(v, i, j) * difference(u, i, k);
  }

  Polynomial orient3(Index i, Index j, Index k, Index l) const {
    Polynomial sum;
    for (int axis = 0; axis < 3; ++axis) sum = sum + difference(axis, i, j) * orient2(axis, i, k, l);
    return sum;
  }
};

// Signs at one instant.
struct MotionSigns {
  MotionPolynomials polynomials;
  Root& time;

  int orient3(Index i, Index j, Index k, Index l) const {
    return time.sign_of(polynomials.orient3(i, j, k, l));
  }
  int orient2(int axis, Index i, Index j, Index k) const {
    return time.sign_of(polynomials.orient2(axis, i, j, k));
  }
  int order(int axis, Index i, Index j) const { return time.sign_of(polynomials.difference(axis, i, j)); }
};

// The polynomials whose roots are the times at which the arrangement of the vertices can change.
std::vector<Polynomial> list_events(const MotionPolynomials& polynomials, const std::vector<Index>& v) {
  std::vector<Polynomial> events;
  const auto add = [&](const Polynomial& p) {
    if (!p.is_zero()) events.push_back(p);
  };
  if (v.size() == 4) {
    add(polynomials.orient3(v[0], v[1], v[2], v[3]));
    if (!events.empty()) return events;
  }
  for (int axis = 0; axis < 3; ++axis) {
    for (size_t i = 0; i < v.size(); ++i) {
      for (size_t j = i + 1; j < v.size(); ++j) {
        add(polynomials.difference(axis, v[i], v[j]));
        for (size_t k = j + 1; k < v.size(); ++k) add(polynomials.orient2(axis, v[i], v[j], v[k]));
      }
    }
  }
  return events;
}

// The filter halves the interval of time at most this often.
constexpr int kFilterDepth = 3;
// A generous bound on the rounding of an interpolated coordinate, a product and two sums, relative to the
// size; a bound on underflow; and the size above which a product may overflow.
constexpr double kFilterError = 0x1p-48;
constexpr double kFilterUnderflow = 0x1p-1000;
constexpr double kFilterLargest = 0x1p1000;

// The corners of a pair at an end of an interval of time.
struct PairCorners {
  std::array<Vec3, 3> a;
  std::array<Vec3, 3> b;
};

struct SeparationFilter {
  const Motion& motion;
  const Simplex& A;
  const Simplex& B;

  PairCorners corners_at(double t) const {
    PairCorners corners;
    const auto at = [&](Index v) -> Vec3 {
      const Vec3& start = motion.x0[static_cast<size_t>(v)];
      return t == 0 ? start : start + t * (motion.x1[static_cast<size_t>(v)] - start);
    };
    for (int i = 0; i < A.count; ++i) corners.a[static_cast<size_t>(i)] = at(A[i]);
    for (int i = 0; i < B.count; ++i) corners.b[static_cast<size_t>(i)] = at(B[i]);
    return corners;
  }

  // True if max n·b < min n·a, beyond rounding.
  bool has_gap(const Vec3& n, const PairCorners& corners) const {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    double size = 0;
    for (int i = 0; i < A.count; ++i) {
      const Vec3& p = corners.a[static_cast<size_t>(i)];
      low = std::min(low, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
      size = std::max(size, p.cwiseAbs().maxCoeff());
    }
    for (int i = 0; i < B.count; ++i) {
      const Vec3& p = corners.b[static_cast<size_t>(i)];
      high = std::max(high, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
      size = std::max(size, p.cwiseAbs().maxCoeff());
    }
    // Above kFilterLargest a product could have overflowed; also false if anything is not finite.
    const double scale = (largest + size) * n.cwiseAbs().sum();
    return scale < kFilterLargest && low - high > kFilterError * scale + kFilterUnderflow;
  }

  bool is_apart_along(const Vec3& n, const PairCorners& start, const PairCorners& end) const {
    return (has_gap(n, start) && has_gap(n, end)) || (has_gap(-n, start) && has_gap(-n, end));
  }

  bool is_apart(double t0, double t1, int depth) const {
    const PairCorners start = corners_at(t0);
    const PairCorners end = corners_at(t1);
    const double t = 0.5 * (t0 + t1);
    const PairCorners middle = corners_at(t);
    // Two directions are tried: a normal of the pair, and the line through the centres.
    Vec3 normal = Vec3::Zero();
    if (B.count == 3) {
      normal = (middle.b[1] - middle.b[0]).cross(middle.b[2] - middle.b[0]);
    } else if (A.count == 2 && B.count == 2) {
      normal = (middle.a[1] - middle.a[0]).cross(middle.b[1] - middle.b[0]);
    }
    if (is_apart_along(normal, start, end)) return true;
    Vec3 centres = Vec3::Zero();
    for (int i = 0; i < A.count; ++i) centres += middle.a[static_cast<size_t>(i)] / A.count;
    for (int i = 0; i < B.count; ++i) centres -= middle.b[static_cast<size_t>(i)] / B.count;
    if (is_apart_along(centres, start, end)) return true;
    return depth > 0 && is_apart(t0, t, depth - 1) && is_apart(t, t1, depth - 1);
  }

  double largest = 0;  // largest coordinate at either end of the motion; bounds the error of interpolation
};

double compute_size(const Motion& motion, const Simplex& A, const Simplex& B) {
  double size = 0;
  for (const Simplex* s : {&A, &B}) {
    for (int i = 0; i < s->count; ++i) {
      const size_t v = static_cast<size_t>((*s)[i]);
      size = std::max({size, motion.x0[v].cwiseAbs().maxCoeff(), motion.x1[v].cwiseAbs().maxCoeff()});
    }
  }
  return size;
}

}  // namespace

bool is_surely_apart(const Motion& motion, const Simplex& A, const Simplex& B) {
  if (A.count > B.count) return is_surely_apart(motion, B, A);
  return SeparationFilter{motion, A, B, compute_size(motion, A, B)}.is_apart(0, 1, kFilterDepth);
}

std::optional<double> find_meeting(const Motion& motion, const Simplex& A, const Simplex& B) {
  if (is_surely_apart(motion, A, B)) return {};
  std::vector<Index> vertices;
  for (int i = 0; i < A.count; ++i) vertices.push_back(A[i]);
  for (int i = 0; i < B.count; ++i) vertices.push_back(B[i]);
  MARROW_ASSERT(vertices.size() <= 4);

  // Both ends are tested, and all events between them, polynomial by polynomial.
  if (meet(PointSigns{motion.x0}, A, B)) return 0.0;
  const MotionPolynomials polynomials{motion};
  for (const Polynomial& event : list_events(polynomials, vertices)) {
    for (Root& time : find_roots(event)) {
      if (meet(MotionSigns{polynomials, time}, A, B)) return time.approximate();
    }
  }
  if (meet(PointSigns{motion.x1}, A, B)) return 1.0;
  return {};
}

}  // namespace marrow::exact
