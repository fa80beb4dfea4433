// This file computes WᵀKW for weights that come in groups: the stiffness of many points, seen by the few
// handles that move them.
//
// Row p of W has, for each handle j that moves point p, the weights of that handle's nodes. With the rows of
// K = K_pq,
//
//   Y_pj = Σ_q K_pq ⊗ w_qj        H_ij = Σ_p w_pi ⊗ Y_pj        i <= j
//
// One handle j after the other, points p in order: Y_pj is as large as a few registers and is used at once,
// so nothing of the size points × nodes is ever stored.
#pragma once

#include <span>
#include <vector>

#include "linalg/block_matrix.h"
#include "linalg/scalar_matrix.h"

namespace marrow {

class PullBack {
 public:
  // W: points × nodes; groups: the first node of each, and the end. A group has at most 12 nodes, all or none
  // of them in a row. elements: of K, the points of each (offsets into nodes).
  PullBack(const ScalarMatrix& W, std::vector<Index> groups, std::span<const Index> offsets,
           std::span<const Index> nodes);

  Index group_count() const { return static_cast<Index>(groups_.size()) - 1; }
  Index first_node(Index j) const { return groups_[static_cast<size_t>(j)]; }
  Index node_count(Index j) const {
    return groups_[static_cast<size_t>(j) + 1] - groups_[static_cast<size_t>(j)];
  }

  // The nodes of the largest group.
  Index stride() const { return width_; }

  // The groups i <= j that share an element with j, ascending.
  std::span<const Index> partners_of(Index j) const {
    return {partners_.data() + partner_offsets_[j], partners_.data() + partner_offsets_[j + 1]};
  }

  // Takes the matrix of the points. Its pattern may only be that of the elements.
  void set_matrix(const BlockMatrix& K);

  // Calls write(s, blocks) for the s-th partner i of j: blocks[a · stride + b] is H of node a of i and b
  // of j. Different j may run at once.
  template <class Write>
  void run(Index j, const Write& write) const {
    std::vector<double> sums;
    add_up(j, sums);
    std::vector<Mat3> blocks(static_cast<size_t>(width_) * static_cast<size_t>(width_));
    for (size_t s = 0; s < partners_of(j).size(); ++s) {
      unpack(sums, s, blocks);
      write(s, std::span<const Mat3>(blocks));
    }
  }

  // Σ_p w_pj f_p for each node of group j.
  void pull_vector(Index j, const VecX& f, std::span<Vec3> out) const;

 private:
  struct Source {
    Index point, row;
  };

  void build_rows(const ScalarMatrix& W);
  void build_partners(std::span<const Index> offsets, std::span<const Index> nodes);
  void build_neighbors(const BlockPattern& pattern);
  void build_touched();
  void add_up(Index j, std::vector<double>& sums) const;
  void unpack(const std::vector<double>& sums, size_t partner, std::span<Mat3> blocks) const;

  std::vector<Index> groups_;
  Index width_ = 0, padded_ = 0;  // nodes of the largest group; the same, filled up to fours
  Index point_count_ = 0;
  std::vector<Index> row_offsets_;               // points + 1
  std::vector<Index> row_groups_, row_weights_;  // the group of a row, and where its padded weights start
  std::vector<double> weights_;
  std::vector<Index> source_offsets_;  // groups + 1: the points that a group moves
  std::vector<Source> sources_;
  std::vector<Index> partner_offsets_, partners_;
  // K by whole rows.
  std::uint64_t version_ = 0;
  std::vector<Index> neighbor_offsets_, neighbors_;
  std::vector<Index> place_, mirror_;  // of each stored block in its column and, transposed, in its row
  std::vector<Mat3> blocks_;
  std::vector<Index> touched_offsets_, touched_;  // by group: points with a neighbour that it moves
};

}  // namespace marrow
