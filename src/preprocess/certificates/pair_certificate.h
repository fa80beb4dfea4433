// The least energy at which two triangles of a patch come as close as a given clearance.
//
// With a = (α, −β), α and β barycentric in the two triangles, X the rest positions of the six corners and G
// the patch's Green's function, the least energy to bring two given points together is (Zheng and James 2012,
// eq. 9)
//
//   q(a) = |Xᵀa|² / aᵀGa
//
// The least over both triangles is taken where a corner meets the other triangle, or where two edges meet
// (15 faces). On a face a = base + s d₁ + t d₂, and q is the quotient of two quadratic forms of (s, t, 1): it
// has no local minimum but the eigenvector of the smallest eigenvalue λ of the pencil (m, g) = (WᵀXXᵀW,
// WᵀGW). If that lies outside the face, the least is on its rim, where one variable is left. This replaces
// the paper's appendix C. A face cannot lower what is known already if m − best·g is positive definite, which
// three pivots tell; nearly all faces end there.
//
// For a clearance s > 0: of the energy to come as close as s, (|Xᵀa| − s)²/aᵀGa, (1 − s/d)² q is a lower
// bound, d the distance of the two faces at rest (docs/models/self_collision.md).
#pragma once

#include <array>

#include "core/types.h"

namespace marrow {

// The corners of two triangles: 0 to 2 and 3 to 5. Equal ids: the same vertex.
struct PairCorners {
  std::array<Index, 6> ids;
  std::array<Vec3, 6> X;
  Eigen::Matrix<double, 6, 6> G;
};

// Lowers best to the certificate of the pair if that is less. Faces that share a vertex are left out. The
// triangles must not intersect.
void lower_to_certificate(const PairCorners& pair, double clearance, double& best);

}  // namespace marrow
