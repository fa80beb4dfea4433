#include "contact/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "contact/pairs.h"
#include "exec/parallel.h"
#include "mesh/io/mesh_file.h"

namespace marrow {
namespace {

using test::Pairs;
using test::sorted;

// Triangles, wires, loose points: of each some, over points with radii. Neighbouring points are near each
// other.
Mesh make_mesh(Index point_count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1);
  Mesh mesh;
  for (Index i = 0; i < point_count; ++i) {
    mesh.points.push_back({place(random), place(random), place(random) + 0.003 * i});
    mesh.radii.push_back(0.02 * place(random));
  }
  const Index third = point_count / 3;
  for (Index i = 0; i + 2 < third; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
  for (Index i = third; i + 1 < 2 * third; ++i) {
    if (i % 7 != 0) mesh.edges.push_back({i, i + 1});
  }
  mesh.edges.push_back({0, third});  // from a triangle to a wire
  return mesh;
}

struct Case {
  CollisionMesh mesh;
  Points x0, x1;
  double distance = 0;
  CandidateFilter filter;
};

Case make_case(Index point_count, unsigned seed) {
  const Mesh start = make_mesh(point_count, seed);
  Case c{build_collision_mesh(start), start.points, make_mesh(point_count, seed + 1).points, 0.03, {}};
  for (size_t i = 0; i < c.x1.size(); ++i) c.x1[i] = c.x0[i] + 0.2 * (c.x1[i] - c.x0[i]);
  return c;
}

Aabb box_of(const Case& c, std::span<const Index> corners) {
  Aabb box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
  for (const Index p : corners) {
    const auto i = static_cast<size_t>(p);
    const double r = c.mesh.radii.empty() ? 0 : c.mesh.radii[i];
    box = merge(box, box_of_swept_ball(c.x0[i], c.x1[i], r + 0.5 * c.distance));
  }
  return box;
}

bool has_either(const Pairs& pairs, Index a, Index b) {
  return std::any_of(pairs.begin(), pairs.end(), [&](const IndexPair& pair) {
    return pair == IndexPair{a, b} || pair == IndexPair{b, a};
  });
}

bool is_expected(const Case& c, std::span<const Index> a, std::span<const Index> b) {
  if (!is_overlapping(box_of(c, a), box_of(c, b))) return false;
  bool is_fixed = !c.filter.fixed.empty();
  for (const Index p : a) {
    for (const Index q : b) {
      if (p == q || has_either(c.filter.neighbours, p, q)) return false;
      if (is_fixed) {
        is_fixed = c.filter.fixed[static_cast<size_t>(p)] != 0 && c.filter.fixed[static_cast<size_t>(q)] != 0;
      }
    }
  }
  const auto body = [&](Index p) {
    return c.mesh.bodies.empty() ? 0 : c.mesh.bodies[static_cast<size_t>(p)];
  };
  return !is_fixed && !has_either(c.filter.ignored_bodies, body(a[0]), body(b[0]));
}

bool is_in_triangle(const CollisionMesh& mesh, Index point) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(),
                     [&](const Triangle& t) { return t[0] == point || t[1] == point || t[2] == point; });
}

bool has_taper(const CollisionMesh& mesh, const Edge& e) {
  return !mesh.radii.empty() && mesh.radii[e[0]] != mesh.radii[e[1]];
}

// Vertices of triangles meet wires by themselves only where radii taper.
bool meets_wire(const CollisionMesh& mesh, Index point, const Edge& wire) {
  if (!is_in_triangle(mesh, point) || has_taper(mesh, wire)) return true;
  return std::any_of(mesh.edges.begin(), mesh.edges.end(),
                     [&](const Edge& e) { return (e[0] == point || e[1] == point) && has_taper(mesh, e); });
}

