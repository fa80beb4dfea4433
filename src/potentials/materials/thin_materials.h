// These are the laws of bodies without volume: of shells in their plane (membrane) and of wires along
// themselves (strand).
//
//   membrane  Ψ = μ/2 (I₁ − 2) − μ ln J + λ̄/2 ln² J,     J² = I₂ = (s₀ s₁)²,   λ̄ = 2 μ λ/(λ + 2 μ)
//   strand    Ψ = E/4 (I₁ − 1 − ln I₁),                   I₁ = s₀²
//
// per volume, of an F of rank 2 or 1 (kinematics/elements/elements.h). They are the neo-Hookean law of two
// and one dimensions: infinite for triangles without area and edges without length, and for small strains
// Hooke's law in plane stress (μ, λ̄) and in tension (E). As functions of the invariants they need no
// stretches. The terms of invariants.h for the missing stretches vanish, because the gradients have no part
// along them.
#pragma once

#include <cmath>
#include <limits>

#include "potentials/materials/invariants.h"
#include "potentials/materials/strain_invariants.h"

namespace marrow {

struct Membrane {
  double lame_mu;
  double plane_lambda;

  MARROW_HD Membrane(double mu, double lambda)
      : lame_mu(mu), plane_lambda(2 * mu * lambda / (lambda + 2 * mu)) {}

  MARROW_HD double energy(const Mat3& F) const {
    const Invariants at = compute_invariants(F);
    if (!(at.I2 > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = 0.5 * std::log(at.I2);
    return 0.5 * lame_mu * (at.I1 - 2) + (0.5 * plane_lambda * log_J - lame_mu) * log_J;
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    return compute_invariant_stress(F, compute_derivatives(compute_invariants(F)).first);
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    return compute_invariant_hessian(s, compute_derivatives(compute_invariants_of_stretches(s)));
  }

 private:
  MARROW_HD InvariantDerivatives compute_derivatives(const Invariants& at) const {
    const double slope = 0.5 * plane_lambda * std::log(at.I2) - lame_mu;  // ∂Ψ/∂ ln J
    InvariantDerivatives g;
    g.first = Vec3(0.5 * lame_mu, 0.5 * slope / at.I2, 0);
    g.second = Vec3(0, (0.25 * plane_lambda - 0.5 * slope) / (at.I2 * at.I2), 0).asDiagonal();
    return g;
  }
};

struct Strand {
  double youngs_modulus;

  MARROW_HD Strand(double mu, double lambda) : youngs_modulus(mu * (3 * lambda + 2 * mu) / (lambda + mu)) {}

  MARROW_HD double energy(const Mat3& F) const {
    const double I1 = F.squaredNorm();
    if (!(I1 > 0)) return std::numeric_limits<double>::infinity();
    return 0.25 * youngs_modulus * compute_log_excess(I1 - 1);
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    return (0.5 * youngs_modulus * (1 - 1 / F.squaredNorm())) * F;
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const double I1 = s.squaredNorm();
    InvariantDerivatives g;
    g.first = Vec3(0.25 * youngs_modulus * (1 - 1 / I1), 0, 0);
    g.second = Vec3(0.25 * youngs_modulus / (I1 * I1), 0, 0).asDiagonal();
    return compute_invariant_hessian(s, g);
  }
};

}  // namespace marrow
