#include "geometry/certificates/patch_energy.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/macros.h"
#include "exec/parallel.h"
#include "geometry/certificates/patch_sums.h"

namespace marrow {
namespace {

// Bounds of relative rounding errors. A sum of hinges has at most some thousand terms one after the other;
// one of triangles as many as a leaf, then one a level. A hinge is three products of differences, each
// difference at most four times the size of x in its three coordinates together.
constexpr double kSumError = 2e-12;
constexpr double kMomentError = 1e-12;
constexpr double kHingeError = 1e-14;
constexpr double kLine = 1e-6;    // of the largest variance
constexpr double kRidge = 1e-10;  // of the trace, so that H can be inverted

static_assert(sizeof(PatchHinge) == sizeof(patch_sums::Hinge) &&
              sizeof(Triangle) == 3 * sizeof(std::int32_t) && sizeof(Vec3) == 3 * sizeof(double));

void add_hinges(std::span<const PatchHinge> hinges, const Points& x, PatchSums& sums) {
  if (hinges.empty()) return;
  const auto* raw = reinterpret_cast<const patch_sums::Hinge*>(hinges.data());
  patch_sums::choose_kernels().add_hinges(raw, hinges.size(), x[0].data(), sums.H.data(), sums.B.data());
}

std::array<double, 6> to_array(const Mat3& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
}

Mat3 to_square(const std::array<double, 9>& s) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(s.data());
}

// E as a quadratic function of the pull-back. H as xx xy xz yy yz zz, B by rows.
struct Quadratic {
  std::array<double, 6> H;
  std::array<double, 9> B;

  Quadratic(const PatchShape& shape, const PatchSums& sums) : H(sums.H), B(sums.B) {
    // M = (second − first X̄ᵀ) P, by rows.
    const auto& P = shape.P;
    const auto& R = shape.rest;
    std::array<double, 9> M;
    for (size_t i = 0; i < 3; ++i) {
      const double s0 = sums.second[3 * i] - sums.first[i] * shape.centre[0];
      const double s1 = sums.second[3 * i + 1] - sums.first[i] * shape.centre[1];
      const double s2 = sums.second[3 * i + 2] - sums.first[i] * shape.centre[2];
      M[3 * i] = s0 * P[0] + s1 * P[1] + s2 * P[2];
      M[3 * i + 1] = s0 * P[1] + s1 * P[3] + s2 * P[4];
      M[3 * i + 2] = s0 * P[2] + s1 * P[4] + s2 * P[5];
    }
    const auto dot = [&](size_t i, size_t j) {
      return M[3 * i] * M[3 * j] + M[3 * i + 1] * M[3 * j + 1] + M[3 * i + 2] * M[3 * j + 2];
    };
    H[0] += dot(0, 0);
    H[1] += dot(0, 1);
    H[2] += dot(0, 2);
    H[3] += dot(1, 1);
    H[4] += dot(1, 2);
    H[5] += dot(2, 2);
    for (size_t j = 0; j < 3; ++j) {
      const double m0 = M[3 * j], m1 = M[3 * j + 1], m2 = M[3 * j + 2];
      B[j] += R[0] * m0 + R[1] * m1 + R[2] * m2;
      B[3 + j] += R[1] * m0 + R[3] * m1 + R[4] * m2;
      B[6 + j] += R[2] * m0 + R[4] * m1 + R[5] * m2;
    }
  }

