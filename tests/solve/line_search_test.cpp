// The one door through which geometry moves: downhill, within the limit, never past a wall, and never unseen.
#include "solve/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "line_search_ground.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kArmijo = 1e-4;  // the decrease that is asked for, as a part of what the slope promises
const VecX kOne = VecX::Constant(3, 1.0);

using test::Ground;
using test::make_path;
using test::Search;

// No step: n keeps its bits, and nobody was told of a move.
void expect_unmoved(const Search& search, const VecX& before, const VecX& n) {
  EXPECT_EQ(n, before);
  EXPECT_TRUE(search.told.empty());
}

// A wall at x = 0, behind which it goes on downhill: no way leads nearer to it than a tenth of the distance,
// and nothing but the limit keeps from going through.
void put_wall(Ground& ground) {
  ground.value = [](const VecX& n) { return 0.5 * (n - VecX::Constant(n.size(), -1)).squaredNorm(); };
  ground.gradient = [](const VecX& n) { return VecX(n - VecX::Constant(n.size(), -1)); };
  ground.limit = [](const NodePath& path) {
    const double left = 0.1 * path.start[0], end = path.start[0] + path.direction[0];
    if (end >= left) return StepLimit{};
    return StepLimit{0.9 * path.start[0] / -path.direction[0], LimitCause::Collision};
  };
}

}  // namespace

TEST(LineSearch, a_good_step_is_taken_whole) {
  Search search;
  VecX n = kOne;
  const NodePath path = make_path(n, VecX(-0.75 * n));
  const StepLength length = search.move(path, n);
  EXPECT_EQ(length.alpha, 1);
  EXPECT_EQ(length.halvings, 0);
  EXPECT_EQ(length.limit.cause, LimitCause::None);
  EXPECT_FALSE(length.is_rounding);
  EXPECT_EQ(n, path.at(1));
  EXPECT_EQ(length.end.value, search.value(n));
  search.expect_told(n);
}

TEST(LineSearch, a_step_too_long_is_halved_until_it_descends) {
  Search search;
  VecX n = kOne;
  const NodePath path = make_path(n, VecX(-5 * n));  // to −4, −1.5 and −0.25
  const StepLength length = search.move(path, n);
  EXPECT_EQ(length.halvings, 2);
  EXPECT_EQ(length.alpha, 0.25);
  EXPECT_EQ(n, path.at(0.25));
  search.expect_told(n);
}

TEST(LineSearch, every_step_decreases_enough) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Search search(2);
  search.ground.value = [](const VecX& n) { return n.array().pow(4).sum() - n.squaredNorm() + n[0] * n[3]; };
  search.ground.gradient = [](const VecX& n) {
    VecX g = 4 * n.array().cube() - 2 * n.array();
    g[0] += n[3];
    g[3] += n[0];
    return g;
  };
  int halved = 0;
  for (int k = 0; k < 200; ++k) {
    VecX n = VecX::NullaryExpr(6, [&] { return normal(random); });
    VecX direction = VecX::NullaryExpr(6, [&] { return std::exp(2 * normal(random)) * normal(random); });
    NodePath path = make_path(n, direction);
    if (search.slope(path) > 0) path.direction = -path.direction;
    const double before = search.value(n), slope = search.slope(path);
    const StepLength length = search.move(path, n);
    ASSERT_GT(length.alpha, 0);
    EXPECT_LE(search.value(n), before + kArmijo * length.alpha * slope + 2 * search.rounding(n));
    EXPECT_EQ(n, path.at(length.alpha));
    halved += length.halvings > 0;
  }
  EXPECT_GT(halved, 50);  // both happen
  EXPECT_LT(halved, 190);
}

TEST(LineSearch, less_than_the_slope_promises_is_not_enough) {
  // The caller's slope is 10⁶ times too steep: no step keeps what it promises.
  Search search;
  VecX n = kOne;
  const NodePath path = make_path(n, VecX(-n));
  const StepLength length =
      search_and_move(search.objective, search.begin(n, 1e6 * search.slope(path)), path, n);
  EXPECT_EQ(length.alpha, 0);
  expect_unmoved(search, kOne, n);
}

TEST(LineSearch, the_limit_is_where_the_search_begins) {
  Search search;
  search.ground.limit = [](const NodePath&) { return StepLimit{0.3, LimitCause::Inversion}; };
  VecX n = kOne;
  const NodePath path = make_path(n, VecX(-n));
  const StepLength length = search.move(path, n);
  EXPECT_EQ(length.alpha, 0.3);
  EXPECT_EQ(length.halvings, 0);
  EXPECT_EQ(length.limit.alpha, 0.3);
  EXPECT_EQ(length.limit.cause, LimitCause::Inversion);
  EXPECT_EQ(n, path.at(0.3));
}