Candidates brute_force(const Case& c) {
  const CollisionMesh& mesh = c.mesh;
  Candidates all;
  std::vector<Index> vertices = mesh.loose;
  for (const Edge& e : mesh.edges) vertices.insert(vertices.end(), e.begin(), e.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (size_t a = 0; a < mesh.edges.size(); ++a) {
    for (size_t b = a + 1; b < mesh.edges.size(); ++b) {
      if (is_expected(c, mesh.edges[a], mesh.edges[b])) {
        all.edge_edge.push_back({static_cast<Index>(a), static_cast<Index>(b)});
      }
    }
  }
  for (const Index v : vertices) {
    const std::array<Index, 1> point = {v};
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (is_expected(c, point, mesh.triangles[t])) all.vertex_triangle.push_back({v, static_cast<Index>(t)});
    }
    for (size_t w = mesh.wire_start; w < mesh.edges.size(); ++w) {
      if (is_expected(c, point, mesh.edges[w]) && meets_wire(mesh, v, mesh.edges[w])) {
        all.vertex_edge.push_back({v, static_cast<Index>(w)});
      }
    }
  }
  for (const Index a : mesh.loose) {
    for (const Index b : mesh.loose) {
      const std::array<Index, 1> point_a = {a}, point_b = {b};
      if (a < b && is_expected(c, point_a, point_b)) all.vertex_vertex.push_back({a, b});
    }
  }
  return all;
}

void expect_brute_force(const Case& c) {
  const Candidates expected = brute_force(c);
  const Candidates found = compute_swept_candidates(c.mesh, c.x0, c.x1, c.distance, c.filter);
  EXPECT_EQ(sorted(found.edge_edge), expected.edge_edge);
  EXPECT_EQ(sorted(found.vertex_triangle), expected.vertex_triangle);
  EXPECT_EQ(sorted(found.vertex_edge), expected.vertex_edge);
  EXPECT_EQ(sorted(found.vertex_vertex), expected.vertex_vertex);
}

TEST(Candidates, equal_brute_force) {
  for (const Index point_count : {3, 4, 9, 30, 300}) {
    Case c = make_case(point_count, 20);
    expect_brute_force(c);
    c.x1 = c.x0;
    expect_brute_force(c);
    for (size_t i = 0; i < c.mesh.radii.size(); ++i) c.mesh.radii[i] = i < 7 ? 0.01 : 0.02;  // few taper
    expect_brute_force(c);
    c.mesh.radii.clear();
    c.distance = 0;
    expect_brute_force(c);
  }
}

TEST(Candidates, every_list_is_used) {
  const Case c = make_case(300, 21);
  const Candidates found = compute_swept_candidates(c.mesh, c.x0, c.x1, c.distance);
  EXPECT_GT(found.edge_edge.size(), 1000u);
  EXPECT_GT(found.vertex_triangle.size(), 1000u);
  EXPECT_GT(found.vertex_edge.size(), 100u);
  EXPECT_GT(found.vertex_vertex.size(), 10u);
}

TEST(Candidates, filters) {
  Case c = make_case(240, 22);
  for (Index i = 0; i < c.mesh.point_count; ++i) c.mesh.bodies.push_back(i / 16 % 5);
  c.filter.ignored_bodies = {{1, 1}, {4, 4}};
  expect_brute_force(c);
  c.filter.ignored_bodies = {{1, 1}, {2, 0}, {3, 4}};
  expect_brute_force(c);
  for (Index i = 0; i < c.mesh.point_count; ++i) c.filter.fixed.push_back(i / 8 % 2 == 0 ? 1 : 0);
  expect_brute_force(c);
  c.filter.neighbours = {{5, 80}, {200, 6}, {130, 140}, {7, 8}};
  expect_brute_force(c);
  c.filter.ignored_bodies.clear();
  expect_brute_force(c);
}

TEST(Candidates, nothing_and_hardly_anything) {
  EXPECT_EQ(compute_candidates({}, {}, 1).size(), 0u);
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(compute_candidates(build_collision_mesh(mesh), mesh.points, 0.5).size(), 0u);
  EXPECT_EQ(compute_candidates(build_collision_mesh(mesh), mesh.points, 1).vertex_vertex.size(), 3u);
  mesh.triangles = {{0, 1, 2}};
  EXPECT_EQ(compute_candidates(build_collision_mesh(mesh), mesh.points, 9).size(), 0u);
  // All points in one place: every pair that shares no point.
  mesh.points.assign(6, Vec3(0.3, 0.3, 0.3));
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const Candidates found = compute_candidates(build_collision_mesh(mesh), mesh.points, 0);
  EXPECT_EQ(found.edge_edge.size(), 9u);
  EXPECT_EQ(found.vertex_triangle.size(), 6u);
}