  void add(const Quadratic& other) {
    for (size_t i = 0; i < 6; ++i) H[i] += other.H[i];
    for (size_t i = 0; i < 9; ++i) B[i] += other.B[i];
  }
  double trace() const { return H[0] + H[3] + H[5]; }
};

// B (H + ridge)⁻¹ by cofactors, by rows: how accurate does not matter.
std::array<double, 9> solve_pull_back(const Quadratic& q) {
  const double ridge = kRidge * q.trace();
  const double a = q.H[0] + ridge, b = q.H[1], c = q.H[2], d = q.H[3] + ridge, e = q.H[4], f = q.H[5] + ridge;
  const double aa = d * f - e * e, bb = c * e - b * f, cc = b * e - c * d;
  const double dd = a * f - c * c, ee = b * c - a * e, ff = a * d - b * b;
  const double scale = 1 / (a * aa + b * bb + c * cc);
  std::array<double, 9> A;
  for (size_t i = 0; i < 9; i += 3) {
    const double x = scale * q.B[i], y = scale * q.B[i + 1], z = scale * q.B[i + 2];
    A[i] = x * aa + y * bb + z * cc;
    A[i + 1] = x * bb + y * dd + z * ee;
    A[i + 2] = x * cc + y * ee + z * ff;
  }
  return A;
}

// An upper bound of √E with this pull-back.
double bound_energy(const PatchShape& shape, double size, const Quadratic& q,
                    const std::array<double, 9>& A) {
  double energy = shape.c;
  double squared_norm = 0;
  for (size_t i = 0; i < 9; i += 3) {
    const double x = A[i], y = A[i + 1], z = A[i + 2];
    energy += x * (q.H[0] * x + 2 * (q.H[1] * y + q.H[2] * z - q.B[i])) +
              y * (q.H[3] * y + 2 * (q.H[4] * z - q.B[i + 1])) + z * (q.H[5] * z - 2 * q.B[i + 2]);
    squared_norm += x * x + y * y + z * z;
  }
  // (|A| √tr H + √c)² ≤ 2 (|A|² tr H + c)
  const double error = 2 * kSumError * (squared_norm * q.trace() + shape.c);
  return std::sqrt(std::max(energy, 0.0) + error) + std::sqrt(squared_norm) * shape.error * size;
}

}  // namespace

void PatchSums::add(const PatchSums& other) {
  for (size_t i = 0; i < 6; ++i) H[i] += other.H[i];
  for (size_t i = 0; i < 9; ++i) B[i] += other.B[i];
  for (size_t i = 0; i < 3; ++i) first[i] += other.first[i];
  for (size_t i = 0; i < 9; ++i) second[i] += other.second[i];
}

void PatchSums::add(const PatchHinge& hinge, const Points& x) {
  const Vec3 l = compute_hinge(hinge, x);
  H[0] += l[0] * l[0];
  H[1] += l[0] * l[1];
  H[2] += l[0] * l[2];
  H[3] += l[1] * l[1];
  H[4] += l[1] * l[2];
  H[5] += l[2] * l[2];
  for (size_t i = 0; i < 3; ++i) {
    const double rest = hinge.rest[static_cast<Index>(i)];
    B[3 * i] += rest * l[0];
    B[3 * i + 1] += rest * l[1];
    B[3 * i + 2] += rest * l[2];
  }
}

PatchInstant::PatchInstant(const PatchTree& tree, Index max_triangles) : tree_(&tree) {
  sums_.resize(tree.nodes.size());
  for (size_t n = 0; n < tree.nodes.size();) {
    if (tree.nodes[n].count() > max_triangles) {
      ++n;
      continue;
    }
    // The subtree ends with the last node that is within the same triangles.
    size_t end = n;
    while (end < tree.nodes.size() && tree.nodes[end].last <= tree.nodes[n].last) ++end;
    subtrees_.push_back({static_cast<Index>(n), static_cast<Index>(end)});
    n = end;
  }
}

void PatchInstant::update(const Points& x) {
  MARROW_ASSERT(x.size() == tree_->vertices.size());
  middle_ = compute_middle(x);
  size_ = 0;
  for (const Vec3& point : x) size_ = std::max(size_, (point - middle_).cwiseAbs().maxCoeff());
  size_ *= 2;  // √3 for the norm, and rounding
  exec::parallel_for(
      "patch.sums", subtrees_.size(), [&](size_t i) { update_subtree(subtrees_[i], x); }, 1);
}

