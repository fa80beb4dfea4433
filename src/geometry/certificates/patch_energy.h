// The energy that tells how much a patch is deformed, and the affine map that takes out of it what it can.
//
//   E(u) = Σ_hinges |ℓ(u)|² + |C(u)|²        C(u) = Σ_t m_t u_t ⊗ (X_t − X̄) · P      u = A x − X
//
// ℓ: the Laplacian at a hinge (patch_tree.h). C: the gradient that fits u best, times √μ, in the directions
// in which the patch is not thin; t: triangles with their centroids and areas. E charges no translation, so
// it needs none. Any matrix A may be used, even a singular one: what touches in x touches in A x. So the best
// is, and that is a 3×3 solve, because E is quadratic in A:
//
//   E(A) = A H·A − 2 A·B + c      H = Σ ℓℓᵀ + M Mᵀ,  B = Σ ℓ⁰ℓᵀ + M⁰Mᵀ,  c = Σ |ℓ⁰|² + |M⁰|²,  A = B H⁻¹
//
// with ℓ = ℓ(x), ℓ⁰ = ℓ(X), M = C(x), M⁰ = C(X). H, B and C are sums over hinges and triangles, each of which
// lies in one child only: the sums of a node are those of its children and of the hinges between them. No
// vertex is looked at twice, and no patch at more than its seam (docs/models/self_collision.md; the paper
// recomputes boundary vertices and transforms every vertex of every patch).
#pragma once

#include "geometry/certificates/patch_tree.h"

namespace marrow {

struct PatchSums {
  std::array<double, 6> H = {};       // Σ ℓℓᵀ: xx xy xz yy yz zz
  std::array<double, 9> B = {};       // Σ ℓ⁰ℓᵀ by rows
  std::array<double, 3> first = {};   // Σ m x, from the middle of x
  std::array<double, 9> second = {};  // Σ m x Xᵀ by rows

  void add(const PatchSums& other);
  void add(const PatchHinge& hinge, const Points& x);
};

// The constants of a patch's energy, and the limit below which it is certified.
struct PatchShape {
  Vec3 centre = Vec3::Zero();       // X̄, from the middle of X
  std::array<double, 6> P = {};     // as H
  std::array<double, 6> rest = {};  // M⁰
  double c = 0;
  double limit = 0;  // of √E
  double error = 0;  // of √E by the rounding of ℓ and M, per unit of |A| and of the size of x
};

struct PatchEnergyOptions {
  double affine_weight = 50;  // μ: what the gradient of the fit costs
  double thin = 0.01;         // a third direction whose variance is below this part of the largest is free
};

// The sums of all nodes that are small enough, at one instant.
class PatchInstant {
 public:
  // The tree must outlive the instant.
  PatchInstant(const PatchTree& tree, Index max_triangles);

  // x: in the order of the tree.
  void update(const Points& x);

  const PatchSums& of(Index node) const { return sums_[static_cast<size_t>(node)]; }
  // Of both patches and the hinges between them. x: that of the last update.
  PatchSums of(const PatchPair& pair, const Points& x) const;

  double size() const { return size_; }

 private:
  struct Subtree {
    Index first, last;  // nodes
  };
  void update_subtree(const Subtree& subtree, const Points& x);
  PatchSums sum_triangles(const PatchNode& leaf, const Points& x) const;

  const PatchTree* tree_;
  std::vector<Subtree> subtrees_;
  std::vector<PatchSums> sums_;
  Vec3 middle_ = Vec3::Zero();
  double size_ = 0;  // bounds the distance of every point from the middle
};

// What is summed over the patch once.
struct PatchMeasures {
  double mass = 0;     // areas
  double weights = 0;  // Σ (Σ |c_k|)² of hinges
};

// All but the limit, which is the certificate's. rest: the sums of the rest shape.
PatchShape build_patch_shape(const PatchTree& tree, const PatchSums& rest, const PatchMeasures& measures,
                             const PatchEnergyOptions& options);

// What the limit must be lowered by, because ℓ⁰ and M⁰ are rounded too.
double bound_rest_error(const PatchTree& tree, const PatchShape& shape);

// An upper bound of √E of the patch at its best pull-back, rounding included; and that pull-back.
double bound_patch_energy(const PatchShape& shape, const PatchSums& sums, double size,
                          Mat3* pull_back = nullptr);

// The larger of the bounds at two instants with one pull-back: it holds at every time of the straight way
// between.
double bound_patch_motion(const PatchShape& shape, const PatchSums& sums0, double size0,
                          const PatchSums& sums1, double size1, Mat3* pull_back = nullptr);

}  // namespace marrow