TEST(Candidates, wire_ends_meet_their_neighbours) {
  // A wire a b c d: a and d with bc are in no pair of edges; b with cd and so on are, but ab with cd is
  // parallel.
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {1, 0.1, 0}, {0, 0.1, 0}};
  mesh.edges = {{0, 1}, {1, 2}, {2, 3}};
  const Candidates found = compute_candidates(build_collision_mesh(mesh), mesh.points, 5);
  EXPECT_EQ(found.edge_edge, (Pairs{{0, 2}}));
  EXPECT_EQ(sorted(found.vertex_edge), (Pairs{{0, 1}, {0, 2}, {1, 2}, {2, 0}, {3, 0}, {3, 1}}));
}

TEST(Candidates, collision_mesh_of_a_mesh) {
  Mesh mesh;
  mesh.points.assign(9, Vec3::Zero());
  mesh.triangles = {{0, 1, 2}};
  mesh.edges = {{2, 1}, {4, 3}, {3, 4}};  // the first is an edge of the triangle, the others are the same
  mesh.tets = {{0, 1, 2, 5}};
  const CollisionMesh built = build_collision_mesh(mesh);
  EXPECT_EQ(built.edges, (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {3, 4}}));
  EXPECT_EQ(built.wire_start, 3u);
  EXPECT_EQ(built.loose, (std::vector<Index>{6, 7, 8}));
}

TEST(Candidates, a_finder_remembers_nothing) {
  const Case c = make_case(600, 23);
  CandidateFinder finder(c.mesh, {});
  Candidates found;
  for (int step = 0; step < 6; ++step) {
    Points x = c.x0;
    for (size_t i = 0; i < x.size(); ++i) x[i] += step * step * 0.5 * (c.x1[i] - c.x0[i]);
    finder.find(x, 0.02, found);
    EXPECT_EQ(found.edge_edge, compute_candidates(c.mesh, x, 0.02).edge_edge);
    EXPECT_EQ(found.vertex_triangle, compute_candidates(c.mesh, x, 0.02).vertex_triangle);
  }
}

TEST(Candidates, same_bits_on_any_number_of_threads) {
  const Case c = make_case(6000, 24);
  exec::set_thread_count(1);
  const Candidates one = compute_swept_candidates(c.mesh, c.x0, c.x1, 0.01);
  exec::set_thread_count(3);
  const Candidates three = compute_swept_candidates(c.mesh, c.x0, c.x1, 0.01);
  exec::set_thread_count(0);
  EXPECT_TRUE(one.edge_edge == three.edge_edge);
  EXPECT_TRUE(one.vertex_triangle == three.vertex_triangle);
  EXPECT_TRUE(one.vertex_edge == three.vertex_edge);
  EXPECT_TRUE(one.vertex_vertex == three.vertex_vertex);
}

// Two frames of a simulation, and the pairs that a narrow phase kept of a published broad phase.
struct Frames {
  std::string folder;
  Mesh start, end;
};

bool read_frames(const std::string& scene, const std::string& first, const std::string& second,
                 Frames& frames) {
  frames.folder = MARROW_SOURCE_DIR "/../shared/data/ccd/Sample-Scalable-CCD-Data/" + scene;
  if (!std::filesystem::exists(frames.folder)) return false;
  frames.start = read_mesh(frames.folder + "/frames/" + first);
  frames.end = read_mesh(frames.folder + "/frames/" + second);
  return true;
}