void PatchInstant::update_subtree(const Subtree& subtree, const Points& x) {
  for (Index n = subtree.last; n-- > subtree.first;) {
    const PatchNode& node = tree_->node(n);
    PatchSums sums;
    if (node.is_leaf()) {
      sums = sum_triangles(node, x);
    } else {
      sums = of(node.left);
      sums.add(of(node.right));
    }
    add_hinges(tree_->hinges_of(n), x, sums);
    sums_[static_cast<size_t>(n)] = sums;
  }
}

PatchSums PatchInstant::sum_triangles(const PatchNode& leaf, const Points& x) const {
  PatchSums sums;
  const patch_sums::Moments moments = {tree_->triangles[0].data(), tree_->areas.data(),
                                       tree_->centroids[0].data(), middle_.data()};
  patch_sums::choose_kernels().add_triangles(moments, static_cast<size_t>(leaf.first),
                                             static_cast<size_t>(leaf.last), x[0].data(), sums.first.data(),
                                             sums.second.data());
  return sums;
}

PatchSums PatchInstant::of(const PatchPair& pair, const Points& x) const {
  PatchSums sums = of(pair.a);
  sums.add(of(pair.b));
  for (const Index h : tree_->hinges_of(pair)) sums.add(tree_->hinges[static_cast<size_t>(h)], x);
  return sums;
}

PatchShape build_patch_shape(const PatchTree& tree, const PatchSums& rest, const PatchMeasures& measures,
                             const PatchEnergyOptions& options) {
  PatchShape shape;
  const Vec3 first(rest.first[0], rest.first[1], rest.first[2]);
  if (measures.mass > 0) shape.centre = first / measures.mass;
  const Mat3 raw = to_square(rest.second) - first * shape.centre.transpose();
  const Mat3 covariance = 0.5 * (raw + raw.transpose());
  // √μ / λ in the directions that are not thin.
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(covariance);
  const double largest = eigen.eigenvalues()[2];
  Mat3 P = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const double variance = eigen.eigenvalues()[k];
    // A patch of one line is not held; one of a plane is, by two directions.
    if (!(variance > (k == 0 ? options.thin : kLine) * largest)) continue;
    const Vec3 direction = eigen.eigenvectors().col(k);
    P += std::sqrt(options.affine_weight) / variance * direction * direction.transpose();
  }
  shape.P = to_array(P);
  const Mat3 product = covariance * P;
  const Mat3 M = 0.5 * (product + product.transpose());
  shape.rest = to_array(M);
  shape.c = rest.B[0] + rest.B[4] + rest.B[8] + M.squaredNorm();
  shape.error =
      kHingeError * std::sqrt(measures.weights) + kMomentError * measures.mass * tree.rest_size * P.norm();
  return shape;
}

double bound_rest_error(const PatchTree& tree, const PatchShape& shape) {
  // Two: the size of a box about its middle, against the bound of centroids.
  return 4 * shape.error * tree.rest_size + kSumError * std::sqrt(shape.c);
}

double bound_patch_energy(const PatchShape& shape, const PatchSums& sums, double size, Mat3* pull_back) {
  const Quadratic q(shape, sums);
  const std::array<double, 9> A = solve_pull_back(q);
  if (pull_back != nullptr) *pull_back = to_square(A);
  return bound_energy(shape, size, q, A);
}

double bound_patch_motion(const PatchShape& shape, const PatchSums& sums0, double size0,
                          const PatchSums& sums1, double size1, Mat3* pull_back) {
  const Quadratic q0(shape, sums0);
  const Quadratic q1(shape, sums1);
  Quadratic both = q0;
  both.add(q1);
  const std::array<double, 9> A = solve_pull_back(both);
  if (pull_back != nullptr) *pull_back = to_square(A);
  const double first = bound_energy(shape, size0, q0, A);
  const double second = bound_energy(shape, size1, q1, A);
  return first >= second || std::isnan(first) ? first : second;
}

}  // namespace marrow
