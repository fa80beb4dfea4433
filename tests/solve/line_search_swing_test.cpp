// Steps that turn stiff bodies: on their circle where that is safe and better, else straight.
#include <gtest/gtest.h>

#include <cmath>

#include "line_search_ground.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

using test::Search;

// A stiff cube that a Newton step turns: straight, it would be stretched.
struct Turning {
  Kinematics kinematics;
  VecX start;
  Search search;
  NodePath path;
  RotatedSteps swings;

  explicit Turning(double angle)
      : start(make_start(kinematics)), search(start.size() / 3), path(turn(start, angle)) {
    const std::vector<char> is_fixed(static_cast<size_t>(start.size()) / 3, 0);
    swings = RotatedSteps(kinematics, is_fixed, path, {1e-6, 1e-6});
    // How far nodes are from where the turn would bring them, and a thousand times how much they are
    // stretched.
    const VecX goal = swings.bend(path, 1).at(1);
    search.ground.value = [this, goal](const VecX& n) {
      return 0.5 * (n - goal).squaredNorm() + 1e3 * std::pow(n.squaredNorm() - start.squaredNorm(), 2);
    };
    search.ground.gradient = [this, goal](const VecX& n) {
      return VecX(n - goal + 4e3 * (n.squaredNorm() - start.squaredNorm()) * n);
    };
  }

  static VecX make_start(Kinematics& kinematics) {
    const BoxShape box{.cells_x = 1, .cells_y = 1, .cells_z = 1};
    const Points points = add_soft_body("cube", build_shape(box), 1000, MassKind::Lumped, 0, kinematics);
    VecX n(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = points[i];
    return n;
  }

  static NodePath turn(const VecX& n, double angle) {
    NodePath path = {n, VecX(n.size()), {}};
    for (Index i = 0; i < n.size(); i += 3) {
      path.direction.segment<3>(i) = Vec3(0, 0, angle).cross(Vec3(n.segment<3>(i)));
    }
    return path;
  }
};

}  // namespace

TEST(LineSearchSwing, a_stiff_body_that_turns_goes_all_the_way_on_its_circle) {
  Turning turning(0.5);
  ASSERT_FALSE(turning.swings.is_empty());
  VecX straight = turning.start, swung = turning.start;
  const double slope = turning.search.slope(turning.path);
  ASSERT_LT(slope, 0);
  EXPECT_LT(
      search_and_move(turning.search.objective, turning.search.begin(straight, slope), turning.path, straight)
          .alpha,
      0.3);
  turning.search.told.clear();
  const StepLength length = search_along_arcs(turning.search.objective, turning.search.begin(swung, slope),
                                              turning.path, turning.swings, swung);
  EXPECT_EQ(length.alpha, 1);
  EXPECT_EQ(swung, turning.swings.bend(turning.path, 1).at(1));
  EXPECT_LT(turning.search.value(swung), 0.1 * turning.search.value(straight));
  turning.search.expect_told(swung);
}

TEST(LineSearchSwing, a_swing_stays_within_the_limit) {
  // Of every way no more than what leads to 0.2 of the turn is free.
  Turning turning(0.5);
  const double most = 0.2 * turning.path.direction.norm();
  turning.search.ground.limit = [most](const NodePath& path) {
    const double length = path.direction.norm();
    return length <= most ? StepLimit{} : StepLimit{most / length, LimitCause::Collision};
  };
  VecX n = turning.start;
  const StepLength length = search_along_arcs(
      turning.search.objective, turning.search.begin(turning.path.start, turning.search.slope(turning.path)),
      turning.path, turning.swings, n);
  EXPECT_GT(length.alpha, 0.1);
  EXPECT_LT(length.alpha, 0.21);
  EXPECT_LE((n - turning.start).norm(), most);
  EXPECT_EQ(length.limit.cause, LimitCause::Collision);
  turning.search.expect_told(n);
}

TEST(LineSearchSwing, where_no_swing_helps_the_straight_way_is_searched) {
  // Bent ways are closed; the straight one is open.
  Turning turning(0.5);
  const VecX straight = turning.path.direction.normalized();
  turning.search.ground.limit = [straight](const NodePath& path) {
    return path.direction.normalized().isApprox(straight, 1e-9) ? StepLimit{}
                                                                : StepLimit{0.5, LimitCause::Collision};
  };
  VecX n = turning.start, expected = turning.start;
  const double slope = turning.search.slope(turning.path);
  const StepLength plain = search_and_move(turning.search.objective, turning.search.begin(expected, slope),
                                           turning.path, expected);
  turning.search.told.clear();
  const StepLength length = search_along_arcs(turning.search.objective, turning.search.begin(n, slope),
                                              turning.path, turning.swings, n);
  EXPECT_EQ(n, expected);
  EXPECT_EQ(length.alpha, plain.alpha);
  turning.search.expect_told(n);
}

}  // namespace marrow