// The pairs of a JSON list of lists.
Pairs read_pairs(const std::string& path) {
  std::ifstream file(path);
  Pairs pairs;
  Index numbers[2];
  for (char c = 0; file.get(c);) {
    if (c < '0' || c > '9') continue;
    file.unget();
    file >> numbers[0];
    while (file.get(c) && (c < '0' || c > '9')) continue;
    file.unget();
    file >> numbers[1];
    pairs.push_back({numbers[0], numbers[1]});
  }
  return pairs;
}

// The published data number vertices, then edges by their larger and then smaller point, then faces.
void expect_published_pairs(const Frames& frames, const std::string& step) {
  CollisionMesh mesh = build_collision_mesh(frames.start);
  std::sort(mesh.edges.begin(), mesh.edges.end(),
            [](const Edge& a, const Edge& b) { return std::pair(a[1], a[0]) < std::pair(b[1], b[0]); });
  const Candidates found = compute_swept_candidates(mesh, frames.start.points, frames.end.points, 0);
  const Index edge_start = mesh.point_count;
  const auto face_start = static_cast<Index>(mesh.point_count + static_cast<Index>(mesh.edges.size()));
  const auto expect_found = [](Pairs kept, const Pairs& pairs) {
    EXPECT_GT(kept.size(), 50u);
    for (IndexPair& pair : kept) {
      if (pair[0] > pair[1]) std::swap(pair[0], pair[1]);
    }
    const Pairs in_order = sorted(pairs);
    const auto is_missing = [&](const IndexPair& pair) {
      return !std::binary_search(in_order.begin(), in_order.end(), pair);
    };
    EXPECT_EQ(std::count_if(kept.begin(), kept.end(), is_missing), 0);
  };
  Pairs edge_edge = read_pairs(frames.folder + "/boxes/" + step + "ee.json");
  for (IndexPair& pair : edge_edge) pair = {pair[0] - edge_start, pair[1] - edge_start};
  expect_found(edge_edge, found.edge_edge);
  Pairs vertex_face = read_pairs(frames.folder + "/boxes/" + step + "vf.json");
  Pairs vertex_triangle = found.vertex_triangle;
  for (IndexPair& pair : vertex_triangle) pair[1] += face_start;
  expect_found(vertex_face, vertex_triangle);
}

TEST(Candidates, cloth_funnel_as_published) {
  Frames frames;
  if (!read_frames("cloth-funnel", "227.ply", "228.ply", frames)) GTEST_SKIP() << "no shared data";
  const Candidates found =
      compute_swept_candidates(build_collision_mesh(frames.start), frames.start.points, frames.end.points, 0);
  EXPECT_EQ(found.edge_edge.size(), 33770u);
  EXPECT_EQ(found.vertex_triangle.size(), 7319u);
  EXPECT_EQ(found.vertex_edge.size() + found.vertex_vertex.size(), 0u);
  expect_published_pairs(frames, "227");
}

TEST(Candidates, armadillo_rollers_as_published) {
  Frames frames;
  if (!read_frames("armadillo-rollers", "326.ply", "327.ply", frames)) GTEST_SKIP() << "no shared data";
  const Candidates found =
      compute_swept_candidates(build_collision_mesh(frames.start), frames.start.points, frames.end.points, 0);
  EXPECT_EQ(found.edge_edge.size(), 5068080u);
  EXPECT_EQ(found.vertex_triangle.size(), 2031902u);
  expect_published_pairs(frames, "326");
}

TEST(Candidates, part_of_a_real_frame_equals_brute_force) {
  Frames frames;
  if (!read_frames("armadillo-rollers", "326.ply", "327.ply", frames)) GTEST_SKIP() << "no shared data";
  // Some triangles from all over the mesh.
  Mesh part = frames.start;
  part.triangles.clear();
  for (size_t t = 0; t < frames.start.triangles.size(); t += 1 + t % 150) {
    part.triangles.push_back(frames.start.triangles[t]);
  }
  Case c{build_collision_mesh(part), frames.start.points, frames.end.points, 0, {}};
  c.mesh.loose.clear();
  expect_brute_force(c);
  c.x1 = c.x0;
  c.distance = 0.01;
  expect_brute_force(c);
}

}  // namespace
}  // namespace marrow
