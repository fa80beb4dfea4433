// The broad phase finds the pairs of simplices that may come close, by their boxes.
//
// A pair is a candidate when the boxes of its two simplices overlap, each grown by the radii of its corners
// and half the activation distance. So no pair closer than that distance is missed, at x or anywhere on the
// straight path from x0 to x1. Four lists cover every contact:
//
//   edge_edge         all edges: those of triangles, and wires
//   vertex_triangle   all vertices with all triangles
//   vertex_edge       vertices with wires, if VertexWireRule says so
//   vertex_vertex     loose points with loose points
//
// Pairs that share a point are left out. The lists do not depend on the number of threads. Their order
// follows the trees (geometry/bvh/bvh.h), so code that sums over pairs sorts those that remain.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/bvh/bvh.h"
#include "mesh/mesh.h"
#include "mesh/simplex_pairs.h"

namespace marrow {

// All simplices that collide. Points that are in none of the lists do not collide.
struct CollisionMesh {
  Index point_count = 0;
  std::vector<Edge> edges;  // of triangles, then wires; each once
  size_t wire_start = 0;    // edges from here on are wires
  std::vector<Triangle> triangles;
  std::vector<Index> loose;   // points that collide by themselves
  std::vector<double> radii;  // one per point, or empty: all zero
  bool is_planar = false;     // all in the plane z = 0: edges meet where their ends do, and are not paired
  bool has_vertex_wires = false;  // all vertices meet all wires, not only as VertexWireRule says
  std::vector<Index>
      bodies;  // one per point, or empty: all of one body; a simplex has the body of its first corner
};

// Takes the triangles and radii of a mesh, its wires except those that are edges of triangles, and, as loose
// points, the points that are in no simplex, tets included.
CollisionMesh build_collision_mesh(const Mesh& mesh);

// Pairs that need no search, besides those that share a point.
struct CandidateFilter {
  std::vector<IndexPair> ignored_bodies;  // bodies that ignore each other; {a, a}: a ignores itself
  std::vector<IndexPair> neighbours;      // points that count as the same, as when bodies are glued together
  std::vector<std::uint8_t> fixed;  // per point, or empty: pairs whose points all are fixed are left out
  SimplexPairs overlapping;         // pairs that overlap at rest, of bodies made of spheres, cones and slabs
};

// Selects the vertices that collide with a wire by themselves, and not only as ends of their edges. Edge–edge
// contact vanishes between parallel edges and, if radii taper, between all edges that are within the taper's
// angle (geometry/distance/mollifier.h); the closest points are then ends of edges. Near triangles,
// vertex–triangle pairs carry that contact. Near wires, vertex–wire pairs must carry it:
//
//   - of a vertex in no triangle, always: all its edges may be parallel to the wire;
//   - of a vertex of triangles, if radii taper along the wire or an edge at the vertex: an edge of a triangle
//     that lies across the wire may still be within the angle.
class VertexWireRule {
 public:
  VertexWireRule() = default;
  explicit VertexWireRule(const CollisionMesh& mesh);

  bool is_pair(Index vertex, Index wire) const {
    return meets_all_[static_cast<size_t>(vertex)] != 0 || tapers_[static_cast<size_t>(wire)] != 0;
  }

 private:
  std::vector<std::uint8_t> meets_all_;  // by point
  std::vector<std::uint8_t> tapers_;     // by edge
};

struct Candidates {
  std::vector<IndexPair> edge_edge;  // smaller edge first
  std::vector<IndexPair> vertex_triangle;
  std::vector<IndexPair> vertex_edge;
  std::vector<IndexPair> vertex_vertex;  // smaller point first

  size_t size() const {
    return edge_edge.size() + vertex_triangle.size() + vertex_edge.size() + vertex_vertex.size();
  }
};

// Finds candidates repeatedly, and keeps its memory. Trees are built again each time, so that lists and their
// order depend on the arguments alone.
class CandidateFinder {
 public:
  CandidateFinder(CollisionMesh mesh, CandidateFilter filter);
  CandidateFinder(const CandidateFinder&) = delete;
  CandidateFinder& operator=(const CandidateFinder&) = delete;

  const CollisionMesh& mesh() const { return mesh_; }

  // From now on pairs within a region are left out too. Regions are given by point, edge and triangle (kNone:
  // in none); all empty: no regions.
  void set_regions(std::span<const Index> points, std::span<const Index> edges,
                   std::span<const Index> triangles);

  // Finds pairs that may be closer than the activation distance. The previous content of candidates is lost;
  // its memory is reused.
  void find(const Points& x, double activation_distance, Candidates& candidates);

  // Finds pairs that may be that close at some time while all points move straight from x0 to x1.
  void find_swept(const Points& x0, const Points& x1, double activation_distance, Candidates& candidates);

 private:
  // The simplices of one dimension: their corners, their labels for the filter, and their boxes.
  struct Simplices {
    int corner_count = 1;
    std::vector<Index> corners;
    std::vector<ItemLabels> labels;
    std::vector<Aabb> boxes;

    size_t count() const { return corners.size() / static_cast<size_t>(corner_count); }
    std::span<const Index> corners_of(Index id) const {
      const auto width = static_cast<size_t>(corner_count);
      return std::span(corners).subspan(static_cast<size_t>(id) * width, width);
    }
  };
  // A tree over some of them.
  struct Tree {
    explicit Tree(const Simplices& of) : simplices(of) {}
    const Simplices& simplices;
    std::vector<Index> ids;
    Bvh bvh;
  };

  void add_labels(Simplices& simplices) const;
  ItemLabels make_labels(std::span<const Index> corners) const;
  void update_labels(std::span<const Index> regions, Simplices& simplices) const;
  void choose_ids();
  void update_boxes(const Points& x0, const Points& x1, double activation_distance);
  void update_tree(Tree& tree) const;
  bool is_kept(const Simplices& a, Index id_a, const Simplices& b, Index id_b) const;
  KeepPair make_keep(const Simplices& a, const Simplices& b) const;

  CollisionMesh mesh_;
  CandidateFilter filter_;
  Index first_region_ = 0;  // label of regions: above all bodies
  Simplices points_, edges_, triangles_;
  Tree vertex_tree_{points_}, edge_tree_{edges_}, triangle_tree_{triangles_};
  Tree wire_tree_{edges_}, loose_tree_{points_};
  VertexWireRule vertex_wire_rule_;
  BvhQuery query_;
};

// For a single search.
Candidates compute_candidates(const CollisionMesh& mesh, const Points& x, double activation_distance,
                              const CandidateFilter& filter = {});
Candidates compute_swept_candidates(const CollisionMesh& mesh, const Points& x0, const Points& x1,
                                    double activation_distance, const CandidateFilter& filter = {});

}  // namespace marrow
