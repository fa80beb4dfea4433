// The splits of a round in one body, made one after the other, with what the body's mesh carries along: where
// its points come from, and which are prescribed.
#pragma once

#include "geometry/remesh/tet_edit.h"
#include "sim/remesh/changed_model.h"

namespace marrow {

class BodySplits {
 public:
  // before, after: the nodes at the start and at the end of the step.
  BodySplits(const Model& model, const RemeshedBody& facts, const VecX& before, const VecX& after);

  // Splits the edge; false if a tet would be flat, inverted or too thin.
  bool split(Edge edge);

  // Splits the longest edge around one that could not be split, or the longest around that, and so on: tets
  // become rounder, and the edge itself can be split in a later round. False if there is nothing longer.
  bool split_longest(Edge edge);

  int made() const { return static_cast<int>(edit_.point_count()) - start_; }
  // Of each new point, the ends of its edge.
  std::vector<Edge> list_parents() const;
  // old: the mesh that the body had; null: the scene's.
  std::shared_ptr<const ChangedMesh> make_mesh(const ChangedMesh* old) const;

 private:
  std::vector<Index> find_holding_groups(Edge edge) const;

  const Index body_;
  TetEdit edit_;
  const int start_;
  // The groups of prescribed nodes in the body, and for each the flags of its points.
  std::vector<Index> groups_;
  std::vector<std::vector<char>> is_held_;
  std::vector<IndexPair> made_held_;
};

}  // namespace marrow
