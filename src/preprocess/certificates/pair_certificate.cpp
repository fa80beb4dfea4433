#include "preprocess/certificates/pair_certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/distance/distance.h"
#include "math/eigen3.h"

namespace marrow {
namespace {

constexpr double kInside = 1e-9;  // a minimum this far outside its face still counts, which only lowers
constexpr double kDistanceRounding = 1 - 1e-9;  // for the rounding of distances
constexpr double kLeastPivot = 1e-10;           // relative; below it rounding may decide

// Corners of a face: 0 | 1 2 3 (corner, triangle) or 0 1 | 2 3 (edges).
struct Face {
  PairKind kind;
  std::array<int, 4> corners;
};

constexpr std::array<Face, 15> make_faces() {
  std::array<Face, 15> faces = {};
  size_t count = 0;
  for (int v = 0; v < 3; ++v) {
    faces[count++] = {PairKind::PointTriangle, {v, 3, 4, 5}};
    faces[count++] = {PairKind::PointTriangle, {3 + v, 0, 1, 2}};
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      faces[count++] = {PairKind::EdgeEdge, {i, (i + 1) % 3, 3 + j, 3 + (j + 1) % 3}};
    }
  }
  return faces;
}
constexpr std::array<Face, 15> kFaces = make_faces();

// A vector e_i − e_j over the corners.
struct Difference {
  int i, j;
};

struct Forms {
  const PairCorners& pair;

  Vec3 image(Difference d) const {
    return pair.X[static_cast<size_t>(d.i)] - pair.X[static_cast<size_t>(d.j)];
  }
  double green(Difference a, Difference b) const {
    return (pair.G(a.i, b.i) - pair.G(a.i, b.j)) - (pair.G(a.j, b.i) - pair.G(a.j, b.j));
  }
};

// d₁, d₂ and the base.
std::array<Difference, 3> basis_of(const Face& face) {
  const auto& c = face.corners;
  if (face.kind == PairKind::PointTriangle) return {{{c[1], c[2]}, {c[1], c[3]}, {c[0], c[1]}}};
  return {{{c[1], c[0]}, {c[2], c[3]}, {c[0], c[2]}}};
}

struct Pencil {
  Mat3 m, g;

  Pencil(const Forms& forms, const std::array<Difference, 3>& basis) {
    const std::array<Vec3, 3> w = {forms.image(basis[0]), forms.image(basis[1]), forms.image(basis[2])};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
        m(i, j) = m(j, i) = w[a].dot(w[b]);
        g(i, j) = g(j, i) = forms.green(basis[a], basis[b]);
      }
    }
  }
};

// Whether a symmetric matrix is not positive definite, or so nearly that rounding may decide.
bool has_small_pivot(const Mat3& A, const Vec3& scale) {
  const double p0 = A(0, 0);
  if (!(p0 > kLeastPivot * scale[0])) return true;
  const double l1 = A(1, 0) / p0;
  const double l2 = A(2, 0) / p0;
  const double p1 = A(1, 1) - l1 * A(1, 0);
  if (!(p1 > kLeastPivot * scale[1])) return true;
  const double u = A(2, 1) - l2 * A(1, 0);
  const double p2 = A(2, 2) - l2 * A(2, 0) - u * u / p1;
  return !(p2 > kLeastPivot * scale[2]);
}

double face_distance(const PairCorners& pair, const Face& face) {
  PairBalls balls = {};
  for (size_t k = 0; k < 4; ++k) balls.x[k] = pair.X[static_cast<size_t>(face.corners[k])];
  return std::sqrt(std::max(find_closest(face.kind, balls).compute_squared(), 0.0));
}

bool shares_vertex(const PairCorners& pair, const Face& face) {
  const size_t split = face.kind == PairKind::PointTriangle ? 1 : 2;
  for (size_t i = 0; i < split; ++i) {
    for (size_t j = split; j < 4; ++j) {
      if (pair.ids[static_cast<size_t>(face.corners[i])] == pair.ids[static_cast<size_t>(face.corners[j])])
        return true;
    }
  }
  return false;
}

