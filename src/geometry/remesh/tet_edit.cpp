#include "geometry/remesh/tet_edit.h"

#include <algorithm>
#include <limits>
#include <set>

#include "exact/predicates.h"
#include "mesh/mesh_summary.h"

namespace marrow {
namespace {

bool has(const Tet& tet, Index point) { return std::find(tet.begin(), tet.end(), point) != tet.end(); }

Tet replaced(Tet tet, Index from, Index to) {
  std::replace(tet.begin(), tet.end(), from, to);
  return tet;
}

void erase_sorted(std::vector<Index>& list, Index value) {
  list.erase(std::lower_bound(list.begin(), list.end(), value));
}

void insert_sorted(std::vector<Index>& list, Index value) {
  list.insert(std::lower_bound(list.begin(), list.end(), value), value);
}

Triangle sorted(Triangle face) {
  std::sort(face.begin(), face.end());
  return face;
}

// The face of a tet across from its corner k.
Triangle face_across(const Tet& tet, size_t k) {
  return sorted({tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]});
}

}  // namespace

TetEdit::TetEdit(std::vector<Points> positions, std::vector<Tet> tets, TetEditLimits limits)
    : positions_(std::move(positions)),
      tets_(std::move(tets)),
      is_alive_(tets_.size(), 1),
      is_gone_(positions_[0].size(), 0),
      tets_at_(positions_[0].size()),
      limits_(limits) {
  for (Index i = 0; i < static_cast<Index>(point_count()); ++i) parents_.push_back({i, i});
  for (size_t t = 0; t < tets_.size(); ++t) {
    for (const Index i : tets_[t]) tets_at_[i].push_back(static_cast<Index>(t));
  }
}

std::vector<Index> TetEdit::find_star(Edge edge) const {
  std::vector<Index> star;
  for (const Index t : tets_at(edge[0])) {
    if (has(tet(t), edge[1])) star.push_back(t);
  }
  return star;
}

bool TetEdit::is_sound(const Tet& tet) const {
  return std::all_of(positions_.begin(), positions_.end(), [&](const Points& x) {
    return orient3_sign(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) > 0;
  });
}

double TetEdit::worst_quality(const std::vector<Index>& tets) const {
  double worst = std::numeric_limits<double>::infinity();
  const Points& x = rest();
  for (const Index t : tets) {
    const Tet& own = tet(t);
    worst = std::min(worst, compute_tet_quality(x[own[0]], x[own[1]], x[own[2]], x[own[3]]));
  }
  return worst;
}

void TetEdit::set_tet(Index t, const Tet& after, bool is_alive) {
  if (is_alive_[t] != 0) {
    for (const Index i : tets_[t]) erase_sorted(tets_at_[i], t);
  }
  tets_[t] = after;
  is_alive_[t] = is_alive ? 1 : 0;
  if (is_alive) {
    for (const Index i : after) insert_sorted(tets_at_[i], t);
  }
}

void TetEdit::change(Index t, const Tet& after, bool is_alive, Operation& operation) {
  operation.changes.push_back({t, tets_[t], is_alive_[t] != 0});
  set_tet(t, after, is_alive);
}

std::optional<Index> TetEdit::split(Edge edge, double least_quality) {
  const std::vector<Index> star = find_star(edge);
  if (star.empty()) return {};
  Operation operation{point_count(), tets_.size(), {}, kNone};
  const double before = worst_quality(star);
  const auto m = static_cast<Index>(point_count());
  for (Points& x : positions_) x.push_back(0.5 * (x[edge[0]] + x[edge[1]]));
  is_gone_.push_back(0);
  tets_at_.emplace_back();
  parents_.push_back(edge);
  std::vector<Index> made = star;
  for (const Index t : star) {
    const Tet old = tet(t);
    change(t, replaced(old, edge[0], m), true, operation);
    made.push_back(static_cast<Index>(tets_.size()));
    tets_.push_back(replaced(old, edge[1], m));
    is_alive_.push_back(0);
    set_tet(made.back(), tets_.back(), true);
  }
  operations_.push_back(std::move(operation));
  const bool is_good = std::all_of(made.begin(), made.end(), [&](Index t) { return is_sound(tet(t)); }) &&
                       worst_quality(made) >= std::min(before, least_quality);
  if (is_good) return m;
  undo();
  return {};
}

std::vector<Triangle> TetEdit::list_border_faces(Index point) const {
  std::vector<Triangle> faces, border;
  for (const Index t : tets_at(point)) {
    for (size_t k = 0; k < 4; ++k) {
      if (tet(t)[k] != point) faces.push_back(face_across(tet(t), k));
    }
  }
  std::sort(faces.begin(), faces.end());
  for (size_t i = 0; i < faces.size(); ++i) {
    const bool is_shared =
        (i > 0 && faces[i - 1] == faces[i]) || (i + 1 < faces.size() && faces[i + 1] == faces[i]);
    if (!is_shared) border.push_back(faces[i]);
  }
  return border;
}

