// Aggregation for algebraic multigrid: nodes that are strongly coupled become one group of the next coarser
// level, which moves as a rigid body.
//
// A group of the finest level is a node, with three unknowns. A group of a coarser level has six, the
// coefficients of the orthonormal columns of
//
//   B = [ 1, −[x_i − c] ]  for the nodes i of the group, c its centre,      B = Q R    (Gram–Schmidt)
//
// so Q is the group's share of the prolongation, and R holds its rigid motions for the next level. Without
// positions it has three: the translations. Groups of one body only are joined. Unknowns that are no points
// stay alone on every level.
#pragma once

#include "linalg/iterative/block_rows.h"
#include "linalg/system_nodes.h"

namespace marrow {

using Mat6 = Eigen::Matrix<double, 6, 6>;

// The groups of a level. Each is one block row of its matrix, or two in succession.
struct NodeGroups {
  std::vector<Index> first = {0};  // groups + 1: its block rows
  std::vector<Index> bodies;       // kNone: stays alone
  std::vector<char> is_stiff;      // has a node that is
  Points centers;                  // empty: positions are not known
  std::vector<Mat6> motions;       // R by group, one column per rigid motion about its centre; finest: empty
  // The unknowns, one bit each, that move nothing, because the group's nodes lie on a line.
  std::vector<std::uint8_t> inert;

  size_t count() const { return bodies.size(); }
  Index size(size_t group) const { return first[group + 1] - first[group]; }
};

NodeGroups make_groups(const SystemNodes& nodes, Index node_count);

// The inverse of each group's diagonal block; a group of three unknowns has the upper left corner. Empty: one
// of them is singular.
std::vector<Mat6> invert_diagonals(const BlockRows& A, const NodeGroups& groups);

struct Aggregates {
  std::vector<Index> member;  // of each group; kNone: of none, as nothing is coupled with it
  Index count = 0;
};

// strong: the least coupling, relative to both groups' own stiffness. Larger: smaller aggregates.
Aggregates aggregate(const BlockRows& A, const NodeGroups& groups, const std::vector<Mat6>& inverses,
                     double strong);

// The groups of the next level, and Q.
struct Coarsening {
  NodeGroups groups;
  BlockRows Q;
};

Coarsening coarsen(const NodeGroups& groups, const Aggregates& aggregates);

}  // namespace marrow
