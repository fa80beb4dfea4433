// The plane through one or two shared vertices that keeps two patches apart best.
//
// Patches that hang together at one vertex, or one edge, cost hardly any energy to fold onto each other; but
// if a plane through what they share has all other vertices strictly on its two sides, no triangle of one
// meets a triangle of the other with which it shares no vertex: on the plane each has at most its own shared
// vertex. (The paper's eq. 13 leaves shared vertices free; then a triangle may reach through the plane at
// such a vertex, and its test is not sound.) The best normal is the shortest vector of the hull of all unit
// directions, from the shared vertex to those of b and from those of a to it: a support vector machine, found
// by Gilbert's steps.
#pragma once

#include <optional>

#include "geometry/certificates/patch_tree.h"

namespace marrow {

// Towards patch b; empty if no plane separates them. The pair shares one or two vertices.
std::optional<Vec3> find_separating_normal(const PatchTree& tree, const PatchPair& pair);

}  // namespace marrow
