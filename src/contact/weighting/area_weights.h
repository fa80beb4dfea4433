// The weights of contact that is integrated over surfaces (docs/models/contact.md, "Weighting by area").
//
//   E = κ d̂ ∫ b(f/ŝ) dA  ≈  κ Σ_v W_v [ Σ_t b(v, t) + Σ_e c_e b(v, e) + Σ_p c_p b(v, p) ]  +  edges that
//   cross
//
// The bracket sums over triangles, edges and points near v. Every simplex σ has the coefficient
//
//   c_σ = 1 − Σ c_τ over the simplices τ of higher dimension that contain σ
//
// so a triangle has 1, an edge between two triangles −1, a point inside a surface 1, a wire 1, and a point
// between two wires −1. Where all distances are those to one closest point, the bracket is one barrier; where
// a vertex is next to a surface's edge, the triangles on both sides do not count twice. The sum is over
// simplices without v itself.
//
// Areas are those at rest. W_v = s_v A_v d̂ with A_v a third of the triangles at v. Both surfaces integrate
// the same gap, so the shares s_v of the two add up to one (AreaShares). What has no area counts as the part
// of it that comes within d̂ of a plane that it touches: 2π r d̂ for a loose point of radius r, the width 2 √(2
// r d̂) for a wire, r at least d̂/2. In the plane all that collides are wires, 1 m deep.
#pragma once

#include <span>
#include <vector>

#include "contact/candidates.h"
#include "mesh/buckets.h"

namespace marrow {

// How a pair of surfaces shares the integral. Any shares that add up to one have the same limit.
struct AreaShares {
  // Of vertices; edges that cross have the rest. Less: edges act earlier, and pressure depends more on the
  // directions of edges, at most by 57 % of the rest. [derived: π/2 − 1, where all edges cross at right
  // angles]
  double vertices = 0.95;
  // Of an obstacle's vertices among those. Less: an obstacle's mesh matters less, and its tips are softer.
  // [derived: on two large triangles, of which no vertex is near, a body keeps nine tenths of its barrier]
  double obstacle = 0.1;
};
constexpr AreaShares kAreaShares;

class AreaWeights {
 public:
  // rest: all points at rest. Bodies of the filter's list {b, b} ignore themselves.
  AreaWeights(const CollisionMesh& mesh, const CandidateFilter& filter, std::span<const Vec3> rest,
              double d_hat);

  // s_v A_v of a vertex near a simplex that has the point other. [m²]
  double vertex_area(Index vertex, Index other) const;

  // The share of edges times (π/2) A_a A_b / (l_a l_b), by their ends. [m²]
  double crossing_area(const Edge& a, const Edge& b) const;

  // The largest ŝ of a vertex against other parts of its own body: no part of a body acts on it at rest [m²].
  double own_limit(Index vertex) const { return own_limits_[static_cast<size_t>(vertex)]; }

  // Whether a vertex is in no edge and no triangle.
  bool is_loose(Index vertex) const { return edges_at_.of(static_cast<size_t>(vertex)).empty(); }

  // The coefficients of the sides of a simplex, as a vertex v sees them. Each side belongs to one of the
  // simplices around it; 0 if it belongs to another.
  double coefficient(Index v, const Edge& side, const Triangle& of) const;
  double coefficient(Index v, Index side, const Triangle& of) const;
  double coefficient(Index v, Index side, const Edge& wire) const;

 private:
  void add_areas(const CollisionMesh& mesh, std::span<const Vec3> rest, double d_hat);
  void add_own_limits(const CollisionMesh& mesh, const CandidateFilter& filter, std::span<const Vec3> rest,
                      double d_hat);
  double edge_coefficient(Index v, Index a, Index b) const;
  double point_coefficient(Index v, Index p) const;
  bool is_fixed(Index point) const { return !fixed_.empty() && fixed_[static_cast<size_t>(point)] != 0; }

  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  size_t wire_start_ = 0;
  bool is_planar_ = false;
  std::vector<std::uint8_t> fixed_;         // by point, or empty
  std::vector<double> areas_;               // by point
  std::vector<double> widths_;              // of edges: A_e / l_e
  std::vector<double> own_limits_;          // by point
  Buckets<Index> triangles_at_, edges_at_;  // by point, ascending
};

}  // namespace marrow