TEST(LineSearch, a_limited_step_is_halved_from_the_limit) {
  Search search;
  search.ground.limit = [](const NodePath&) { return StepLimit{0.6, LimitCause::Collision}; };
  VecX n = kOne;
  const StepLength length = search.move(make_path(n, VecX(-5 * n)), n);
  EXPECT_EQ(length.halvings, 1);
  EXPECT_EQ(length.alpha, 0.3);
}

TEST(LineSearch, nothing_ever_passes_a_wall) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(-3, 3);
  Search search;
  put_wall(search.ground);
  VecX n = kOne;
  int limited = 0;
  for (int k = 0; k < 1000; ++k) {
    const VecX end = VecX::NullaryExpr(3, [&] { return place(random); });
    NodePath path = make_path(n, VecX(end - n));
    switch (k % 5) {
      case 0:
      case 1: {
        if (search.slope(path) > 0) path.direction = -path.direction;
        const double slope = search.slope(path);
        const StepLength length =
            k % 5 == 0 ? search_and_move(search.objective, search.begin(n, slope), path, n)
                       : search_along_arcs(search.objective, search.begin(n, slope), path, {}, n);
        limited += length.limit.cause == LimitCause::Collision;
        break;
      }
      case 2:
        move_if_safe(search.objective, path, n);
        break;
      case 3:
        move_if_better(search.objective, path, n);
        break;
      default:
        limited += move_towards(search.objective, end, n).limit.cause == LimitCause::Collision;
    }
    ASSERT_GT(n[0], 0) << k;
  }
  EXPECT_GT(limited, 100);
  for (const VecX& seen : search.told) ASSERT_GT(seen[0], 0);
}

TEST(LineSearch, a_step_within_rounding_is_taken_and_said_to_be_one) {
  Search search;
  search.ground.magnitude = 1e16;  // changes below about 70 are noise
  VecX n = kOne;
  const StepLength length = search.move(make_path(n, VecX(-0.5 * n)), n);
  EXPECT_TRUE(length.is_rounding);
  EXPECT_EQ(length.alpha, 1);
  search.expect_told(n);
}

TEST(LineSearch, at_rounding_a_step_that_ends_on_a_steep_slope_is_cut) {
  // To −1.5: higher by 15/8, which is noise here, but the slope there is steeper than at the start.
  Search search;
  search.ground.magnitude = 1e16;
  VecX n = kOne;
  const NodePath path = make_path(n, VecX(-2.5 * n));
  const StepLength length = search.move(path, n);
  EXPECT_EQ(length.halvings, 1);
  EXPECT_EQ(n, path.at(0.5));
  // To −0.7, higher by 4.2 because of a ledge: less than 0.8 times as steep as the start.
  Search gentle;
  gentle.ground.magnitude = 1e16;
  gentle.ground.value = [](const VecX& m) { return 0.5 * m.squaredNorm() + (m[0] < 0 ? 5 : 0); };
  VecX m = kOne;
  EXPECT_EQ(gentle.move(make_path(m, VecX(-1.7 * m)), m).alpha, 1);
}

TEST(LineSearch, a_step_halved_down_into_the_noise_is_none) {
  // Uphill, whatever the gradient says; small enough parts of it are lost in rounding.
  Search search;
  search.ground.gradient = [](const VecX& m) { return VecX(-m); };
  VecX n = kOne;
  const StepLength length = search.move(make_path(n, n), n);
  EXPECT_EQ(length.alpha, 0);
  EXPECT_TRUE(length.is_rounding);
  EXPECT_GT(length.halvings, 10);
  expect_unmoved(search, kOne, n);
}

TEST(LineSearch, no_direction_is_no_change) {
  Search search;
  VecX n = kOne;
  const NodePath path = make_path(n, VecX::Zero(3));
  const StepLength length = search.move(path, n);
  EXPECT_EQ(n, kOne);
  EXPECT_EQ(length.halvings, 0);
  EXPECT_TRUE(length.is_rounding);
  EXPECT_FALSE(move_if_better(search.objective, path, n));  // equal is not better
  EXPECT_TRUE(move_if_safe(search.objective, path, n));
  EXPECT_EQ(move_towards(search.objective, kOne, n).alpha, 1);
  EXPECT_EQ(n, kOne);
}

TEST(LineSearch, where_the_energy_is_not_a_number_nothing_goes) {
  for (const double bad : {kInfinity, -kInfinity, kNan}) {
    Search search;
    search.ground.value = [bad](const VecX& n) { return n[0] < 0.5 ? bad : 0.5 * n.squaredNorm(); };
    VecX n = kOne;
    const NodePath path = make_path(n, VecX(-n));
    EXPECT_FALSE(move_if_safe(search.objective, path, n));
    EXPECT_FALSE(move_if_better(search.objective, path, n));
    expect_unmoved(search, kOne, n);
    EXPECT_EQ(search.move(path, n).alpha, 0.5);  // 0.5 itself is defined
    VecX m = kOne;
    EXPECT_EQ(move_towards(search.objective, VecX::Zero(3), m).alpha, 0.5);
    EXPECT_EQ(m, VecX::Constant(3, 0.5));
    EXPECT_EQ(search.told.size(), 2u);
  }
}

