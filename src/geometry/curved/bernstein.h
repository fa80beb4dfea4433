// Polynomials on a tet by their Bernstein coefficients,
//
//   f = Σ_a c_a B^n_a,    B^n_a = n!/(a₀! a₁! a₂! a₃!) λ₀^a₀ λ₁^a₁ λ₂^a₂ λ₃^a₃
//
// B is not negative and has sum 1, so f lies between its smallest and its largest coefficient. The
// coefficient of a corner is the value there.
#pragma once

#include "geometry/curved/lattice.h"

namespace marrow {

// B^m_a B^n_b = factor · B^{m+n}_{a+b}; for a fixed sum, factors add up to 1.
struct BernsteinProduct {
  int a, b, sum;
  double factor;
};
std::vector<BernsteinProduct> list_products(int m, int n);

// From the values at the nodes of order p to the coefficients of degree p: the entries are rational numbers,
// correctly rounded.
MatX make_control_matrix(int order);

// The eight tets of half the edge length that make up a tet: from the coefficients of degree n on the whole
// to those on a part. Rows are not negative and have sum 1; the entries are exact.
std::array<MatX, 8> make_halving_matrices(int degree);

}  // namespace marrow
