// Points in a tet and weights of sum 1: Σ w f(λ) is the mean of f, exactly for polynomials up to the degree.
// All weights are positive and all points inside.
#pragma once

#include <vector>

#include "core/types.h"

namespace marrow {

struct QuadraturePoint {
  Vec4 lambda;
  double weight;
};

// Degrees 1, 2, 3, 5, 6 and 7: symmetric rules of 1, 4, 8, 14, 24 and 35 points (Keast 1986; Grundmann and
// Möller 1978; Walkington 2000), verified on all monomials; 4 takes that of 5. Above: products of Gauss and
// Jacobi rules on the collapsed cube, with (degree/2 + 1)³ points.
std::vector<QuadraturePoint> make_tet_quadrature(int degree);

}  // namespace marrow
