#include "geometry/remesh/tet_edit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mesh/mesh_summary.h"
#include "mesh/refine.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

Mesh make_box(int cells) {
  BoxShape shape;
  shape.cells_x = shape.cells_y = shape.cells_z = cells;
  return build_shape(shape);
}

double add_up(const Points& x, const std::vector<Tet>& tets) {
  double sum = 0;
  for (const Tet& t : tets) sum += compute_tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  return sum;
}

double find_smallest(const Points& x, const std::vector<Tet>& tets) {
  double smallest = 1e300;
  for (const Tet& t : tets)
    smallest = std::min(smallest, compute_tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]));
  return smallest;
}

Index find_point(const Points& points, const Vec3& x) {
  for (size_t i = 0; i < points.size(); ++i) {
    if ((points[i] - x).norm() < 1e-12) return static_cast<Index>(i);
  }
  return kNone;
}

// A map that bends the box and keeps every tet positive.
Points bend(const Points& points) {
  Points out;
  for (const Vec3& x : points) out.emplace_back(x[0] + 0.2 * x[1] * x[1], x[1] + 0.1 * x[0] * x[2], x[2]);
  return out;
}

TEST(TetEdit, split_halves_the_tets_around_an_edge) {
  const Mesh mesh = make_box(2);
  TetEdit edit({mesh.points, bend(mesh.points)}, mesh.tets, {0});
  const Edge edge = unique_edges(mesh.tets)[7];
  const size_t star = edit.find_star(edge).size();
  const std::optional<Index> middle = edit.split(edge);
  ASSERT_TRUE(middle);
  const TetEdit::Packed packed = edit.pack();
  EXPECT_EQ(packed.tets.size(), mesh.tets.size() + star);
  EXPECT_EQ(edit.tets_at(*middle).size(), 2 * star);
  for (size_t k = 0; k < 2; ++k) {
    const Points& x = packed.positions[k];
    EXPECT_EQ(x[*middle], 0.5 * (x[edge[0]] + x[edge[1]]));
    EXPECT_NEAR(add_up(x, packed.tets), add_up(edit.positions()[k], mesh.tets), 1e-15);
    EXPECT_GT(find_smallest(x, packed.tets), 0);
  }
  EXPECT_TRUE(edit.find_star(edge).empty());
}

TEST(TetEdit, undo_restores_every_number) {
  const Mesh mesh = make_box(2);
  TetEdit edit({mesh.points, bend(mesh.points)}, mesh.tets, {0});
  std::mt19937 random(3);
  int made = 0;
  for (int k = 0; k < 200; ++k) {
    const std::vector<Edge> edges = unique_edges(edit.pack().tets);
    const Edge local = edges[random() % edges.size()];
    const std::vector<Index> kept = edit.pack().kept;
    const Edge edge = {kept[local[0]], kept[local[1]]};
    made += k % 2 == 0 ? edit.split(edge).has_value() : edit.collapse(edge[0], edge[1]);
  }
  EXPECT_GT(made, 50);
  for (; made > 0; --made) edit.undo();
  const TetEdit::Packed packed = edit.pack();
  EXPECT_EQ(packed.tets, mesh.tets);
  EXPECT_EQ(packed.positions[0], mesh.points);
  EXPECT_EQ(packed.positions[1], bend(mesh.points));
}

// Splits and collapses at random keep the volume, the border's area and every orientation.
TEST(TetEdit, random_operations_keep_the_shape) {
  const Mesh mesh = make_box(3);
  TetEdit edit({mesh.points, bend(mesh.points)}, mesh.tets, {0.05});
  std::mt19937 random(11);
  int splits = 0, collapses = 0;
  for (int k = 0; k < 600; ++k) {
    const TetEdit::Packed now = edit.pack();
    const std::vector<Edge> edges = unique_edges(now.tets);
    const Edge local = edges[random() % edges.size()];
    const Edge edge = {now.kept[local[0]], now.kept[local[1]]};
    if (random() % 3 == 0) {
      splits += edit.split(edge).has_value();
    } else {
      collapses += edit.collapse(edge[0], edge[1]);
    }
  }
  EXPECT_GT(splits, 50);
  EXPECT_GT(collapses, 20);
  const TetEdit::Packed packed = edit.pack();
  const Points& X = packed.positions[0];
  EXPECT_NEAR(add_up(X, packed.tets), 1, 1e-13);
  EXPECT_GT(find_smallest(X, packed.tets), 0);
  EXPECT_GT(find_smallest(packed.positions[1], packed.tets), 0);
  double area = 0;
  std::vector<int> uses(X.size(), 0);
  for (const Triangle& t : extract_surface(packed.tets)) {
    area += 0.5 * (X[t[1]] - X[t[0]]).cross(X[t[2]] - X[t[0]]).norm();
    for (const Index i : t) ++uses[i];
  }
  EXPECT_NEAR(area, 6, 1e-12);
  const MeshSummary summary = summarize({X, {}, {}, extract_surface(packed.tets), packed.tets});
  EXPECT_TRUE(summary.closed);
  EXPECT_TRUE(summary.manifold);
  EXPECT_EQ(summary.euler_characteristic, 2);
}

TEST(TetEdit, collapse_undoes_a_split) {
  const Mesh mesh = make_box(2);
  TetEdit edit({mesh.points}, mesh.tets, {0});
  for (const Edge& edge : unique_edges(mesh.tets)) {
    const std::optional<Index> middle = edit.split(edge);
    ASSERT_TRUE(middle);
    // Along a crease the middle may not go: its faces lie in two planes.
    if (edit.collapse(*middle, edge[0])) {
      EXPECT_EQ(edit.pack().tets.size(), mesh.tets.size());
      edit.undo();
    }
    edit.undo();
  }
  EXPECT_EQ(edit.pack().tets, mesh.tets);
}

