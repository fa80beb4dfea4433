// Simplification of a medial mesh by spherical quadrics: Q-MAT (Li et al. 2015).
//
// A slab with spheres (c, r) has two tangent planes n·c + r = const. With q = (c, r) and ñ = (n, 1) the error
// of a sphere against the planes of a vertex is
//
//   E(q) = Σ (ñ·(q − q_m))² = qᵀA q − 2 bᵀq + const,      best sphere A⁻¹b
//
// An edge costs (E + k) σ², with the sums of both ends and the stability ratio σ = max(0, |Δc| − |Δr|)/|Δc|:
// a spike, whose ball is swallowed by its neighbour's, costs nothing and goes first. Edges are collapsed in
// the order of cost. Edges at the border and bare edges add the tangent planes that keep them from shrinking.
//
// We deviate: a collapse must satisfy the link condition Lk(a) ∩ Lk(b) = Lk(ab), which keeps the homotopy
// type. Complexes as knotted as these lock up under it, so it yields where the triangle or tet that a
// collapse closes lies in the solid: then it is no loop or cavity of the solid. So handles, cavities and
// parts stay. Planes at borders are of unit length; slabs may not fold over.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <queue>

#include "mesh/mesh.h"

namespace marrow {

class MedialSimplifier {
 public:
  // mesh: radii, all edges (also those of triangles), triangles. scale: the solid's box diagonal.
  // is_inside: whether a point lies in the solid.
  using IsInside = std::function<bool(const Vec3&)>;
  MedialSimplifier(const Mesh& mesh, double scale, IsInside is_inside);

  Index vertex_count() const { return vertex_count_; }

  // Collapses edges until so many vertices are left, or no collapse keeps the topology.
  void collapse_to(Index vertex_count);

  // What is left, numbered anew, in the units of the input.
  Mesh take_mesh() const;

 private:
  using Mat4 = Eigen::Matrix4d;

  struct Vertex {
    Vec4 q = Vec4::Zero();
    Mat4 A = Mat4::Zero();
    Vec4 b = Vec4::Zero();
    double c = 0;
    std::uint32_t version = 0;
    bool is_alive = true;
    std::vector<Index> neighbors;
    std::vector<Index> faces;
  };
  struct Candidate {
    double cost;
    Index a, b;
    std::uint32_t version_a, version_b;
    bool operator<(const Candidate& other) const {  // the queue's top is the cheapest
      return cost != other.cost ? cost > other.cost : (a != other.a ? a > other.a : b > other.b);
    }
  };

  void add_plane(Index vertex, const Vec3& n, double weight);
  void add_slab_planes();
  void add_border_planes();
  void add_tip_planes();
  double stability(Index a, Index b) const;
  std::array<Vec4, 4> list_targets(Index a, Index b) const;
  double error_at(Index a, Index b, const Vec4& q) const;
  double cheapest_target(Index a, Index b, bool check_folds, Vec4& target) const;
  bool is_filled(std::initializer_list<Index> corners) const;
  bool keeps_topology(Index a, Index b);
  bool folds(Index vertex, Index other, const Vec4& q) const;
  void push(Index a, Index b);
  void push_all();
  bool try_collapse(const Candidate& candidate);
  void remove_face(Index f);
  void move_faces(Index from, Index to);
  void move_edges(Index from, Index to);

  std::vector<Vertex> vertices_;
  std::vector<Triangle> faces_;
  std::vector<std::uint8_t> is_face_alive_;
  std::priority_queue<Candidate> queue_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  Index vertex_count_ = 0;
  double scale_ = 1;
  IsInside is_inside_;
};

// The unit normals of the two planes that touch the three balls of a slab on the same side; false if there
// are none (one ball is within the hull of the others).
bool find_slab_normals(const std::array<Vec4, 3>& balls, std::array<Vec3, 2>& normals);

}  // namespace marrow
