// Do two closed simplices (point, segment, triangle) have a point in common? Decided from signs alone.
//
// Everything is derived from three signs of a point set, which a class Signs provides:
//
//   orient3(i, j, k, l), orient2(axis, i, j, k)   as in predicates.h, of the points with these ids
//   order(axis, i, j)                             of coordinate j minus coordinate i
//
// If the signs are exact, so is the answer, whatever is coplanar, collinear or coincident. Simplices are
// closed: touching is meeting. The same text serves points at rest (PointSigns) and moving points at an
// algebraic time (motion.cpp).
//
// The facts used:
//   triangles   A∩B ≠ ∅ ⇔ an edge of one meets the other (an extreme point of A∩B lies on an edge of one)
//   fans        let A = join(u, P), B = join(u, Q), u in neither P nor Q. A∩B ≠ {u} ⇔ P meets B or Q meets A:
//               the ray from u through a common point leaves A in P and B in Q; the nearer exit is in both.
#pragma once

#include <array>

#include "exact/predicates.h"

namespace marrow::exact {

struct Simplex {
  std::array<Index, 3> corners = {kNone, kNone, kNone};
  int count = 0;  // 1 point, 2 segment, 3 triangle

  Index operator[](int i) const { return corners[static_cast<size_t>(i)]; }
  bool has(Index v) const { return corners[0] == v || corners[1] == v || corners[2] == v; }
  // Adds a corner that is not there yet; so a triangle that names a point twice is a segment.
  void add(Index v) {
    if (!has(v)) corners[static_cast<size_t>(count++)] = v;
  }
};

inline Simplex make_simplex(Index a, Index b = kNone, Index c = kNone) {
  Simplex simplex;
  for (const Index v : {a, b, c}) {
    if (v != kNone) simplex.add(v);
  }
  return simplex;
}

// Points at rest.
struct PointSigns {
  const Points& points;

  const Vec3& at(Index i) const { return points[static_cast<size_t>(i)]; }
  int orient3(Index i, Index j, Index k, Index l) const { return orient3_sign(at(i), at(j), at(k), at(l)); }
  int orient2(int axis, Index i, Index j, Index k) const { return orient2_sign(axis, at(i), at(j), at(k)); }
  int order(int axis, Index i, Index j) const {
    const double a = at(i)[axis];
    const double b = at(j)[axis];
    return static_cast<int>(a < b) - static_cast<int>(a > b);
  }
};

namespace detail {

template <class Signs>
int orient3(const Signs& s, Index i, Index j, Index k, Index l) {
  return i == j || k == l ? 0 : s.orient3(i, j, k, l);
}

// An axis along which the triangle does not look flat; kNone if its corners are collinear.
template <class Signs>
int find_axis(const Signs& s, Index a, Index b, Index c) {
  if (a == b || b == c || c == a) return kNone;
  for (int axis = 0; axis < 3; ++axis) {
    if (s.orient2(axis, a, b, c) != 0) return axis;
  }
  return kNone;
}

inline bool are_mixed(int a, int b, int c) { return (a > 0 || b > 0 || c > 0) && (a < 0 || b < 0 || c < 0); }

template <class Signs>
bool coincide(const Signs& s, Index i, Index j) {
  return i == j || (s.order(0, i, j) == 0 && s.order(1, i, j) == 0 && s.order(2, i, j) == 0);
}

// Of four points on one line.
template <class Signs>
bool segments_meet_on_line(const Signs& s, Index p, Index q, Index a, Index b) {
  for (int axis = 0; axis < 3; ++axis) {
    const int first = s.order(axis, p, a);
    if (first != 0 && first == s.order(axis, p, b) && first == s.order(axis, q, a) &&
        first == s.order(axis, q, b)) {
      return false;
    }
  }
  return true;
}

// Of four points in one plane that is not seen edge-on along the axis.
template <class Signs>
bool segments_meet_in_plane(const Signs& s, int axis, Index p, Index q, Index a, Index b) {
  const int sa = s.orient2(axis, p, q, a);
  const int sb = s.orient2(axis, p, q, b);
  if (sa * sb > 0) return false;
  const int sp = s.orient2(axis, a, b, p);
  const int sq = s.orient2(axis, a, b, q);
  if (sp * sq > 0) return false;
  return sa != 0 || sb != 0 || sp != 0 || sq != 0 || segments_meet_on_line(s, p, q, a, b);
}

template <class Signs>
bool segments_meet(const Signs& s, Index p, Index q, Index a, Index b) {
  if (orient3(s, p, q, a, b) != 0) return false;
  const std::array<std::array<Index, 3>, 4> triples = {{{p, q, a}, {p, q, b}, {p, a, b}, {q, a, b}}};
  for (const auto& [i, j, k] : triples) {
    const int axis = find_axis(s, i, j, k);
    if (axis != kNone) return segments_meet_in_plane(s, axis, p, q, a, b);
  }
  return segments_meet_on_line(s, p, q, a, b);
}

template <class Signs>
bool is_in_triangle(const Signs& s, int axis, Index p, Index a, Index b, Index c) {
  return !are_mixed(s.orient2(axis, a, b, p), s.orient2(axis, b, c, p), s.orient2(axis, c, a, p));
}

// p may be q: a point.
template <class Signs>
bool segment_meets_triangle(const Signs& s, Index p, Index q, Index a, Index b, Index c) {
  const int sp = s.orient3(a, b, c, p);
  const int sq = p == q ? sp : s.orient3(a, b, c, q);
  if (sp * sq > 0) return false;
  // The line of p and q cuts the plane in one point, which is on the segment; is it in the triangle?
  if (sp != 0 || sq != 0) {
    return !are_mixed(s.orient3(p, q, a, b), s.orient3(p, q, b, c), s.orient3(p, q, c, a));
  }
  // All in one plane, or the triangle is a segment or a point itself.
  const int axis = find_axis(s, a, b, c);
  if (axis == kNone) {
    return segments_meet(s, p, q, a, b) || segments_meet(s, p, q, b, c) || segments_meet(s, p, q, c, a);
  }
  return is_in_triangle(s, axis, p, a, b, c) || is_in_triangle(s, axis, q, a, b, c) ||
         segments_meet_in_plane(s, axis, p, q, a, b) || segments_meet_in_plane(s, axis, p, q, b, c) ||
         segments_meet_in_plane(s, axis, p, q, c, a);
}

// Whether all corners of B lie strictly on one side of the plane of A.
template <class Signs>
bool is_beside(const Signs& s, const Simplex& A, const Simplex& B) {
  const int first = s.orient3(A[0], A[1], A[2], B[0]);
  return first != 0 && first == s.orient3(A[0], A[1], A[2], B[1]) &&
         first == s.orient3(A[0], A[1], A[2], B[2]);
}

template <class Signs>
bool triangles_meet(const Signs& s, const Simplex& A, const Simplex& B) {
  if (is_beside(s, A, B) || is_beside(s, B, A)) return false;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (segment_meets_triangle(s, A[i], A[j], B[0], B[1], B[2])) return true;
    if (segment_meets_triangle(s, B[i], B[j], A[0], A[1], A[2])) return true;
  }
  return false;
}

}  // namespace detail

