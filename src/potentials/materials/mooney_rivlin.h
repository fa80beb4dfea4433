// Mooney–Rivlin rubber: f = C₁ (Ī₁ − 3) + C₂ (Ī₂ − 3) in the form of isochoric.h.
//
// The shear modulus is μ = 2 (C₁ + C₂); share is C₂/(C₁ + C₂).
#pragma once

#include "potentials/materials/isochoric.h"

namespace marrow {

struct MooneyRivlin : Isochoric<MooneyRivlin> {
  double c1, c2;
  double bulk;

  MARROW_HD MooneyRivlin(double lame_mu, double lame_lambda, double share)
      : c1(0.5 * lame_mu * (1 - share)), c2(0.5 * lame_mu * share), bulk(lame_lambda + 2.0 / 3 * lame_mu) {}

  // a = Ī₁ − 3, b = Ī₂ − 3
  MARROW_HD Distortion distortion(double a, double b) const { return {c1 * a + c2 * b, c1, c2, 0}; }
};

}  // namespace marrow
