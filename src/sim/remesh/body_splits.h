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
  bool split(Edge edge) { return split(edge, least_quality_); }

  // Makes an edge that could not be split fit for it, and splits it: longest edges around it are split first,
  // and longest ones around these, which makes tets rounder. Never makes more than `most` points. False if
  // the edge itself could not be split in the end.
  bool split_after_longer(Edge edge, int most);

  int made() const { return static_cast<int>(edit_.point_count()) - start_; }
  // Of each new point, the ends of its edge.
  std::vector<Edge> list_parents() const;
  // old: the mesh that the body had; null: the scene's.
  std::shared_ptr<const ChangedMesh> make_mesh(const ChangedMesh* old) const;

 private:
  bool split(Edge edge, double least_quality);
  bool split_longest(Edge edge);
  std::vector<Index> find_holding_groups(Edge edge) const;

  const Index body_;
  TetEdit edit_;
  const int start_;
  const double least_quality_;
  // The groups of prescribed nodes in the body, and for each the flags of its points.
  std::vector<Index> groups_;
  std::vector<std::vector<char>> is_held_;
  std::vector<IndexPair> made_held_;
};

}  // namespace marrow
