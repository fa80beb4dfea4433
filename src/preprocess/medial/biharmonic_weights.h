// Smooth weights of handles over a tet mesh.
//
//   min wᵀ L M⁻¹ L w    subject to    w_j(c_i) = δ_ij at the handles c_i
//
// with the stiffness L of the Laplace operator and the lumped mass M. A handle lies anywhere in a tet; its
// condition is on the interpolated value, kept by a stiff penalty, so that the matrix is positive definite
// and is factorised once for all handles. The exact weights sum to 1 and overshoot; those below 10⁻³ are
// dropped and the rest is divided by its sum: weights are then in (0, 1] and a partition of
// unity, so that a common affine motion of all handles is exact.
#pragma once

#include "linalg/scalar_matrix.h"
#include "preprocess/volume/lattice.h"

namespace marrow {

struct WeightOptions {
  double threshold =
      1e-3;  // smaller weights are dropped; raising it makes weights more local and less smooth
};

// points × handles, plus a column for each group of anchored points: there that column is 1, so no handle
// moves them; a point in two groups belongs to the first. Points that no weight reaches follow the nearest
// handle alone. Throws std::runtime_error if the system cannot be factorised (out of memory).
ScalarMatrix compute_biharmonic_weights(const Mesh& tets, const std::vector<EmbeddedPoint>& handles,
                                        const std::vector<std::vector<Index>>& anchors,
                                        const WeightOptions& options = {});

}  // namespace marrow
