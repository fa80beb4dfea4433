// St. Venant–Kirchhoff material: Hooke's law in Green's strain E = ½ (FᵀF − I),
//
//   Ψ(F) = μ |E|² + λ/2 tr² E
//   P    = F (2 μ E + λ tr E I)
//
// As a function of the invariants g = μ/4 (I₁² − 2 I₂ − 2 I₁ + 3) + λ/8 (I₁ − 3)². It resists compression
// less and less (a flat element is an equilibrium) and cannot tell an element from its mirror image: use it
// for small strains.
#pragma once

#include "potentials/materials/invariants.h"

namespace marrow {

struct StVenantKirchhoff {
  double lame_mu;
  double lame_lambda;

  MARROW_HD static Mat3 strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

  MARROW_HD double energy(const Mat3& F) const {
    const Mat3 E = strain(F);
    return lame_mu * E.squaredNorm() + 0.5 * lame_lambda * E.trace() * E.trace();
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    const Mat3 E = strain(F);
    return F * (2 * lame_mu * E + lame_lambda * E.trace() * Mat3::Identity());
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const double I1 = s.squaredNorm();
    InvariantDerivatives g;
    g.first = Vec3(0.5 * lame_mu * (I1 - 1) + 0.25 * lame_lambda * (I1 - 3), -0.5 * lame_mu, 0);
    g.second = Vec3(0.5 * lame_mu + 0.25 * lame_lambda, 0, 0).asDiagonal();
    return compute_invariant_hessian(s, g);
  }
};

}  // namespace marrow
