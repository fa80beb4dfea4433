// The witness on whole surfaces: brute force over random small meshes, known meshes, the shapes we build.
#include "witness/checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <set>

#include "exact/reference.h"
#include "exec/parallel.h"
#include "mesh/io/mesh_file.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using reference::IntVec;

struct Corners {
  std::set<Index> ids;
  std::vector<IntVec> points;
};

// The elements in the order of the checker: triangles, edges, points.
std::vector<Corners> list_corners(const SurfaceSet& surfaces) {
  std::vector<Corners> all;
  const auto add = [&](const auto& vertices) {
    Corners corners;
    for (const Index v : vertices) {
      if (!corners.ids.insert(v).second) continue;
      corners.points.push_back(reference::to_integers(surfaces.points[static_cast<size_t>(v)]));
    }
    all.push_back(corners);
  };
  for (const Triangle& t : surfaces.triangles) add(t);
  for (const Edge& e : surfaces.edges) add(e);
  for (const Index p : surfaces.loose_points) add(std::array<Index, 1>{p});
  return all;
}

std::int64_t count_by_brute_force(const SurfaceSet& surfaces) {
  const std::vector<Corners> elements = list_corners(surfaces);
  std::int64_t count = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    for (size_t j = i + 1; j < elements.size(); ++j) {
      std::vector<IntVec> shared;
      for (const Index v : elements[i].ids) {
        if (elements[j].ids.count(v) == 0) continue;
        shared.push_back(reference::to_integers(surfaces.points[static_cast<size_t>(v)]));
      }
      // The same element again, or a face of the other.
      if (shared.size() == std::min(elements[i].ids.size(), elements[j].ids.size())) continue;
      count += reference::meet_beyond(elements[i].points, elements[j].points, shared) ? 1 : 0;
    }
  }
  return count;
}

SurfaceSet draw_surfaces(std::mt19937_64& random, int span, size_t point_count) {
  SurfaceSet surfaces;
  for (size_t i = 0; i < point_count; ++i) {
    const auto draw = [&] { return static_cast<double>(random() % static_cast<unsigned>(span)); };
    const double x = draw();
    const double y = draw();
    surfaces.points.push_back(Vec3(x, y, draw()));
  }
  const auto draw_vertex = [&] { return static_cast<Index>(random() % point_count); };
  for (int i = 0; i < 12; ++i) surfaces.triangles.push_back({draw_vertex(), draw_vertex(), draw_vertex()});
  for (int i = 0; i < 4; ++i) surfaces.edges.push_back({draw_vertex(), draw_vertex()});
  for (int i = 0; i < 3; ++i) surfaces.loose_points.push_back(draw_vertex());
  return surfaces;
}

SurfaceSet surfaces_of(const Mesh& mesh) {
  SurfaceSet surfaces;
  surfaces.points = mesh.points;
  surfaces.triangles = mesh.triangles.empty() ? extract_surface(mesh.tets) : mesh.triangles;
  surfaces.edges = mesh.edges;
  surfaces.radii = mesh.radii;
  return surfaces;
}

TEST(Checker, random_meshes_agree_with_brute_force) {
  std::mt19937_64 random(1);
  std::int64_t pairs = 0;
  for (int round = 0; round < 3000; ++round) {
    const SurfaceSet surfaces = draw_surfaces(random, 2 + round % 7, 8 + static_cast<size_t>(round) % 30);
    const IntersectionReport report = check_surfaces(surfaces);
    ASSERT_EQ(report.intersections, count_by_brute_force(surfaces)) << "round " << round;
    ASSERT_EQ(static_cast<std::int64_t>(report.pairs.size()), report.intersections);
    ASSERT_EQ(report.undecided, 0);
    pairs += report.intersections;
  }
  EXPECT_GT(pairs, 10000);
}

TEST(Checker, the_same_on_any_number_of_threads) {
  std::mt19937_64 random(2);
  SurfaceSet surfaces = draw_surfaces(random, 40, 3000);
  for (Index i = 0; i + 2 < 3000; i += 2) surfaces.triangles.push_back({i, i + 1, i + 2});
  exec::set_thread_count(1);
  const IntersectionReport one = check_surfaces(surfaces);
  exec::set_thread_count(0);
  const IntersectionReport many = check_surfaces(surfaces);
  ASSERT_GT(one.pairs.size(), 100U);
  ASSERT_EQ(one.pairs.size(), many.pairs.size());
  for (size_t i = 0; i < one.pairs.size(); ++i) {
    EXPECT_EQ(one.pairs[i].a.id, many.pairs[i].a.id);
    EXPECT_EQ(one.pairs[i].b.id, many.pairs[i].b.id);
  }
}

