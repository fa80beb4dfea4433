// All self-intersections of a deforming mesh, or of its motion from one frame to the next, with and without
// certificates (Zheng and James 2012, algorithm 1).
//
// Pairs are triangles that share no vertex and have a point in common, decided exactly; of a motion, at some
// time while all vertices go straight from x0 to x1. Both ways walk the same hierarchy with the same boxes
// and test the same way; certificates only leave out patches that cannot contain a pair, so the results are
// the same.
//
// The walk goes level by level, patches before pairs of patches: a pair is looked at only if both of its
// patches are certified, because it needs less energy to collide. (The paper's section 3 takes pairs first,
// and leaves out the patches of those that hold: fewer tests where all hold, many more where they fail.) A
// pair that is not certified and shares at most two vertices may be kept apart by its separating plane.
//
// Frames follow each other: a motion that begins where the last one ended takes its sums from there, and a
// patch, pair or plane that has just failed clearly is not asked again for some frames. Neither changes what
// is found.
#pragma once

#include "geometry/bvh/aabb.h"
#include "geometry/bvh/node.h"
#include "geometry/certificates/certificates.h"
#include "mesh/buckets.h"

namespace marrow {

enum class Culling : std::uint8_t { Plain, Certified };

struct SelfCollisionCounts {
  size_t triangle_tests = 0;  // pairs of triangles whose boxes overlap
  size_t leaf_tests = 0;      // leaves tested against themselves or each other
  size_t far_leaf_tests = 0;  // of which share no vertex: the paper's culling difficulty counts these
  size_t box_tests = 0;
  size_t certificate_tests = 0;
  size_t plane_tests = 0;
  std::vector<size_t> nodes_culled;  // by level
  std::vector<size_t> pairs_culled;  // by level of the first patch
  std::vector<size_t> planes_culled;
  double update_seconds = 0;  // boxes, and with certificates the sums of energies
  double query_seconds = 0;

  double seconds() const { return update_seconds + query_seconds; }
};

struct SelfCollisions {
  std::vector<IndexPair> pairs;  // triangles of the mesh, smaller first, sorted
  SelfCollisionCounts counts;
};

// Keeps trees and memory from frame to frame. The certificates must outlive it.
class SelfCollider {
 public:
  explicit SelfCollider(const Certificates& certificates);

  // x: the vertices of the mesh.
  SelfCollisions find(const Points& x, Culling culling);
  SelfCollisions find_swept(const Points& x0, const Points& x1, Culling culling);

  // What comes next does not follow what was: everything is asked.
  void forget();

 private:
  // Patches that are left to test.
  struct Open {
    std::vector<Index> nodes, pairs;
    std::vector<IndexPair> far;
    std::vector<Index> leaf_nodes, leaf_pairs;
  };
  // What a chunk of patches gave.
  struct Found {
    std::vector<IndexPair> pairs;  // of leaves far along the surface, or of triangles
    size_t triangle_tests = 0, box_tests = 0;
  };

  void move_start(const Points& x0);
  SelfCollisions search(Culling culling);
  void update_sums();
  void update_boxes();
  void update_triangle_boxes(const std::vector<IndexPair>& leaf_tests);
  Open walk(Culling culling, SelfCollisionCounts& counts);
  void test_certificates(const Open& open, SelfCollisionCounts& counts);
  std::uint32_t choose_due(size_t i, bool fails_clearly) const;
  bool is_node_due(Index node) const;
  bool is_pair_due(Index pair) const;
  bool is_plane_due(Index pair) const;
  void expand(const Open& open, Open& next);
  void push_far(Index a, Index b, Open& next) const;
  bool has_open_node(const PatchPair& pair) const;
  bool is_node_certified(Index node);
  bool is_pair_certified(Index pair);
  bool is_pair_apart(Index pair);
  bool has_node_apart(Index node, double sign, const Vec3& normal, const PatchPair& pair,
                      const Points& x) const;
  Vec3 push_normal(Index node, const Vec3& rest) const;
  std::vector<IndexPair> list_leaf_tests(const Open& open, SelfCollisionCounts& counts) const;
  void list_far(Index a, Index b, Found& found) const;
  void test_leaves(const std::vector<IndexPair>& leaf_tests, SelfCollisions& result) const;
  void test_leaf(Index node, Found& found) const;
  void test_leaves(Index a, Index b, Found& found) const;
  void test_triangles(Index i, Index j, Found& found) const;

  const Certificates& certificates_;
  const PatchTree& tree_;
  CertificateShapes shapes_;
  std::vector<Index> plane_of_pair_;
  bool is_moving_ = false;
  Points gathered_;
  Points x0_, x1_;                              // in the order of the tree; x1_ of a motion only
  bool has_sums0_ = false, has_sums1_ = false;  // of x0_ and x1_ as they are
  PatchInstant instant0_, instant1_;
  std::vector<Index> leaves_;
  Buckets<Index> leaf_vertices_;  // of every leaf, once each
  std::vector<Aabb> node_boxes_;
  std::vector<Aabb> triangle_boxes_;                   // of the leaves that are tested in the frame
  std::vector<std::uint32_t> boxed_in_;                // the frame in which a leaf got its triangles' boxes
  std::vector<std::uint8_t> node_state_, pair_state_;  // what the tests of this level said
  std::uint32_t frame_ = 0;
  std::vector<std::uint32_t> node_dues_, pair_dues_, plane_dues_;  // frames from which on to ask again
  std::vector<Mat3> pull_backs_;                                   // of the nodes when they were last asked
};

}  // namespace marrow
