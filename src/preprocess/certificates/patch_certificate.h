// The certificate of a patch: the least energy at which any two of its triangles that share no vertex meet.
//
// The Green's function is a dense inverse, K with the last vertex pinned (Zheng and James 2012, appendix B),
// and its rounding error is measured, not guessed: with R = I − K G and ρ = ‖R‖ < 1 (any operator norm,
// rounding of R itself included), the eigenvalues of K G are within ρ of 1, so aᵀK⁻¹a ≤ aᵀGa / (1 − ρ) for
// every a. A certificate is lowered by that factor, and none is given for ρ ≥ 1/2.
//
// Pairs are taken in the order of a cheap lower bound, until that exceeds the least certificate found:
// distance of the bounding balls squared over the largest aᵀGa, which is at a pair of corners. The first
// upper bound comes from pairs of vertices.
#pragma once

#include <optional>

#include "geometry/certificates/certificates.h"

namespace marrow {

// A patch: triangles and hinges of one node, or of two and those between them.
struct Patch {
  std::vector<Index> triangles;  // places
  std::vector<const PatchHinge*> hinges;
};
Patch collect_patch(const PatchTree& tree, Index node);
Patch collect_patch(const PatchTree& tree, const PatchPair& pair);

// The Green's function of a patch: aᵀGa, for a of sum zero, is the compliance of its vertices.
struct PatchGreen {
  std::vector<Index> vertices;  // places, ascending; rows and columns of G
  MatX G;
  double error = 0;  // ρ of the header
};
// Empty if K cannot be inverted well enough.
std::optional<PatchGreen> compute_patch_green(const PatchTree& tree, const Patch& patch,
                                              const PatchShape& shape);

struct PatchCertificate {
  double energy = 0;  // 0: none
  double green_seconds = 0;
  double pair_seconds = 0;
};

// shape: its limit is not looked at.
PatchCertificate compute_patch_certificate(const PatchTree& tree, const Patch& patch, const PatchShape& shape,
                                           const CertificateOptions& options);

}  // namespace marrow