TEST(Checker, built_in_shapes_are_clean) {
  const auto expect_clean = [](const auto& shape, const char* name) {
    const Mesh mesh = build_shape(Shape(shape));
    EXPECT_EQ(check_surfaces(surfaces_of(mesh)).intersections, 0) << name;
    EXPECT_TRUE(check_inversions(mesh.points, mesh.tets).is_clean()) << name;
  };
  expect_clean(BoxShape(), "box");
  expect_clean(SphereShape(), "sphere");
  expect_clean(CylinderShape(), "cylinder");
  expect_clean(TorusShape(), "torus");
  expect_clean(ConeShape(), "cone");
  expect_clean(PlateShape(), "plate");
  expect_clean(RodShape(), "rod");
  expect_clean(ChainLinkShape(), "chain link");
  expect_clean(CardShape(), "card");
  expect_clean(WedgeShape(), "wedge");
  expect_clean(SpikeShape(), "spike");
}

TEST(Checker, two_bodies_that_touch_in_a_point_are_named) {
  SurfaceSet surfaces;
  surfaces.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0}, {0, 0, 1}, {1, 1, 1}};
  surfaces.triangles = {{0, 1, 2}, {3, 4, 5}};
  surfaces.bodies = {7, 7, 7, 9, 9, 9};
  const IntersectionReport report = check_surfaces(surfaces);
  ASSERT_EQ(report.pairs.size(), 1U);
  EXPECT_EQ(report.pairs[0].a.body, 7);
  EXPECT_EQ(report.pairs[0].b.body, 9);
  EXPECT_EQ(report.pairs[0].b.vertices, (std::array<Index, 3>{3, 4, 5}));
  surfaces.points[3][2] = std::numeric_limits<double>::denorm_min();
  EXPECT_TRUE(check_surfaces(surfaces).is_clean());
}

TEST(Checker, duplicates_are_counted_apart) {
  SurfaceSet surfaces;
  surfaces.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  surfaces.triangles = {{0, 1, 2}, {1, 2, 0}, {2, 1, 0}};
  const IntersectionReport report = check_surfaces(surfaces);
  EXPECT_EQ(report.intersections, 0);
  EXPECT_EQ(report.duplicates, 3);
}

TEST(Checker, what_is_not_finite_is_reported) {
  SurfaceSet surfaces;
  surfaces.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {std::nan(""), 0, 0}};
  surfaces.triangles = {{0, 1, 2}, {1, 2, 3}};
  const IntersectionReport report = check_surfaces(surfaces);
  EXPECT_FALSE(report.is_clean());
  EXPECT_EQ(report.not_finite, std::vector<Index>{3});
}

TEST(Checker, more_pairs_than_are_listed_are_still_counted) {
  SurfaceSet surfaces;
  for (Index i = 0; i < 100; ++i) {
    surfaces.points.push_back(Vec3::Zero());
    surfaces.loose_points.push_back(i);
  }
  const IntersectionReport report = check_surfaces(surfaces, {.max_listed = 10});
  EXPECT_EQ(report.intersections, 4950);
  EXPECT_EQ(report.pairs.size(), 10U);
}

TEST(Checker, radii_between_bodies) {
  SurfaceSet surfaces;
  surfaces.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0.5}};
  surfaces.triangles = {{0, 1, 2}};
  surfaces.loose_points = {3};
  surfaces.radii = {0.2, 0.2, 0.2, 0.25};
  surfaces.bodies = {0, 0, 0, 1};
  EXPECT_TRUE(check_surfaces(surfaces).is_clean());
  surfaces.radii[3] = 0.35;
  EXPECT_EQ(check_surfaces(surfaces).intersections, 1);
  // Within one body radii count only if asked for.
  surfaces.bodies = {};
  EXPECT_TRUE(check_surfaces(surfaces).is_clean());
  EXPECT_EQ(check_surfaces(surfaces, {.radii_within_body = true}).intersections, 1);
}

TEST(Checker, inversions) {
  const Points points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.25, 0.25, 1e-320}};
  const InversionReport report =
      check_inversions(points, {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 2}});
  EXPECT_EQ(report.inverted, std::vector<Index>{1});
  EXPECT_EQ(report.flat, std::vector<Index>{3});
}

