#include "contact/stencils.h"

#include "exec/parallel.h"

namespace marrow {

std::vector<PairStencil> make_edge_edge_stencils(const CollisionMesh& mesh,
                                                 const std::vector<IndexPair>& pairs) {
  std::vector<PairStencil> stencils(pairs.size());
  exec::parallel_for(
      "contact.stencils", pairs.size(),
      [&](size_t k) {
        const Edge& a = mesh.edges[pairs[k][0]];
        const Edge& b = mesh.edges[pairs[k][1]];
        stencils[k] = {a[0], a[1], b[0], b[1]};
      },
      4096);
  return stencils;
}

std::vector<PairStencil> make_vertex_triangle_stencils(const CollisionMesh& mesh,
                                                       const std::vector<IndexPair>& pairs) {
  std::vector<PairStencil> stencils(pairs.size());
  exec::parallel_for(
      "contact.stencils", pairs.size(),
      [&](size_t k) {
        const Triangle& b = mesh.triangles[pairs[k][1]];
        stencils[k] = {pairs[k][0], b[0], b[1], b[2]};
      },
      4096);
  return stencils;
}

}  // namespace marrow
