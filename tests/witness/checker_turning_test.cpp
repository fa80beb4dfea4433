// The witness over ways that turn: what the chord misses it finds, what is free it shows free.
#include "witness/checker_turning.h"

#include <gtest/gtest.h>

#include <numbers>

#include "math/rotation.h"

namespace marrow {
namespace {

// A needle of length 2 that turns about its middle, and a triangle beside it.
struct Needle {
  SurfaceSet surfaces;
  Points x0, x1;
  std::vector<BodyTurn> turns;
  CheckerOptions options;

  Needle(double angle, double corner) {
    x0 = {
        {-1, 0, 0}, {1, 0, 0}, {corner, -0.05, corner}, {corner, 0.05, corner}, {corner + 1, 0, corner + 1}};
    BodyTurn turn;
    turn.rotation = Vec3(0, -angle, 0);  // from x towards z
    turns = {turn};
    x1 = x0;
    for (int i : {0, 1}) x1[i] = rotation_from_vector(turn.rotation) * x0[i];
    surfaces.points = x0;
    surfaces.edges = {{0, 1}};
    surfaces.triangles = {{2, 3, 4}};
    surfaces.bodies = {0, 0, 1, 1, 1};
    options.ignored_bodies = {{0, 0}, {1, 1}};
  }

  std::int64_t count_turning() const {
    const TrajectoryReport report = check_turning_motion(surfaces, x0, x1, turns, options);
    return report.intersections + report.undecided;
  }
  std::int64_t count_straight() const { return check_motion(surfaces, x0, x1, options).intersections; }
};

}  // namespace

TEST(TurningWitness, sees_what_chords_cut_off) {
  // The tip passes the corner at 45 degrees, at distance 0.72 · √2 = 1.02 … 0.70 · √2 = 0.99 from the axis.
  const double quarter = std::numbers::pi / 2;
  EXPECT_EQ(Needle(quarter, 0.7072).count_turning(), 0);
  EXPECT_GT(Needle(quarter, 0.7069).count_turning(), 0);
  // The chord of the tip is far inside, and does not come near either.
  EXPECT_EQ(Needle(quarter, 0.7072).count_straight(), 0);
  EXPECT_EQ(Needle(quarter, 0.6).count_straight(), 0);
  EXPECT_GT(Needle(quarter, 0.6).count_turning(), 0);
}

TEST(TurningWitness, is_the_straight_witness_where_nothing_turns) {
  Needle still(0, 0.2);
  still.turns.clear();
  still.x1[2].x() = still.x1[3].x() = -0.5;
  still.x1[2].z() = still.x1[3].z() = -0.5;
  EXPECT_EQ(still.count_turning(), still.count_straight());
  EXPECT_GT(still.count_turning(), 0);
}

}  // namespace marrow