// A tunnelling step: free at both ends, not on the way.
TEST(Checker, motion_through_a_triangle) {
  SurfaceSet surfaces;
  surfaces.triangles = {{0, 1, 2}, {3, 4, 5}};
  const Points x0 = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, 1}, {0.3, 0.2, 1}, {0.2, 0.3, 1.5}};
  Points x1 = x0;
  for (size_t i = 3; i < 6; ++i) x1[i][2] -= 4;
  const TrajectoryReport report = check_motion(surfaces, x0, x1);
  EXPECT_EQ(report.intersections, 3);
  ASSERT_FALSE(report.pairs.empty());
  EXPECT_EQ(report.pairs[0].a.kind, ElementKind::Face);
  EXPECT_EQ(report.pairs[0].b.kind, ElementKind::Point);
  EXPECT_DOUBLE_EQ(report.pairs[0].time, 0.25);
  for (size_t i = 3; i < 6; ++i) x1[i] = x0[i] + Vec3(0, 0, -0.999);
  EXPECT_TRUE(check_motion(surfaces, x0, x1).is_clean());
}

// If the start is free and no pair is reported, every sampled instant is free; if one is hit, it is reported.
TEST(Checker, motion_agrees_with_instants) {
  std::mt19937_64 random(3);
  int moving_free = 0;
  int hits = 0;
  for (int round = 0; round < 300; ++round) {
    SurfaceSet surfaces = draw_surfaces(random, 60, 14);
    surfaces.triangles.resize(3);
    surfaces.edges.resize(2);
    // Loose points must be loose.
    surfaces.points.resize(15, Vec3(30, 30, 30));
    surfaces.loose_points = {14};
    const Points x0 = surfaces.points;
    if (!check_surfaces(surfaces).is_clean()) continue;
    Points x1 = x0;
    for (Vec3& p : x1)
      p += Vec3(static_cast<double>(random() % 32), 0, static_cast<double>(random() % 32)) - Vec3(16, 0, 16);
    const bool is_free = check_motion(surfaces, x0, x1).is_clean();
    bool is_hit = false;
    for (int k = 0; k <= 64; ++k) {
      for (size_t i = 0; i < x0.size(); ++i) surfaces.points[i] = x0[i] + k / 64.0 * (x1[i] - x0[i]);
      is_hit = is_hit || !check_surfaces(surfaces).is_clean();
    }
    ASSERT_FALSE(is_free && is_hit) << "round " << round;
    moving_free += is_free ? 1 : 0;
    hits += is_hit ? 1 : 0;
  }
  EXPECT_GT(moving_free, 5);
  EXPECT_GT(hits, 5);
}

std::int64_t count_in_file(const fs::path& file) {
  return check_surfaces(surfaces_of(read_mesh(file.string()))).intersections;
}

bool shares_vertex(const OffendingPair& pair) {
  for (const Index v : pair.a.vertices) {
    if (v != kNone && std::count(pair.b.vertices.begin(), pair.b.vertices.end(), v) > 0) return true;
  }
  return false;
}

// The published counts are of pairs that share no vertex.
TEST(Checker, collapsing_horse) {
  const fs::path folder = fs::path(MARROW_SOURCE_DIR) /
                          "../shared/data/sequences/Hyperspectral-Inverse-Skinning/models/horse-collapse";
  if (!fs::exists(folder)) GTEST_SKIP() << "needs ../shared/data/sequences";
  const std::array<std::array<std::int64_t, 2>, 9> counts = {
      {{1, 0}, {6, 0}, {7, 0}, {8, 8}, {9, 4}, {10, 18}, {11, 29}, {31, 388}, {53, 2254}}};
  for (const auto& [frame, expected] : counts) {
    const fs::path file = folder / (std::to_string(frame) + ".obj");
    const IntersectionReport report = check_surfaces(surfaces_of(read_mesh(file.string())));
    const auto neighbours = std::count_if(report.pairs.begin(), report.pairs.end(), shares_vertex);
    EXPECT_EQ(report.intersections - neighbours, expected) << "frame " << frame;
  }
}

