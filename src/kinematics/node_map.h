// A node map takes nodes to the points that follow them, x = W n, and back: Wᵀ turns forces on points into
// forces on nodes.
//
// If every point is a node of its own (soft bodies, obstacles), nothing is multiplied.
#pragma once

#include <span>

#include "kinematics/body.h"

namespace marrow {

class NodeMap {
 public:
  // W: points × nodes.
  explicit NodeMap(ScalarMatrix W);

  // All points of all bodies over all nodes.
  explicit NodeMap(const Kinematics& kinematics);

  bool is_identity() const { return is_identity_; }
  Index node_count() const { return W_.columns; }
  Index point_count() const { return W_.rows(); }

  void compute_points(const VecX& n, Points& x) const;

  // Only these; the others stay as they are. x: one per point.
  void compute_points(const VecX& n, std::span<const Index> points, Points& x) const;

  // The nodes that a point follows, and their weights.
  std::span<const Index> nodes_of(Index point) const {
    return {W_.indices.data() + W_.offsets[point], W_.indices.data() + W_.offsets[point + 1]};
  }
  std::span<const double> weights_of(Index point) const {
    return {W_.values.data() + W_.offsets[point], W_.values.data() + W_.offsets[point + 1]};
  }

  // Points of the same group follow the same nodes.
  Index group_of(Index point) const { return is_identity_ ? point : groups_[point]; }

  // Appends the nodes that these points follow, each once; points that are nodes are appended unchanged.
  void append_nodes(std::span<const Index> points, std::vector<Index>& nodes) const;

  // out_a = Σ_i W_ia values_i over these points; nodes as append_nodes gave them.
  void pull(std::span<const Index> points, std::span<const Vec3> values, std::span<const Index> nodes,
            std::span<Vec3> out) const;

  // The same for numbers.
  void pull(std::span<const Index> points, std::span<const double> values, std::span<const Index> nodes,
            std::span<double> out) const;

 private:
  Vec3 compute_point(const VecX& n, Index point) const;
  template <class Value>
  void pull_values(std::span<const Index> points, std::span<const Value> values, std::span<const Index> nodes,
                   Value zero, std::span<Value> out) const;

  ScalarMatrix W_;
  bool is_identity_;
  std::vector<Index> groups_;  // by point; empty if all are nodes
};

}  // namespace marrow
