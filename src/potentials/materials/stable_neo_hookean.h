// Stable neo-Hookean material (Smith, de Goes, Kim 2018, "Stable Neo-Hookean Flesh Simulation", equation 14):
//
//   Ψ(F) = m/2 (I₁ − 3) − m/2 ln((I₁ + 1)/4) + l/2 (J − 1)² − ¾ m (J − 1)
//
// which is the paper's energy less its value at rest. Finite for flat and inverted elements, and at rest only
// at rotations. It linearises to the isotropic law with Lamé's constants μ, λ for
//
//   m = 4/3 μ,   l = λ + 5/6 μ
#pragma once

#include <cmath>

#include "potentials/materials/invariants.h"
#include "potentials/materials/strain_invariants.h"

namespace marrow {

struct StableNeoHookean {
  double m;
  double l;

  MARROW_HD static StableNeoHookean from_lame(double lame_mu, double lame_lambda) {
    return {4.0 / 3 * lame_mu, lame_lambda + 5.0 / 6 * lame_mu};
  }

  MARROW_HD double energy(const Mat3& F) const {
    StrainInvariants at;
    if (compute_small_strain(F, at)) {
      const double swelling = at.growth / (1 + std::sqrt(1 + at.growth)), square = swelling * swelling;
      return 0.5 * m * compute_log_excess(0.25 * at.first) + 0.375 * m * (square - at.second - at.third) +
             0.5 * l * square;
    }
    const double growth = F.squaredNorm() - 3, swelling = F.determinant() - 1;
    return 0.5 * m * (growth - std::log1p(0.25 * growth)) + (0.5 * l * swelling - 0.75 * m) * swelling;
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    const double I1 = F.squaredNorm(), J = F.determinant();
    return (m * (1 - 1 / (I1 + 1))) * F + (l * (J - 1) - 0.75 * m) * compute_cofactor(F);
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const Invariants at = compute_invariants_of_stretches(s);
    const double u = 1 / (at.I1 + 1);
    InvariantDerivatives g;
    g.first = Vec3(0.5 * m * (1 - u), 0, l * (at.J - 1) - 0.75 * m);
    g.second = Vec3(0.5 * m * u * u, 0, l).asDiagonal();
    return compute_invariant_hessian(s, g);
  }
};

}  // namespace marrow