TEST(TetEdit, corners_and_creases_stay) {
  const Mesh mesh = make_box(2);
  TetEdit edit({mesh.points}, mesh.tets, {0});
  const Index corner = find_point(mesh.points, {0.5, 0.5, 0.5});
  const Index crease = find_point(mesh.points, {0.5, 0.5, 0});
  const Index face = find_point(mesh.points, {0.5, 0, 0});
  const Index inside = find_point(mesh.points, {0, 0, 0});
  ASSERT_TRUE(corner != kNone && crease != kNone && face != kNone && inside != kNone);
  for (const Edge& edge : unique_edges(mesh.tets)) {
    for (const auto& [from, to] : {std::pair(edge[0], edge[1]), std::pair(edge[1], edge[0])}) {
      const bool moves = edit.collapse(from, to);
      if (from == corner || from == crease) {
        EXPECT_FALSE(moves);
      }
      if (from == face && to == inside) {
        EXPECT_FALSE(moves) << "a border point may not go inside";
      }
      if (moves) edit.undo();
    }
  }
}

// A collapse that is sound at rest is refused exactly if it inverts or flattens a tet in the other positions.
TEST(TetEdit, collapse_is_checked_in_all_positions) {
  const Mesh mesh = make_box(2);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> move(-0.3, 0.3);
  int accepted = 0, refused = 0;
  for (int k = 0; k < 200; ++k) {
    Points moved = mesh.points;
    for (Vec3& x : moved) x += Vec3(move(random), move(random), move(random));
    if (find_smallest(moved, mesh.tets) <= 0) continue;
    for (const Edge& edge : unique_edges(mesh.tets)) {
      TetEdit at_rest({mesh.points}, mesh.tets, {0});
      if (!at_rest.collapse(edge[0], edge[1])) continue;
      const TetEdit::Packed packed = at_rest.pack();
      Points left;
      for (const Index i : packed.kept) left.push_back(moved[i]);
      TetEdit both({mesh.points, moved}, mesh.tets, {0});
      const bool is_sound = find_smallest(left, packed.tets) > 0;
      EXPECT_EQ(both.collapse(edge[0], edge[1]), is_sound);
      ++(is_sound ? accepted : refused);
    }
  }
  EXPECT_GT(accepted, 10);
  EXPECT_GT(refused, 10);
}

TEST(TetEdit, too_few_tets_are_not_collapsed) {
  // Two tets with a face in common, and one alone: every collapse would leave a tet without volume, or
  // nothing.
  const Points x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1}, {0.3, 0.3, -1}};
  TetEdit edit({x}, {{0, 1, 2, 3}, {0, 2, 1, 4}}, {0});
  for (Index a = 0; a < 5; ++a) {
    for (Index b = 0; b < 5; ++b) {
      if (a != b) {
        EXPECT_FALSE(edit.collapse(a, b)) << a << " " << b;
      }
    }
  }
  TetEdit single({{x[0], x[1], x[2], x[3]}}, {{0, 1, 2, 3}}, {0});
  EXPECT_FALSE(single.collapse(0, 1));
  EXPECT_TRUE(single.split({0, 1}));
}

TEST(TetEdit, thin_tets_are_refused) {
  const Mesh mesh = make_box(1);
  TetEdit edit({mesh.points}, mesh.tets, {0.6});
  int refused = 0;
  for (const Edge& edge : unique_edges(mesh.tets)) {
    if (edit.split(edge)) {
      const TetEdit::Packed packed = edit.pack();
      const Points& X = packed.positions[0];
      for (const Tet& t : packed.tets)
        EXPECT_GE(compute_tet_quality(X[t[0]], X[t[1]], X[t[2]], X[t[3]]), 0.6);
      edit.undo();
    } else {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

// The middle of an edge of neighbouring numbers is one of its ends: the tet would be flat.
TEST(TetEdit, edges_of_rounding_length_are_not_split) {
  const double tiny = std::nextafter(1.0, 2.0);
  const Points x = {{1, 0, 0}, {tiny, 0, 0}, {1, 1, 0}, {1, 0, 1}};
  ASSERT_GT(compute_tet_volume(x[0], x[1], x[2], x[3]), 0);
  TetEdit edit({x}, {{0, 1, 2, 3}}, {0});
  EXPECT_FALSE(edit.split({0, 1}));
  EXPECT_EQ(edit.pack().positions[0], x);
}

TEST(RefineTets, eight_tets_of_equal_volume) {
  Mesh mesh = make_box(1);
  mesh.triangles = extract_surface(mesh.tets);
  const Mesh fine = refine_tets(mesh);
  ASSERT_EQ(fine.tets.size(), 8 * mesh.tets.size());
  EXPECT_EQ(fine.triangles.size(), 4 * mesh.triangles.size());
  EXPECT_EQ(extract_surface(fine.tets).size(), fine.triangles.size());
  for (size_t t = 0; t < fine.tets.size(); ++t) {
    const Tet& tet = fine.tets[t];
    EXPECT_NEAR(compute_tet_volume(fine.points[tet[0]], fine.points[tet[1]], fine.points[tet[2]],
                                   fine.points[tet[3]]),
                1.0 / 6 / 8, 1e-15);
  }
}

}  // namespace
}  // namespace marrow
