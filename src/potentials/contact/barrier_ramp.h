// This file computes a positive semi-definite Hessian of a contact on the mollifier's ramp, where e and b
// both vary.
//
// For radii that taper, the 12×12 matrix is projected by its eigenvalues. For constant radii, which nearly
// all are, there is a closed form: e depends only on p = |m|², m = C₁×C₂, and edges on the ramp are within
// two degrees of parallel, so m is small. With v = (∂m/∂x)ᵀ m̂, so that ∇p = 2|m| v,
//
//   ∇²(e b) = [∇f v] N [∇f v]ᵀ + e b′ T + 2 b e_p Σ_k (∂m·t_k)(∂m·t_k)ᵀ + 2 b e_p Σ m_k ∇²m_k
//   N = [[e (b″ + b′/2|c|²), 2|m| b′ e_p], [·, 4|m|² b e_pp + 2 b e_p]]
//
// T is the tangential part of ∇²f, which has a closed projection (barrier_projection.h). t₁ = Ĉ₁ × m̂; along
// t₂ = Ĉ₁ the derivative vanishes but for terms of the size of m, as does the last sum: they are left out, as
// in Gauss–Newton. N is projected as a matrix of rank two.
#pragma once

#include "contact/contact_set.h"
#include "geometry/distance/crossing.h"

namespace marrow {

// A positive semi-definite matrix over a contact's vertices, as the sum of r rᵀ.
struct LocalFactor {
  int count = 0;
  std::array<std::array<Vec3, 4>, 12> r;

  std::array<Vec3, 4>& add() { return r[static_cast<size_t>(count++)]; }
};

// e of a contact on the ramp, or the factor of edges that cross (distance/crossing.h).
double compute_ramp(const Contact& contact, const PairBalls& balls);

// ∇²(e b) over the four points, not projected.
Mat12 compute_ramp_hessian(const Contact& contact, const PairBalls& balls);

// The factor of the positive part of a symmetric matrix, by its eigenvalues.
LocalFactor factorize_positive_part(const Mat12& H);

// scale: of the energy e b.
LocalFactor factorize_ramp(const Contact& contact, const PairBalls& balls, double scale);

}  // namespace marrow
