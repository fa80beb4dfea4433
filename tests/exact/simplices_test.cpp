// Meeting of closed simplices against integer brute force. Coordinates are small integers, so that touching,
// coplanar, collinear, degenerate and coincident cases are the rule.
#include "exact/simplices.h"

#include <gtest/gtest.h>

#include <random>

#include "exact/draws.h"
#include "exact/reference.h"

namespace marrow::exact {
namespace {

std::vector<reference::IntVec> integers_of(const Points& points, const Simplex& simplex) {
  std::vector<reference::IntVec> result;
  for (int i = 0; i < simplex.count; ++i) {
    result.push_back(reference::to_integers(points[static_cast<size_t>(simplex[i])]));
  }
  return result;
}

Simplex draw_simplex(int count, Index first) {
  return make_simplex(first, count > 1 ? first + 1 : kNone, count > 2 ? first + 2 : kNone);
}

TEST(ExactSimplices, all_kinds_agree_with_brute_force) {
  std::mt19937_64 random(1);
  Points points(6);
  int meeting = 0;
  const int rounds = 1000000;
  for (int round = 0; round < rounds; ++round) {
    // Spans from 2 (nearly everything degenerate) to 9 (mostly generic).
    const int span = 2 + round % 8;
    for (Vec3& p : points) p = draw_point(random, span);
    // Mostly triangles; sometimes everything in one slanted plane.
    if (round % 5 == 0) {
      for (Vec3& p : points) p[2] = p[0] + p[1];
    }
    const Simplex A = draw_simplex(random() % 3 == 0 ? 1 + static_cast<int>(random() % 3) : 3, 0);
    const Simplex B = draw_simplex(random() % 3 == 0 ? 1 + static_cast<int>(random() % 3) : 3, 3);
    const bool expected = reference::hulls_meet(integers_of(points, A), integers_of(points, B));
    ASSERT_EQ(meet(PointSigns{points}, A, B), expected) << "round " << round;
    ASSERT_EQ(meet(PointSigns{points}, B, A), expected) << "round " << round;
    meeting += expected ? 1 : 0;
  }
  EXPECT_GT(meeting, rounds / 10);
  EXPECT_LT(meeting, rounds * 9 / 10);
}

// Pairs that share one or two vertices; corners drawn so that folds and degenerate triangles are common.
TEST(ExactSimplices, neighbours_agree_with_brute_force) {
  std::mt19937_64 random(2);
  Points points(6);
  std::array<int, 2> counts = {0, 0};
  const int rounds = 500000;
  for (int round = 0; round < rounds; ++round) {
    const int span = 2 + round % 5;
    for (Vec3& p : points) p = draw_point(random, span);
    if (round % 3 == 0) {
      for (Vec3& p : points) p[2] = p[0] - p[1];
    }
    if (round % 7 == 0) {
      for (Vec3& p : points) p[1] = p[2] = 2 * p[0];
    }
    const int shared_count = static_cast<int>(random() % 3);
    const Simplex A = draw_simplex(1 + static_cast<int>(random() % 3), 0);
    Simplex B;
    for (Index v = 0; v < std::min(shared_count, A.count); ++v) B.add(v);
    const int corners = std::max(B.count, 1 + static_cast<int>(random() % 3));
    for (Index v = 3; B.count < corners; ++v) B.add(v);
    std::vector<reference::IntVec> shared;
    for (Index v = 0; v < std::min(shared_count, A.count); ++v) {
      shared.push_back(reference::to_integers(points[static_cast<size_t>(v)]));
    }
    const bool expected = reference::meet_beyond(integers_of(points, A), integers_of(points, B), shared);
    ASSERT_EQ(meet_beyond_shared(PointSigns{points}, A, B), expected)
        << "round " << round << ", corners " << A.count << " and " << B.count << ", shared " << shared.size();
    ASSERT_EQ(meet_beyond_shared(PointSigns{points}, B, A), expected);
    counts[expected ? 1 : 0] += 1;
  }
  EXPECT_GT(counts[0], rounds / 10);
  EXPECT_GT(counts[1], rounds / 10);
}

// The answer depends on the geometry only: neither on scale, nor on order and orientation.
TEST(ExactSimplices, invariant_under_scaling_and_renumbering) {
  std::mt19937_64 random(3);
  Points points(6);
  for (int round = 0; round < 20000; ++round) {
    for (Vec3& p : points) p = draw_point(random, 5);
    const bool expected = meet(PointSigns{points}, make_simplex(0, 1, 2), make_simplex(3, 4, 5));
    Points scaled = points;
    const double factor = round % 2 == 0 ? 0x1p-1060 : 0x1p1000;
    for (Vec3& p : scaled) p *= factor;
    ASSERT_EQ(meet(PointSigns{scaled}, make_simplex(0, 1, 2), make_simplex(3, 4, 5)), expected);
    ASSERT_EQ(meet(PointSigns{points}, make_simplex(5, 3, 4), make_simplex(0, 2, 1)), expected);
  }
}

TEST(ExactSimplices, one_unit_in_the_last_place_decides) {
  Points points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0}};
  const Simplex triangle = make_simplex(0, 1, 2);
  EXPECT_TRUE(meet(PointSigns{points}, triangle, make_simplex(3)));
  points[3][2] = std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(meet(PointSigns{points}, triangle, make_simplex(3)));
  // On the slanted edge, and just outside.
  points[3] = Vec3(0.25, 0.75, 0);
  EXPECT_TRUE(meet(PointSigns{points}, triangle, make_simplex(3)));
  points[3][0] = std::nextafter(0.25, 1);
  EXPECT_FALSE(meet(PointSigns{points}, triangle, make_simplex(3)));
}

TEST(ExactSimplices, folded_neighbours) {
  // Two triangles over the edge 0–1.
  Points points = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
  const Simplex A = make_simplex(0, 1, 2);
  const Simplex B = make_simplex(1, 0, 3);
  EXPECT_FALSE(meet_beyond_shared(PointSigns{points}, A, B));
  points[3] = Vec3(0.5, 0.5, 1e-300);
  EXPECT_FALSE(meet_beyond_shared(PointSigns{points}, A, B));
  points[3] = Vec3(0.5, 0.5, 0);
  EXPECT_TRUE(meet_beyond_shared(PointSigns{points}, A, B));
}

}  // namespace
}  // namespace marrow::exact
