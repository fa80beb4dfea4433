#include "contact/stencils.h"

#include "exec/parallel.h"

namespace marrow {
namespace {

template <class Make>
void fill(const std::vector<IndexPair>& pairs, std::vector<PairStencil>& stencils, const Make& make) {
  stencils.resize(pairs.size());
  exec::parallel_for(
      "contact.stencils", pairs.size(), [&](size_t k) { stencils[k] = make(pairs[k][0], pairs[k][1]); },
      4096);
}

}  // namespace

void make_pair_stencils(const CollisionMesh& mesh, const Candidates& candidates, PairStencils& stencils) {
  fill(candidates.edge_edge, stencils.edge_edge, [&](Index a, Index b) -> PairStencil {
    const Edge &front = mesh.edges[a], &back = mesh.edges[b];
    return {front[0], front[1], back[0], back[1]};
  });
  fill(candidates.vertex_triangle, stencils.vertex_face, [&](Index vertex, Index triangle) -> PairStencil {
    const Triangle& back = mesh.triangles[triangle];
    return {vertex, back[0], back[1], back[2]};
  });
  fill(candidates.vertex_edge, stencils.vertex_edge, [&](Index vertex, Index edge) -> PairStencil {
    const Edge& back = mesh.edges[edge];
    return {vertex, back[0], back[1], back[1]};
  });
  fill(candidates.vertex_vertex, stencils.vertex_vertex, [](Index a, Index b) -> PairStencil {
    return {a, b, b, b};
  });
}

}  // namespace marrow
