// Rubber-like materials: a change of shape at constant volume, plus a change of volume,
//
//   Ψ(F) = f(Ī₁, Ī₂) + K/2 ((J² − 1)/2 − ln J),      Ī₁ = J^(−2/3) I₁,   Ī₂ = J^(−4/3) I₂,   J > 0
//
// K = λ + 2/3 μ is the bulk modulus. The volume term (Simo and Hughes, "Computational Inelasticity") is
// convex in J and infinite for a flat element. Derivatives by the chain rule, derived here.
#pragma once

#include <cmath>
#include <limits>

#include "potentials/materials/invariants.h"
#include "potentials/materials/strain_invariants.h"

namespace marrow {

// f and its derivatives; f has no mixed term and is linear in Ī₂.
struct Distortion {
  double value;
  double d1, d2;  // ∂f/∂Ī₁, ∂f/∂Ī₂
  double d11;     // ∂²f/∂Ī₁²
};

// A material that gives distortion(Ī₁ − 3, Ī₂ − 3) and bulk becomes one of F.
template <class Material>
struct Isochoric {
  MARROW_HD double energy(const Mat3& F) const {
    StrainInvariants small;
    if (compute_small_strain(F, small)) return compute_small_energy(small);
    const Invariants at = compute_invariants(F);
    if (!(at.J > 0)) return std::numeric_limits<double>::infinity();
    const double p = compute_unit_scale(at.J);
    return self().distortion(p * at.I1 - 3, p * p * at.I2 - 3).value +
           0.5 * self().bulk * (0.5 * (at.J * at.J - 1) - std::log(at.J));
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    return compute_invariant_stress(F, compute_derivatives(compute_invariants(F)).first);
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    return compute_invariant_hessian(s, compute_derivatives(compute_invariants_of_stretches(s)));
  }

 private:
  MARROW_HD const Material& self() const { return static_cast<const Material&>(*this); }

  // J^(−2/3)
  MARROW_HD static double compute_unit_scale(double J) {
    const double edge = std::cbrt(J);
    return 1 / (edge * edge);
  }

  // With J² = 1 + t = (1 + c)³, so that t = 3 c + 3 c² + c³ and the terms of first order cancel.
  MARROW_HD double compute_small_energy(const StrainInvariants& at) const {
    const double c = std::expm1(std::log1p(at.growth) / 3);
    const double first = (c * c * (3 + c) - at.second - at.third) / (1 + c);
    const double second = (c * c * (3 + 2 * c) - at.second - 2 * at.third) / ((1 + c) * (1 + c));
    return self().distortion(first, second).value + 0.25 * self().bulk * compute_log_excess(at.growth);
  }

  MARROW_HD InvariantDerivatives compute_derivatives(const Invariants& at) const {
    const double J = at.J, p = compute_unit_scale(J);
    const double a = p * at.I1, b = p * p * at.I2;
    const Distortion f = self().distortion(a - 3, b - 3);
    InvariantDerivatives g;
    g.first = Vec3(p * f.d1, p * p * f.d2,
                   -(2 * a * f.d1 + 4 * b * f.d2) / (3 * J) + 0.5 * self().bulk * (J - 1 / J));
    g.second.setZero();
    g.second(0, 0) = p * p * f.d11;
    g.second(0, 2) = g.second(2, 0) = -2 * p * (f.d11 * a + f.d1) / (3 * J);
    g.second(1, 2) = g.second(2, 1) = -4 * p * p * f.d2 / (3 * J);
    g.second(2, 2) = (4 * a * a * f.d11 + 10 * a * f.d1 + 28 * b * f.d2) / (9 * J * J) +
                     0.5 * self().bulk * (1 + 1 / (J * J));
    return g;
  }
};

}  // namespace marrow
