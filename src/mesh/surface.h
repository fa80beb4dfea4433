// Boundaries and edges of simplex lists. Linear time; the order of the output depends only on the input.
#pragma once

#include <vector>

#include "mesh/mesh.h"

namespace marrow {

// The faces that lie in exactly one tet, outward oriented if the tets are positively oriented. Sorted by
// their sorted vertices; each starts at its smallest vertex.
std::vector<Triangle> extract_surface(const std::vector<Tet>& tets);

// Every edge of the triangles once, smaller vertex first, sorted.
std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles);

// The edges that lie in exactly one triangle, smaller vertex first, sorted.
std::vector<Edge> extract_border(const std::vector<Triangle>& triangles);

// Every edge of the tets once, smaller vertex first, sorted.
std::vector<Edge> unique_edges(const std::vector<Tet>& tets);

}  // namespace marrow