TEST(LineSearch, nothing_moves_where_no_place_is_defined) {
  for (const double bad : {kInfinity, -kInfinity, kNan}) {
    Search search;
    search.ground.value = [bad](const VecX& n) { return n == kOne ? 1.5 : bad; };
    VecX n = kOne;
    const NodePath path = make_path(n, VecX(-n));
    const StepLength length = search.move(path, n);
    EXPECT_EQ(length.alpha, 0);
    EXPECT_GT(length.halvings, 40);
    expect_unmoved(search, kOne, n);
  }
}

TEST(LineSearch, broken_numbers_move_nothing) {
  const VecX broken = VecX::Constant(3, kNan);
  Search search;
  VecX n = kOne;
  EXPECT_EQ(search_and_move(search.objective, search.begin(n, -1), make_path(n, broken), n).alpha, 0);
  EXPECT_EQ(search_and_move(search.objective, search.begin(n, kNan), make_path(n, VecX(-n)), n).alpha, 0);
  EXPECT_EQ(search_along_arcs(search.objective, search.begin(n, kNan), make_path(n, VecX(-n)), {}, n).alpha,
            0);
  EXPECT_FALSE(move_if_safe(search.objective, make_path(n, broken), n));
  EXPECT_FALSE(move_if_better(search.objective, make_path(n, broken), n));
  EXPECT_EQ(move_towards(search.objective, broken, n).alpha, 0);
  expect_unmoved(search, kOne, n);
  // A start without a value is better than nothing, but no search can tell.
  search.ground.value = [](const VecX& m) { return m == kOne ? kNan : 0.5 * m.squaredNorm(); };
  EXPECT_EQ(search.move(make_path(n, VecX(-n)), n).alpha, 0);
  EXPECT_FALSE(move_if_better(search.objective, make_path(n, VecX(-n)), n));
  expect_unmoved(search, kOne, n);
}

TEST(LineSearch, move_if_safe_climbs_but_only_all_the_way) {
  Search search;
  VecX n = kOne;
  const NodePath path = make_path(n, n);
  search.ground.limit = [](const NodePath&) {
    return StepLimit{std::nextafter(1.0, 0.0), LimitCause::Collision};
  };
  EXPECT_FALSE(move_if_safe(search.objective, path, n));
  expect_unmoved(search, kOne, n);
  search.ground.limit = [](const NodePath&) { return StepLimit{}; };
  EXPECT_TRUE(move_if_safe(search.objective, path, n));
  EXPECT_EQ(n, path.at(1));
  search.expect_told(n);
}

TEST(LineSearch, move_if_better_only_descends) {
  Search search;
  VecX n = kOne;
  EXPECT_FALSE(move_if_better(search.objective, make_path(n, n), n));
  EXPECT_FALSE(
      move_if_better(search.objective, make_path(n, VecX(-2 * n)), n));  // as high, on the other side
  expect_unmoved(search, kOne, n);
  const NodePath path = make_path(n, VecX(-0.1 * n));
  search.ground.limit = [](const NodePath&) { return StepLimit{0.5, LimitCause::Collision}; };
  EXPECT_FALSE(move_if_better(search.objective, path, n));
  expect_unmoved(search, kOne, n);
  search.ground.limit = [](const NodePath&) { return StepLimit{}; };
  EXPECT_TRUE(move_if_better(search.objective, path, n));
  EXPECT_EQ(n, path.at(1));
  search.expect_told(n);
}

TEST(LineSearch, a_free_way_ends_at_the_target_to_the_last_bit) {
  // Start plus difference would be 0, for the difference is rounded.
  Search search;
  VecX n = VecX::Constant(3, 1e17);
  const VecX target = VecX::Constant(3, 0.1);
  ASSERT_NE(VecX(n + (target - n)), target);
  EXPECT_EQ(move_towards(search.objective, target, n).alpha, 1);
  EXPECT_EQ(n, target);
  search.expect_told(n);
}

TEST(LineSearch, moving_towards_a_target_stops_at_the_limit_and_may_climb) {
  Search search;
  search.ground.limit = [](const NodePath&) { return StepLimit{0.25, LimitCause::Collision}; };
  VecX n = kOne;
  const StepLength length = move_towards(search.objective, VecX::Constant(3, 5), n);
  EXPECT_EQ(length.alpha, 0.25);
  EXPECT_EQ(length.limit.cause, LimitCause::Collision);
  EXPECT_EQ(n, VecX::Constant(3, 2));
  search.expect_told(n);
}

TEST(LineSearch, without_an_observer_it_moves_all_the_same) {
  Ground ground;
  Objective objective(1);
  objective.add_term(ground, 1);
  VecX n = kOne;
  EXPECT_TRUE(move_if_safe(objective, make_path(n, VecX(-n)), n));
  EXPECT_EQ(n, VecX::Zero(3));
}

}  // namespace marrow
