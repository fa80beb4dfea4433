// From candidate pairs of simplices to the four vertices that distances and collision detection look at.
#pragma once

#include "contact/candidates.h"
#include "geometry/ccd_batch.h"

namespace marrow {

// a0 a1 b0 b1 of every edge pair.
std::vector<PairStencil> make_edge_edge_stencils(const CollisionMesh& mesh,
                                                 const std::vector<IndexPair>& pairs);

// a0 b0 b1 b2 of every vertex–triangle pair.
std::vector<PairStencil> make_vertex_triangle_stencils(const CollisionMesh& mesh,
                                                       const std::vector<IndexPair>& pairs);

}  // namespace marrow