// Pairs that meet on the way and the earliest times, as published with exact roots.
TEST(Checker, published_step_of_a_cloth) {
  const fs::path folder =
      fs::path(MARROW_SOURCE_DIR) / "../shared/data/ccd/Sample-Scalable-CCD-Data/cloth-funnel/frames";
  if (!fs::exists(folder)) GTEST_SKIP() << "needs ../shared/data/ccd/Sample-Scalable-CCD-Data";
  const Mesh before = read_mesh((folder / "227.ply").string());
  const Mesh after = read_mesh((folder / "228.ply").string());
  const TrajectoryReport report = check_motion(surfaces_of(before), before.points, after.points);
  std::array<int, 2> counts = {0, 0};
  std::array<double, 2> earliest = {1, 1};
  for (const OffendingPair& pair : report.pairs) {
    const size_t kind = pair.a.kind == ElementKind::Face ? 1 : 0;
    counts[kind] += 1;
    earliest[kind] = std::min(earliest[kind], pair.time);
  }
  EXPECT_EQ(counts[0], 107);
  EXPECT_EQ(counts[1], 27);
  EXPECT_DOUBLE_EQ(earliest[0], 0.18323105105804348);
  EXPECT_DOUBLE_EQ(earliest[1], 0.04523222037614761);
}

TEST(Checker, known_meshes) {
  const fs::path data = fs::path(MARROW_SOURCE_DIR) / "../shared/data";
  if (!fs::exists(data / "ccd/ipc-toolkit-tests-data")) GTEST_SKIP() << "needs ../shared/data";
  const fs::path cubes = data / "ccd/ipc-toolkit-tests-data";
  EXPECT_EQ(count_in_file(cubes / "two-cubes-far.ply"), 0);
  EXPECT_EQ(count_in_file(cubes / "two-cubes-close.ply"), 0);
  // Every pair is of one cube and the other; each has half of the triangles.
  const Mesh both = read_mesh((cubes / "two-cubes-intersecting.ply").string());
  const IntersectionReport report = check_surfaces(surfaces_of(both));
  EXPECT_EQ(report.intersections, 96);
  for (const OffendingPair& pair : report.pairs) {
    const auto half = static_cast<Index>(both.triangles.size() / 2);
    EXPECT_NE(pair.a.id < half, pair.b.id < half) << pair.a.id << " and " << pair.b.id;
  }
  EXPECT_EQ(count_in_file(cubes / "bunny.ply"), 0);
  // The eyes go through the head; a corner is folded back.
  EXPECT_EQ(count_in_file(data / "meshes/common-3d-test-models/data/suzanne.obj"), 146);
  EXPECT_EQ(count_in_file(data / "meshes/libigl-tests-data/cube_with_fold.ply"), 11);
  EXPECT_EQ(count_in_file(data / "meshes/libigl-tutorial-data/armadillo.obj"), 0);
}

}  // namespace
// A crowd of small triangles: with `only`, those of one body.
SurfaceSet make_crowd(Index body_count, Index only) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  SurfaceSet crowd;
  for (Index body = 0; body < body_count; ++body) {
    const Vec3 center(coordinate(random), coordinate(random), coordinate(random));
    for (int k = 0; k < 20; ++k) {
      Points corners;
      for (int c = 0; c < 3; ++c) {
        corners.push_back(center + 0.4 * Vec3(coordinate(random), coordinate(random), coordinate(random)));
      }
      if (only != kNone && only != body) continue;
      const auto first = static_cast<Index>(crowd.points.size());
      crowd.points.insert(crowd.points.end(), corners.begin(), corners.end());
      crowd.triangles.push_back({first, first + 1, first + 2});
      crowd.bodies.insert(crowd.bodies.end(), 3, body);
    }
  }
  return crowd;
}

TEST(CheckSurfaces, bodies_that_ignore_themselves_still_meet_all_others) {
  constexpr Index kBodies = 12;
  const SurfaceSet crowd = make_crowd(kBodies, kNone);
  const auto count = [](const SurfaceSet& surfaces, const CheckerOptions& options) {
    return static_cast<std::int64_t>(check_surfaces(surfaces, options).intersections);
  };
  CheckerOptions options;
  std::int64_t expected = count(crowd, options);
  for (Index body = 0; body < kBodies; body += 2) {  // every other one
    options.ignored_bodies.push_back({body, body});
    const std::int64_t own = count(make_crowd(kBodies, body), {});
    EXPECT_GT(own, 0);
    expected -= own;
  }
  EXPECT_GT(expected, 0);
  EXPECT_EQ(count(crowd, options), expected);
}

}  // namespace marrow
