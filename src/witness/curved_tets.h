// Whether curved tets are turned over anywhere inside, decided without the solver's own bound.
//
//   x(λ) = Σ n_k w_k(λ),    J = det(∂x/∂λ_j − ∂x/∂λ_0),  j = 1, 2, 3
//
// Both are homogeneous polynomials in the four barycentric coordinates λ, J of degree 3 (p − 1). With
// whole-number multiples of their coefficients nothing is rounded but sums and products. If all coefficients
// of J are positive, J is positive on the whole tet, as no λ is negative. Otherwise the tet is halved into
// eight. A coefficient of λ_i^n alone is the value at a corner: if one is not positive, the tet is turned
// over there.
//
// Numbers are intervals first, exact (exact/number.h) where these leave a doubt. Nothing is shared with
// geometry/curved, which limits the steps: not the order of the nodes, the shape functions or the halving.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace marrow {

// Tets of one order, 1 to 4, with their nodes in Gmsh's order.
struct CurvedTetList {
  int order = 1;
  std::vector<Index> nodes;  // (p + 1)(p + 2)(p + 3)/6 per tet, into the list of all nodes
};

// A tet that is not positive everywhere.
struct CurvedInversion {
  Index tet = kNone;          // counted over all lists
  Vec4 place = Vec4::Zero();  // barycentric: where J is 0 or negative, or where that could not be decided
  bool is_undecided = false;  // neither was shown
};

// The tets that are turned over or flat somewhere, or not finite, in ascending order.
std::vector<CurvedInversion> find_curved_inversions(const Points& nodes,
                                                    std::span<const CurvedTetList> lists);

}  // namespace marrow
