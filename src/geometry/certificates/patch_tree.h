// A hierarchy of patches: connected submeshes of a triangle mesh, halved again and again.
//
// The tree is fixed for a mesh; only boxes and sums follow the motion. Triangles are stored in the order of
// the leaves and vertices in the order in which those use them, so that the triangles of a node are
// consecutive and what a node touches is close in memory.
//
// Two patches that share vertices have boxes that always overlap. Such pairs are listed: every node holds the
// pair of its children, every pair the pairs of children that share vertices still. Pairs that share none are
// not listed; boxes tell them apart.
//
// A hinge is an inner edge with the triangles on its two sides. The least patch that contains both triangles
// owns it: a leaf, or a node whose children it joins. So every hinge is in one list only, and the hinges of a
// patch are those of all nodes below it. An edge with more than two triangles has a hinge between each and
// the next. The functional of a hinge is
//
//   ℓ(x) = √(3 / (A₁ + A₂)) Σ_k c_k x_k     c: cotangents, so that ℓ = 0 for linear functions on the unfolded
//                                           pair (Bergou et al. 2006, eq. 4: the Laplacian of Crouzeix and
//                                           Raviart)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace marrow {

struct PatchNode {
  Index first = 0;  // of its triangles
  Index last = 0;
  Index left = kNone;  // of a leaf
  Index right = kNone;
  Index level = 0;
  bool is_connected = true;  // across edges

  Index count() const { return last - first; }
  bool is_leaf() const { return left == kNone; }
};

// The hierarchy alone, as it is computed once and kept in a file. Every node is followed by its left child's
// subtree, then its right child's; node 0 is the root.
struct PatchSplit {
  std::vector<Index> order;  // the triangles of the mesh
  std::vector<PatchNode> nodes;
};

struct PatchHinge {
  std::array<Index, 4> vertices = {};  // the edge p q, then the opposite corners
  std::array<double, 3> weights = {};  // of x − x_p for the other three
  Vec3 rest = Vec3::Zero();            // ℓ of the rest shape
};

struct PatchPair {
  Index a = kNone;
  Index b = kNone;
  std::array<Index, 4> children = {kNone, kNone, kNone, kNone};
  Index first_hinge = 0;  // of pair_hinges: those with one triangle on either side
  Index last_hinge = 0;
  int shared_count = 0;                          // vertices they share
  std::array<Index, 2> shared = {kNone, kNone};  // if there are at most two
  bool are_siblings = false;                     // then the parent is their union
};

struct PatchTree {
  std::vector<Index> ids;           // the mesh's triangle at every place
  std::vector<Triangle> triangles;  // corners, as places of vertices
  std::vector<Index> vertices;      // the mesh's vertex at every place
  std::vector<double> areas;        // of the rest shape, of triangles; of a mesh of area 1
  Points rest;                      // by place
  Points centroids;                 // of the rest shape, of triangles, from the middle of its box
  double rest_size = 0;             // bounds their length
  Index level_count = 0;

  std::vector<PatchNode> nodes;
  std::vector<Index> sibling_pairs;  // of every node that is no leaf, the pair of its children, if they touch
  std::vector<Index> hinge_starts;   // of every node, and the end
  std::vector<PatchHinge> hinges;    // by owner
  std::vector<PatchPair> pairs;      // parents before children
  std::vector<Index> pair_hinges;

  std::span<const PatchHinge> hinges_of(Index node) const {
    const auto at = static_cast<size_t>(node);
    return std::span(hinges).subspan(static_cast<size_t>(hinge_starts[at]),
                                     static_cast<size_t>(hinge_starts[at + 1] - hinge_starts[at]));
  }
  std::span<const Index> hinges_of(const PatchPair& pair) const {
    return std::span(pair_hinges)
        .subspan(static_cast<size_t>(pair.first_hinge),
                 static_cast<size_t>(pair.last_hinge - pair.first_hinge));
  }
  // Of a node and all below it.
  std::span<const PatchHinge> hinges_below(Index node) const;
  const PatchNode& node(Index i) const { return nodes[static_cast<size_t>(i)]; }

  // The points of the mesh in the order of the tree.
  void gather(const Points& x, Points& gathered) const;
};

// The middle of the box around points.
Vec3 compute_middle(const Points& x);

// Whether the split is a hierarchy over that many triangles: ranges nested and halved, order a permutation.
bool is_split_valid(const PatchSplit& split, size_t triangle_count);

// Everything that follows from the mesh at rest and the split, which must be valid.
PatchTree build_patch_tree(const Points& rest, const std::vector<Triangle>& triangles, PatchSplit split);

inline Vec3 compute_hinge(const PatchHinge& hinge, const Points& x) {
  const auto at = [&](size_t k) -> const Vec3& { return x[static_cast<size_t>(hinge.vertices[k])]; };
  const Vec3& p = at(0);
  return hinge.weights[0] * (at(1) - p) + hinge.weights[1] * (at(2) - p) + hinge.weights[2] * (at(3) - p);
}

}  // namespace marrow
