// Arruda–Boyce rubber, which stiffens as its molecular chains become straight, in the form of isochoric.h:
//
//   f = C Σᵢ cᵢ/Λ^(2i−2) (Ī₁ⁱ − 3ⁱ),   i = 1 … 5,   c = 1/2, 1/20, 11/1050, 19/7000, 519/673750
//
// Λ is the locking stretch. The series is the usual one of the inverse Langevin function, cut after five
// terms (Arruda and Boyce 1993, equation 20), so the stiffness grows steeply but stays finite at Λ. The
// factor C is chosen so that the shear modulus at rest, 2 f'(3), is μ.
#pragma once

#include "potentials/materials/isochoric.h"

namespace marrow {

struct ArrudaBoyce : Isochoric<ArrudaBoyce> {
  double terms[5];  // C cᵢ/Λ^(2i−2)
  double bulk;

  MARROW_HD ArrudaBoyce(double lame_mu, double lame_lambda, double locking_stretch)
      : terms{1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750},
        bulk(lame_lambda + 2.0 / 3 * lame_mu) {
    const double q = 1 / (locking_stretch * locking_stretch);
    double slope = 0, scale = 1, power = 1;
    for (int i = 0; i < 5; ++i) {
      terms[i] *= scale;
      slope += (i + 1) * terms[i] * power;
      scale *= q;
      power *= 3;
    }
    for (double& term : terms) term *= 0.5 * lame_mu / slope;
  }

  // excess = Ī₁ − 3
  MARROW_HD Distortion distortion(double excess, double /*b*/) const {
    // Derivatives of the polynomial by Horner's rule; its value less that at 3 by dividing by Ī₁ − 3.
    const double a = 3 + excess;
    double value = 0, first = 0, second = 0, part = 0, quotient = 0;
    for (int i = 4; i >= 0; --i) {
      second = second * a + 2 * first;
      first = first * a + value;
      value = value * a + terms[i];
      part = part * 3 + terms[i];
      quotient = quotient * a + part;
    }
    // The polynomial is a · value(a).
    second = second * a + 2 * first;
    first = first * a + value;
    return {excess * quotient, first, 0, second};
  }
};

}  // namespace marrow
