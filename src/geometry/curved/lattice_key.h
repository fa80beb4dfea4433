// Places on tets by which neighbours find the nodes that they share.
#pragma once

#include <algorithm>

#include "geometry/curved/curved_mesh.h"

namespace marrow {

// A place on a tet by the numbers of its corners: corners with a share, ascending, and their shares. Tets
// that share a face agree on it.
using LatticeKey = std::array<std::array<Index, 2>, 4>;

inline LatticeKey make_lattice_key(const Tet& corners, const LatticePoint4& shares) {
  LatticeKey key;
  key.fill({kNone, 0});
  for (size_t i = 0; i < 4; ++i) {
    if (shares[i] > 0) key[i] = {corners[i], shares[i]};
  }
  std::sort(key.begin(), key.end());
  return key;
}

inline Tet corners_of(const CurvedMesh& mesh, size_t tet) {
  const std::span<const Index> nodes = mesh.nodes_of(tet);
  return {nodes[0], nodes[1], nodes[2], nodes[3]};
}

}  // namespace marrow
