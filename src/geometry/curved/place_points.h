// The tet of each point, for surfaces that follow tets. A point outside all of them belongs to the nearest
// tet, and follows it to first order from the nearest place there: polynomials grow too fast outside,
//
//   w_k(y) = w_k(ξ) + ∇w_k(ξ) · (y − X(ξ))        Σ w = 1; affine motions are exact
#pragma once

#include "geometry/curved/curved_mesh.h"

namespace marrow {

struct PointPlace {
  Index tet = kNone;
  Vec4 lambda = Vec4::Zero();  // of the point itself, or of the nearest place in the tet
  Vec3 beside = Vec3::Zero();  // J⁻¹ (y − X(ξ)), in ξ; 0 inside
  double distance = 0;         // from the tet; 0 inside
};

// Candidates are found by the boxes of the control points, which contain the tets. is_straight: the tets have
// flat faces, whatever their order.
std::vector<PointPlace> place_points(const Points& points, const CurvedMesh& mesh, bool is_straight);

// One weight per node of the tet.
VecX weigh_place(const LagrangeBasis& basis, const PointPlace& place);

}  // namespace marrow