// The least quotient where a corner meets an edge, ends included: stationary points are roots of a quadratic.
double least_on_edge(const Forms& forms, int v, int p, int q) {
  const Difference d = {p, q};
  const Difference b = {v, p};
  const Vec3 w = forms.image(d);
  const Vec3 x = forms.image(b);
  const double m2 = w.dot(w), m1 = w.dot(x), m0 = x.dot(x);
  const double g2 = forms.green(d, d), g1 = forms.green(d, b), g0 = forms.green(b, b);
  const auto quotient = [&](double t) {
    const double numerator = std::max((m2 * t + 2 * m1) * t + m0, 0.0);
    const double denominator = (g2 * t + 2 * g1) * t + g0;
    return denominator > 0 ? numerator / denominator : 0;
  };
  double least = std::min(quotient(0), quotient(1));
  const double a = m2 * g1 - m1 * g2;
  const double h = 0.5 * (m2 * g0 - m0 * g2);
  const double c = m1 * g0 - m0 * g1;
  const double root = std::sqrt(std::max(h * h - a * c, 0.0));
  const double k = -(h + (h < 0 ? -root : root));
  for (const double t : {k / a, c / k}) {
    if (t > 0 && t < 1) least = std::min(least, quotient(t));
  }
  return least;
}

// The smallest eigenvalue if its eigenvector lies in the face; else infinity.
double least_inside(const Face& face, const Pencil& pencil, double fallback) {
  const Mat3& g = pencil.g;
  if (has_small_pivot(g, g.diagonal())) return fallback;
  const double l00 = std::sqrt(g(0, 0)), l10 = g(1, 0) / l00, l20 = g(2, 0) / l00;
  const double l11 = std::sqrt(g(1, 1) - l10 * l10), l21 = (g(2, 1) - l20 * l10) / l11;
  const double l22 = std::sqrt(g(2, 2) - l20 * l20 - l21 * l21);
  Mat3 inverse = Mat3::Zero();  // of the factor
  inverse(0, 0) = 1 / l00;
  inverse(1, 1) = 1 / l11;
  inverse(2, 2) = 1 / l22;
  inverse(1, 0) = -l10 / (l00 * l11);
  inverse(2, 1) = -l21 / (l11 * l22);
  inverse(2, 0) = (l10 * l21 - l20 * l11) / (l00 * l11 * l22);
  const Eigen3 eigen = compute_eigen3(inverse * pencil.m * inverse.transpose());
  int smallest = 0;
  const double value = std::max(eigen.values.minCoeff(&smallest), 0.0);
  const Vec3 v = inverse.transpose() * eigen.vectors.col(smallest);
  const double s = v[0] / v[2];
  const double t = v[1] / v[2];
  const bool is_inside = face.kind == PairKind::PointTriangle
                             ? s > -kInside && t > -kInside && s + t < 1 + kInside
                             : s > -kInside && t > -kInside && s < 1 + kInside && t < 1 + kInside;
  return is_inside ? value : std::numeric_limits<double>::infinity();
}

// Distance over the largest denominator, which is at a pair of corners: below every quotient of the face.
double cheap_bound(const Forms& forms, const Face& face, double distance) {
  const size_t split = face.kind == PairKind::PointTriangle ? 1 : 2;
  double largest = 0;
  for (size_t i = 0; i < split; ++i) {
    for (size_t j = split; j < 4; ++j) {
      const Difference d = {face.corners[i], face.corners[j]};
      largest = std::max(largest, forms.green(d, d));
    }
  }
  return largest > 0 ? distance * distance / largest : 0;
}

double least_on_rim(const Forms& forms, const Face& face) {
  const auto& c = face.corners;
  if (face.kind == PairKind::PointTriangle) {
    return std::min({least_on_edge(forms, c[0], c[1], c[2]), least_on_edge(forms, c[0], c[2], c[3]),
                     least_on_edge(forms, c[0], c[3], c[1])});
  }
  return std::min({least_on_edge(forms, c[0], c[2], c[3]), least_on_edge(forms, c[1], c[2], c[3]),
                   least_on_edge(forms, c[2], c[0], c[1]), least_on_edge(forms, c[3], c[0], c[1])});
}

}  // namespace

void lower_to_certificate(const PairCorners& pair, double clearance, double& best) {
  const Forms forms{pair};
  for (const Face& face : kFaces) {
    if (shares_vertex(pair, face)) continue;
    const double distance = face_distance(pair, face);
    const double left = 1 - clearance / distance;
    if (!(left > 0)) best = 0;
    if (best <= 0) return;
    const double factor = left * left;
    const double cheap = kDistanceRounding * cheap_bound(forms, face, distance);
    if (factor * cheap >= best) continue;
    const Pencil pencil(forms, basis_of(face));
    if (!has_small_pivot(pencil.m - best / factor * pencil.g, pencil.m.diagonal())) continue;
    const double least = std::min(least_inside(face, pencil, cheap), least_on_rim(forms, face));
    best = std::min(best, factor * least);
  }
}

}  // namespace marrow
