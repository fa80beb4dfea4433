// Densities of tets that put the centre of mass where it should be, with the least change.
//
//   min ½ Σ V_t (s_t − 1)²   with  Σ V_t s_t = V,  Σ V_t s_t (c_t − c) = 0,  least ≤ s_t ≤ most
//
// V_t, c_t: volume and centre of tet t; s: density over that of the material. Coarse tets have another centre
// of mass than the body that they stand for (Ferguson's thesis, section 5.5.3, after Prévost et al. 2013).
// The dual has four unknowns: s_t = clamp(1 + a · (1, c_t − c)), where a minimises a convex function.
#pragma once

#include <vector>

#include "core/types.h"

namespace marrow {

struct TetMass {
  double volume = 0;
  Vec3 center = Vec3::Zero();
};

// total: Σ V_t s_t. Empty if no densities within the bounds do it.
std::vector<double> balance_densities(const std::vector<TetMass>& tets, double total, const Vec3& center,
                                      double least, double most);

}  // namespace marrow
