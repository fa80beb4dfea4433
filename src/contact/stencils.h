// Turns candidate pairs of simplices into the four vertices that distances and CCD use.
#pragma once

#include "contact/candidates.h"
#include "geometry/ccd/batch.h"

namespace marrow {

// The vertices of every candidate, by kind of pair. Pairs with fewer than four vertices are faces of
// point–triangle pairs: their last vertex is repeated, so that they also are point–triangle stencils.
struct PairStencils {
  std::vector<PairStencil> edge_edge;      // a0 a1 | b0 b1
  std::vector<PairStencil> vertex_face;    // a0 | b0 b1 b2
  std::vector<PairStencil> vertex_edge;    // a0 | b0 b1 b1
  std::vector<PairStencil> vertex_vertex;  // a0 | b0 b0 b0

  size_t size() const {
    return edge_edge.size() + vertex_face.size() + vertex_edge.size() + vertex_vertex.size();
  }
};

// The previous content of stencils is lost; its memory is reused.
void make_pair_stencils(const CollisionMesh& mesh, const Candidates& candidates, PairStencils& stencils);

}  // namespace marrow