// Whether the closed simplices have a point in common, whatever ids they share.
template <class Signs>
bool meet(const Signs& s, const Simplex& A, const Simplex& B) {
  if (A.count > B.count) return meet(s, B, A);
  if (A.count == 3) return detail::triangles_meet(s, A, B);
  const Index q = A[A.count - 1];
  if (B.count == 3) return detail::segment_meets_triangle(s, A[0], q, B[0], B[1], B[2]);
  return detail::segments_meet(s, A[0], q, B[0], B[B.count - 1]);
}

namespace detail {

inline Simplex join(Index u, const Simplex& P) {
  Simplex result = P;
  result.add(u);
  return result;
}

// What to join with u instead of P, so that no piece contains u: P itself, or its corners.
struct Pieces {
  std::array<Simplex, 2> simplices;
  int count = 0;
};

template <class Signs>
Pieces split_at(const Signs& s, Index u, const Simplex& P) {
  if (!meet(s, make_simplex(u), P)) return {{P}, 1};
  Pieces pieces;
  for (int i = 0; i < P.count; ++i) {
    if (!coincide(s, u, P[i])) pieces.simplices[static_cast<size_t>(pieces.count++)] = make_simplex(P[i]);
  }
  return pieces;
}

// Whether join(u, P) and join(u, Q) meet elsewhere than in u; P and Q are points or segments.
template <class Signs>
bool meet_beyond_vertex(const Signs& s, Index u, const Simplex& P, const Simplex& Q) {
  const Pieces p = split_at(s, u, P);
  const Pieces q = split_at(s, u, Q);
  for (int i = 0; i < p.count; ++i) {
    for (int j = 0; j < q.count; ++j) {
      const Simplex& a = p.simplices[static_cast<size_t>(i)];
      const Simplex& b = q.simplices[static_cast<size_t>(j)];
      if (meet(s, a, join(u, b)) || meet(s, b, join(u, a))) return true;
    }
  }
  return false;
}

// Whether the triangles (u, v, c) and (u, v, d) meet elsewhere than in the segment uv.
template <class Signs>
bool meet_beyond_edge(const Signs& s, Index u, Index v, Index c, Index d) {
  if (coincide(s, u, v)) return meet_beyond_vertex(s, u, make_simplex(c), make_simplex(d));
  if (s.orient3(u, v, c, d) != 0) return false;
  const int axis_c = find_axis(s, u, v, c);
  const int axis_d = find_axis(s, u, v, d);
  // Both are triangles of one plane: folded over if c and d are on the same side of uv.
  if (axis_c != kNone && axis_d != kNone) {
    return s.orient2(axis_c, u, v, c) == s.orient2(axis_c, u, v, d);
  }
  // One is a triangle, the other a segment on the line uv, where the first has only the edge.
  if (axis_c != kNone || axis_d != kNone) return false;
  // Both are segments on the line: do they reach beyond the same end?
  for (int axis = 0; axis < 3; ++axis) {
    const int forward = s.order(axis, u, v);
    if (forward == 0) continue;
    return (s.order(axis, v, c) == forward && s.order(axis, v, d) == forward) ||
           (s.order(axis, u, c) == -forward && s.order(axis, u, d) == -forward);
  }
  return false;
}

}  // namespace detail

// Whether two simplices of a mesh meet outside the simplex of the vertices they share. One that is a face of
// the other, or the same again, never does.
template <class Signs>
bool meet_beyond_shared(const Signs& s, const Simplex& A, const Simplex& B) {
  Simplex shared;
  Simplex P;
  Simplex Q;
  for (int i = 0; i < A.count; ++i) (B.has(A[i]) ? shared : P).add(A[i]);
  for (int i = 0; i < B.count; ++i) {
    if (!A.has(B[i])) Q.add(B[i]);
  }
  if (shared.count == 0) return meet(s, A, B);
  if (P.count == 0 || Q.count == 0) return false;
  if (shared.count == 1) return detail::meet_beyond_vertex(s, shared[0], P, Q);
  return detail::meet_beyond_edge(s, shared[0], shared[1], P[0], Q[0]);
}

}  // namespace marrow::exact
