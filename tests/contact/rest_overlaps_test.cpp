// Medial primitives that overlap at rest: which ones are found, and that solver and checker leave out exactly
// these.
#include "contact/rest_overlaps.h"

#include <gtest/gtest.h>

#include <random>

#include "contact/contact_set.h"
#include "contact/proximity.h"
#include "geometry/distance/gap.h"
#include "mesh/surface.h"
#include "witness/checker.h"

namespace marrow {
namespace {

// Five balls in a row, one apart, joined by cones.
Mesh make_chain(double radius) {
  Mesh mesh;
  for (int i = 0; i < 5; ++i) mesh.points.push_back(Vec3(i, 0, 0));
  mesh.radii.assign(5, radius);
  mesh.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
  return mesh;
}

CheckerOptions make_options(const RestOverlaps& overlaps) {
  CheckerOptions options;
  options.ball_bodies = {0};
  options.overlapping = overlaps.pairs;
  return options;
}

SurfaceSet make_surfaces(const Mesh& mesh) {
  SurfaceSet surfaces;
  surfaces.points = mesh.points;
  surfaces.triangles = mesh.triangles;
  surfaces.edges = mesh.edges;
  surfaces.radii = mesh.radii;
  return surfaces;
}

TEST(RestOverlaps, next_but_one_cones_of_a_thick_chain_overlap) {
  const RestOverlaps found = find_rest_overlaps(make_chain(0.8), 0.1);
  EXPECT_EQ(found.primitives, 2u);
  EXPECT_EQ(found.contacts, 8u);  // these two pairs of cones, and six of a ball and a cone
  EXPECT_TRUE(found.pairs.contains(Edge{2, 3}, Edge{1, 0}));
  EXPECT_TRUE(found.pairs.contains(Edge{1, 2}, Edge{3, 4}));
  EXPECT_FALSE(found.pairs.contains(Edge{0, 1}, Edge{3, 4}));
  EXPECT_TRUE(found.pairs.contains(Edge{1, 2}, std::array<Index, 1>{0}));
}

TEST(RestOverlaps, a_thin_chain_has_none_and_the_margin_counts) {
  EXPECT_EQ(find_rest_overlaps(make_chain(0.4), 0.1).primitives, 0u);
  EXPECT_EQ(find_rest_overlaps(make_chain(0.4), 0.25).primitives, 2u);
}

TEST(RestOverlaps, triangles_that_cross_overlap_even_without_radii) {
  Mesh mesh;
  mesh.points = {{-1, 0, -1}, {1, 0, -1}, {0, 0, 3}, {0, -1, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.radii.assign(6, 0.0);
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const RestOverlaps found = find_rest_overlaps(mesh, 1e-3);
  EXPECT_EQ(found.primitives, 1u);
  EXPECT_TRUE(found.pairs.contains(mesh.triangles[1], mesh.triangles[0]));
}

TEST(RestOverlaps, the_checker_leaves_out_these_and_no_others) {
  Mesh chain = make_chain(0.8);
  const RestOverlaps overlaps = find_rest_overlaps(chain, 0.1);
  SurfaceSet surfaces = make_surfaces(chain);
  const CheckerOptions options = make_options(overlaps);
  EXPECT_TRUE(check_surfaces(surfaces, options).is_clean());
  CheckerOptions strict = options;
  strict.overlapping = {};
  EXPECT_EQ(check_surfaces(surfaces, strict).intersections, 2);
  // Bent so that the first and the last cone meet.
  const Points bent = {{0, 0, 0}, {1, 0, 0}, {1.7, 0.7, 0}, {1, 1.4, 0}, {0, 1.4, 0}};
  surfaces.points = bent;
  const IntersectionReport report = check_surfaces(surfaces, options);
  ASSERT_EQ(report.intersections, 1);
  EXPECT_EQ(report.pairs[0].a.id, 0);
  EXPECT_EQ(report.pairs[0].b.id, 3);
  EXPECT_FALSE(check_motion(surfaces, chain.points, bent, options).is_clean());
  EXPECT_TRUE(check_motion(surfaces, chain.points, chain.points, options).is_clean());
}

TEST(RestOverlaps, another_body_is_never_left_out) {
  Mesh chain = make_chain(0.8);
  SurfaceSet surfaces = make_surfaces(chain);
  surfaces.bodies = {0, 0, 0, 1, 1};
  surfaces.edges = {{0, 1}, {1, 2}, {3, 4}};
  CheckerOptions options = make_options(find_rest_overlaps(chain, 0.1));
  options.ball_bodies = {0, 1};
  EXPECT_GT(check_surfaces(surfaces, options).intersections, 0);
}

// A random strip of slabs with wires and balls.
Mesh make_random(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(0, 1);
  Mesh mesh;
  const auto vector = [&] {
    const double x = draw(random), y = draw(random), z = draw(random);
    return Vec3(x, y, z);
  };
  for (int i = 0; i < 16; ++i) {
    mesh.points.push_back(Vec3(0.5 * i, 0, 0) + vector());
    mesh.radii.push_back(0.1 + 0.4 * draw(random));
  }
  for (Index i = 0; i + 2 < 10; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
  mesh.edges = {{9, 10}, {10, 11}, {11, 12}, {12, 13}};
  return mesh;  // 14 and 15 are by themselves
}

double compute_gap(const Mesh& mesh, PairKind kind, const PairStencil& stencil) {
  PairBalls balls;
  for (size_t i = 0; i < 4; ++i) {
    balls.x[i] = mesh.points[static_cast<size_t>(stencil[i])];
    balls.r[i] = mesh.radii[static_cast<size_t>(stencil[i])];
  }
  return find_gap(kind, balls).compute_gap();
}

TEST(RestOverlaps, of_random_meshes_contact_sees_exactly_what_is_apart_at_rest) {
  constexpr double kMargin = 0.05;
  size_t kept = 0, left_out = 0, acting = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Mesh mesh = make_random(seed);
    const RestOverlaps overlaps = find_rest_overlaps(mesh, kMargin);
    CandidateFilter filter;
    filter.overlapping = overlaps.pairs;
    left_out += overlaps.contacts;
    Proximity proximity(build_collision_mesh(mesh), filter, kMargin);
    // At rest nothing acts.
    const PairStencils pairs = proximity.find_pairs({mesh.points, mesh.points, {}, {}});
    const auto look = [&](PairKind kind, const std::vector<PairStencil>& list) {
      for (const PairStencil& stencil : list) EXPECT_GE(compute_gap(mesh, kind, stencil), kMargin);
      kept += list.size();
    };
    look(PairKind::EdgeEdge, pairs.edge_edge);
    look(PairKind::PointTriangle, pairs.vertex_face);
    look(PairKind::PointTriangle, pairs.vertex_edge);
    look(PairKind::PointTriangle, pairs.vertex_vertex);
    // Nor where radii taper, which stretches the distance at which contact acts.
    const std::vector<Index> bodies(mesh.points.size(), 0);
    EXPECT_EQ(build_contact_set({mesh.points, mesh.points, mesh.radii, bodies}, pairs, kMargin).size(), 0u);
    acting += build_contact_set({mesh.points, mesh.points, mesh.radii}, pairs, kMargin).size();
    // And the checker agrees that nothing else overlaps.
    SurfaceSet surfaces = make_surfaces(mesh);
    surfaces.loose_points = {14, 15};
    EXPECT_TRUE(check_surfaces(surfaces, make_options(overlaps)).is_clean()) << seed;
  }
  EXPECT_GT(kept, 0u);
  EXPECT_GT(left_out, 0u);
  EXPECT_GT(acting, 0u);  // if they were different bodies
}

// Between nearly parallel edges contact fades; a ball at an end of the one must then be seen by a slab at the
// other, or by the other itself where it is a wire.
TEST(RestOverlaps, where_contact_of_edges_may_fade_their_ends_carry_it) {
  size_t looked_at = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Mesh mesh = make_random(seed);
    const SimplexPairs left_out = find_rest_overlaps(mesh, 0.05).pairs;
    const CollisionMesh parts = build_collision_mesh(mesh);
    const auto share = [](const auto& a, const auto& b) {
      return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
    };
    const auto is_seen = [&](Index end, size_t edge) {
      const std::array<Index, 1> ball = {end};
      const Edge& e = parts.edges[edge];
      if (edge >= parts.wire_start) return !left_out.contains(ball, e);
      return std::any_of(parts.triangles.begin(), parts.triangles.end(), [&](const Triangle& t) {
        const bool has_edge =
            std::count(t.begin(), t.end(), e[0]) + std::count(t.begin(), t.end(), e[1]) == 2;
        return has_edge && !share(ball, t) && !left_out.contains(ball, t);
      });
    };
    for (size_t i = 0; i < parts.edges.size(); ++i) {
      for (size_t j = 0; j < parts.edges.size(); ++j) {
        const Edge &a = parts.edges[i], &b = parts.edges[j];
        if (share(a, b) || left_out.contains(a, b)) continue;
        ++looked_at;
        EXPECT_TRUE(is_seen(a[0], j) && is_seen(a[1], j)) << seed << ": edges " << i << ", " << j;
      }
    }
  }
  EXPECT_GT(looked_at, 1000u);
}

}  // namespace
}  // namespace marrow