// Lk(a) ∩ Lk(b) = Lk(ab), where a dummy vertex (kNone) is joined to the whole border.
bool TetEdit::has_link_condition(Index a, Index b) const {
  struct Link {
    std::set<Index> points;
    std::set<Edge> edges;
    std::set<Triangle> faces;
  };
  const auto add = [](Triangle face, Link& link) {
    std::sort(face.begin(), face.end());
    link.faces.insert(face);
    for (size_t k = 0; k < 3; ++k) {
      link.points.insert(face[k]);
      const Index c = face[k], d = face[(k + 1) % 3];
      link.edges.insert({std::min(c, d), std::max(c, d)});
    }
  };
  const auto find_link = [&](Index point) {
    Link link;
    for (const Index t : tets_at(point)) {
      const auto corner = std::find(tet(t).begin(), tet(t).end(), point) - tet(t).begin();
      add(face_across(tet(t), static_cast<size_t>(corner)), link);
    }
    for (const Triangle& face : list_border_faces(point)) {
      Triangle closed = face;
      std::replace(closed.begin(), closed.end(), point, kNone);
      add(closed, link);
    }
    return link;
  };
  const Link of_a = find_link(a), of_b = find_link(b);
  // The link of the edge: points and edges across from it.
  std::set<Index> points;
  std::set<Edge> edges;
  const auto add_edge = [&](Index c, Index d) {
    points.insert({c, d});
    edges.insert({std::min(c, d), std::max(c, d)});
  };
  for (const Index t : find_star({a, b})) {
    std::array<Index, 2> others = {};
    size_t count = 0;
    for (const Index i : tet(t)) {
      if (i != a && i != b) others[count++] = i;
    }
    add_edge(others[0], others[1]);
  }
  for (const Triangle& face : list_border_faces(a)) {
    if (std::find(face.begin(), face.end(), b) == face.end()) continue;
    for (const Index i : face) {
      if (i != a && i != b) add_edge(i, kNone);
    }
  }
  const auto agree = [](const auto& one, const auto& other, const auto& expected) {
    size_t common = 0;
    for (const auto& item : one) {
      if (!other.contains(item)) continue;
      if (!expected.contains(item)) return false;
      ++common;
    }
    return common == expected.size();
  };
  return agree(of_a.points, of_b.points, points) && agree(of_a.edges, of_b.edges, edges) &&
         agree(of_a.faces, of_b.faces, std::set<Triangle>());
}

// A border point may go only along the border, and only within a plane.
bool TetEdit::keeps_shape(Index a, Index b) const {
  const std::vector<Triangle> faces = list_border_faces(a);
  if (faces.empty()) return true;
  const bool is_along = std::any_of(faces.begin(), faces.end(), [&](const Triangle& face) {
    return std::find(face.begin(), face.end(), b) != face.end();
  });
  if (!is_along) return false;
  const Points& x = rest();
  const Triangle& first = faces[0];
  for (const Triangle& face : faces) {
    for (const Index i : face) {
      if (orient3_sign(x[first[0]], x[first[1]], x[first[2]], x[i]) != 0) return false;
    }
  }
  return true;
}

bool TetEdit::collapse(Index a, Index b) {
  if (find_star({a, b}).empty() || !keeps_shape(a, b) || !has_link_condition(a, b)) return false;
  Operation operation{point_count(), tets_.size(), {}, a};
  const std::vector<Index> around = tets_at(a);
  const double before = worst_quality(around);
  std::vector<Index> made;
  for (const Index t : around) {
    const Tet old = tet(t);
    const bool vanishes = has(old, b);
    if (!vanishes) made.push_back(t);
    change(t, vanishes ? old : replaced(old, a, b), !vanishes, operation);
  }
  is_gone_[a] = 1;
  operations_.push_back(std::move(operation));
  const bool is_good = !made.empty() &&
                       std::all_of(made.begin(), made.end(), [&](Index t) { return is_sound(tet(t)); }) &&
                       worst_quality(made) >= std::min(before, limits_.least_quality);
  if (!is_good) undo();
  return is_good;
}

void TetEdit::undo() {
  Operation operation = std::move(operations_.back());
  operations_.pop_back();
  while (tets_.size() > operation.tets) {
    set_tet(static_cast<Index>(tets_.size()) - 1, tets_.back(), false);
    tets_.pop_back();
    is_alive_.pop_back();
  }
  for (auto change = operation.changes.rbegin(); change != operation.changes.rend(); ++change)
    set_tet(change->tet, change->before, change->was_alive);
  for (Points& x : positions_) x.resize(operation.points);
  is_gone_.resize(operation.points);
  tets_at_.resize(operation.points);
  parents_.resize(operation.points);
  if (operation.removed != kNone) is_gone_[operation.removed] = 0;
}

TetEdit::Packed TetEdit::pack() const {
  Packed packed;
  std::vector<Index> number(point_count(), kNone);
  packed.positions.resize(positions_.size());
  for (Index i = 0; i < static_cast<Index>(point_count()); ++i) {
    if (is_gone_[i] != 0) continue;
    number[i] = static_cast<Index>(packed.kept.size());
    packed.kept.push_back(i);
    for (size_t k = 0; k < positions_.size(); ++k) packed.positions[k].push_back(positions_[k][i]);
  }
  for (size_t t = 0; t < tets_.size(); ++t) {
    if (is_alive_[t] == 0) continue;
    Tet own = tets_[t];
    for (Index& i : own) i = number[i];
    packed.tets.push_back(own);
  }
  return packed;
}

}  // namespace marrow
