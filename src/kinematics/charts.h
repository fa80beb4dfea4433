// Charts map unknowns to nodes. Most nodes are their own unknowns. The four nodes of a rigid body follow two:
// the motion of its centre, and its rotation (scaled by its size, so that all unknowns are lengths).
//
//   x_i(u) = p + u₀ + exp([u₁/ℓ]) r_i,         r_i = x_i − p,  p the mean of the four nodes, now
//
// The chart is built again at every Newton iterate, so u = 0 there and its derivatives are simple:
//
//   ∂x_i/∂u₀ = 1,   ∂x_i/∂u₁ = −[r_i]/ℓ,   Σ g_i · ∂²x_i/∂u₁² = Σ (½ (r_i g_iᵀ + g_i r_iᵀ) − (g_i · r_i)
//   1)/ℓ²
//
// The Hessian over the unknowns is Tᵀ H T plus that curvature C. C may be negative (a top, a body on its
// tip). The inertia of a body keeps it from turning, and belongs to no other body. So the two together are
// projected to be positive semi-definite; the whole sum then is.
#pragma once

#include "kinematics/body.h"
#include "kinematics/locks.h"
#include "kinematics/node_path.h"
#include "linalg/block_matrix.h"
#include "linalg/system_nodes.h"

namespace marrow {

class Charts {
 public:
  Charts() = default;
  explicit Charts(const Kinematics& kinematics);

  // True if every node is its own unknown, and none is locked.
  bool is_identity() const { return bodies_.empty() && locks_.is_empty(); }
  Index unknown_count() const { return unknown_count_; }

  // The weight of the bodies' inertia in the objective: 1, or 0 without dynamics.
  void set_inertia(double weight) { inertia_ = weight; }
  double inertia() const { return inertia_; }

  // Tᵀ g, and Tᵀ H T + C⁺.
  VecX pull_gradient(const VecX& n, const VecX& g) const;
  void pull_hessian(const VecX& n, const VecX& g, const BlockMatrix& H, BlockMatrix& reduced);

  // Flags the unknowns that have a fixed node.
  std::vector<char> pull_flags(const std::vector<char>& is_fixed) const;

  // The same description of the unknowns: those of rigid bodies are no points.
  SystemNodes pull_nodes(const SystemNodes& nodes) const;

  // The path that the unknowns u describe.
  NodePath make_path(const VecX& n, const VecX& u) const;

 private:
  struct RigidBody {
    Index body;
    Index first_node;
    Index first_unknown;
    double node_mass;  // [kg]
    double length;     // ℓ [m]
  };
  // Nodes that move as one: a node that is its own unknown, or the nodes of a rigid body.
  struct Unit {
    Index first_node, node_count;
    Index first_unknown, unknown_count;
  };
  // A stored block (i, j) of H between the nodes of two units, by their numbers there, or its transpose.
  struct Source {
    Index slot;
    std::int16_t row, column;
    bool is_transposed;
  };
  // The part of Tᵀ H T between two units.
  struct UnitPair {
    Index row_unit;
    Index first_source, last_source;
    Index rows_before;  // in the column of the other unit's first unknown
  };

  // Those whose column is one unit, with sources counted from its first.
  struct UnitPairs {
    std::vector<UnitPair> pairs;
    std::vector<Source> sources;
    Index rows = 0;  // in all
  };

  Mat3 compute_tangent(Index node, Index unknown, const VecX& n) const;
  void build_pattern(const BlockPattern& full, BlockPattern& reduced);
  void list_pairs(const BlockPattern& full, Index unit, UnitPairs& list) const;
  void write_rows(Index unit, BlockPattern& reduced) const;
  void pull_pair(const UnitPair& pair, Index column_unit, const std::vector<Mat3>& turning,
                 const BlockMatrix& H, BlockMatrix& reduced) const;
  void add_curvature(const VecX& n, const VecX& g, BlockMatrix& reduced) const;

  std::vector<RigidBody> bodies_;
  std::vector<Index> first_unknown_;  // of each node
  std::vector<Index> body_of_node_;   // in bodies_; kNone: its own unknown
  Index unknown_count_ = 0;
  Locks locks_;
  double inertia_ = 1;
  std::vector<Unit> units_;
  std::vector<Index> unit_of_node_;
  std::uint64_t version_ = 0;        // of the pattern the pairs are for
  std::vector<Index> pair_offsets_;  // by unit: those of which it is the column
  std::vector<UnitPair> pairs_;
  std::vector<Source> sources_;
};

// The rotations of the rigid bodies on the path from the nodes n0 to n1, each by at most kLargestTurn.
std::vector<Turn> find_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1);

}  // namespace marrow
