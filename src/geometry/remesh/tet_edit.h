// A tet mesh whose edges are split and collapsed, with fields at its points, and every operation undone where
// it is not wanted.
//
//   split     a new point m = (a + b)/2; every tet (a, b, c, d) becomes (m, b, c, d) and (a, m, c, d)
//   collapse  point a goes to b: tets with both vanish, a is replaced by b in all others
//
// Fields that are positions (at rest, at the start and at the end of a step) must keep every tet positively
// oriented; that is decided exactly. A new point has the mean of the two ends in every field, computed alike.
// A collapse keeps the topology (link condition, with the border closed by one more vertex) and the shape at
// rest: a point of the border goes only along a border edge, and only if all border faces around it are
// coplanar.
//
// Tets and points keep their numbers until `pack`, which drops those that are gone.
#pragma once

#include <optional>

#include "mesh/mesh.h"

namespace marrow {

struct TetEditLimits {
  // An operation that makes a tet of less quality (compute_tet_quality, mesh/mesh_summary.h) than this, and
  // than the worst of those that it replaces, is refused.
  double least_quality = 0.3;
};

class TetEdit {
 public:
  // positions: at rest first; each has as many points. Tets are positively oriented in all of them.
  TetEdit(std::vector<Points> positions, std::vector<Tet> tets, TetEditLimits limits = {});

  const Points& rest() const { return positions_[0]; }
  const std::vector<Points>& positions() const { return positions_; }
  const Tet& tet(Index t) const { return tets_[static_cast<size_t>(t)]; }
  const std::vector<Index>& tets_at(Index point) const { return tets_at_[static_cast<size_t>(point)]; }
  size_t point_count() const { return positions_[0].size(); }

  // The tets around an edge, ascending.
  std::vector<Index> find_star(Edge edge) const;

  // Splits the edge; empty, and nothing changed, if a tet would be flat, inverted or too thin. least_quality:
  // in place of that of the limits.
  std::optional<Index> split(Edge edge) { return split(edge, limits_.least_quality); }
  std::optional<Index> split(Edge edge, double least_quality);

  // Takes point a to point b. False, and nothing changed, if the rules above forbid it.
  bool collapse(Index a, Index b);

  // Undoes the last operation that is not undone yet.
  void undo();

  // Where the points are on the border, and border faces around one.
  bool is_border(Index point) const { return !list_border_faces(point).empty(); }

  // What is left. sources: of each new point, the two old ones whose mean it is, or the same one twice;
  // numbers below the count at the start are the old points themselves.
  struct Packed {
    std::vector<Points> positions;
    std::vector<Tet> tets;
    std::vector<Index> kept;  // of each point, its number in the edit
  };
  Packed pack() const;

  // The ends of the edge whose middle a point was made; the point twice for points of the start.
  Edge parents(Index point) const { return parents_[static_cast<size_t>(point)]; }

 private:
  struct Change {
    Index tet = kNone;
    Tet before = {};
    bool was_alive = true;
  };
  struct Operation {
    size_t points = 0, tets = 0;  // counts before
    std::vector<Change> changes;
    Index removed = kNone;  // a point
  };

  bool is_sound(const Tet& tet) const;
  double worst_quality(const std::vector<Index>& tets) const;
  std::vector<Triangle> list_border_faces(Index point) const;
  bool has_link_condition(Index a, Index b) const;
  bool keeps_shape(Index a, Index b) const;
  void change(Index tet, const Tet& after, bool is_alive, Operation& operation);
  void set_tet(Index tet, const Tet& after, bool is_alive);

  std::vector<Points> positions_;
  std::vector<Tet> tets_;
  std::vector<char> is_alive_;  // by tet
  std::vector<char> is_gone_;   // by point
  std::vector<std::vector<Index>> tets_at_;
  std::vector<Edge> parents_;
  std::vector<Operation> operations_;
  TetEditLimits limits_;
};

}  // namespace marrow
