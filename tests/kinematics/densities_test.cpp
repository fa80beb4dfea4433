#include "kinematics/elements/densities.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace marrow {
namespace {

std::vector<TetMass> make_tets(std::mt19937& random, size_t count) {
  std::uniform_real_distribution<double> at(-1, 1), volume(0.1, 2);
  std::vector<TetMass> tets;
  for (size_t i = 0; i < count; ++i)
    tets.push_back({volume(random), Vec3(at(random), at(random), at(random))});
  return tets;
}

struct Sum {
  double volume = 0;
  Vec3 center = Vec3::Zero();
};

Sum add_up(const std::vector<TetMass>& tets, const std::vector<double>& densities) {
  Sum sum;
  for (size_t t = 0; t < tets.size(); ++t) {
    const double share = (densities.empty() ? 1 : densities[t]) * tets[t].volume;
    sum.volume += share;
    sum.center += share * tets[t].center;
  }
  sum.center /= sum.volume;
  return sum;
}

TEST(Densities, put_the_centre_of_mass_where_it_should_be_within_their_bounds) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const std::vector<TetMass> tets = make_tets(random, 40);
    const Sum before = add_up(tets, {});
    const Vec3 center = before.center + 0.01 * trial * Vec3(0.3, -0.2, 0.1);
    const double total = before.volume * (1 + 0.002 * trial);
    const std::vector<double> s = balance_densities(tets, total, center, 0.4, 2);
    ASSERT_EQ(s.size(), tets.size()) << trial;
    const Sum after = add_up(tets, s);
    EXPECT_NEAR(after.volume, total, 1e-8 * total);
    EXPECT_LT((after.center - center).norm(), 1e-8);
    // The least change is affine in the place, wherever no bound holds it: four numbers explain all.
    MatX places(0, 4);
    VecX changes(0);
    for (size_t t = 0; t < s.size(); ++t) {
      EXPECT_GE(s[t], 0.4);
      EXPECT_LE(s[t], 2);
      if (s[t] <= 0.4 || s[t] >= 2) continue;
      places.conservativeResize(places.rows() + 1, 4);
      places.row(places.rows() - 1) << 1, tets[t].center.transpose();
      changes.conservativeResize(changes.size() + 1);
      changes[changes.size() - 1] = s[t] - 1;
    }
    ASSERT_GT(changes.size(), 8);
    const VecX fit = places.colPivHouseholderQr().solve(changes);
    EXPECT_LT((places * fit - changes).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(Densities, stay_where_the_centre_is_right_and_are_none_where_no_bounds_allow_it) {
  std::mt19937 random(4);
  const std::vector<TetMass> tets = make_tets(random, 30);
  const Sum before = add_up(tets, {});
  for (const double s : balance_densities(tets, before.volume, before.center, 0.1, 10))
    EXPECT_NEAR(s, 1, 1e-9);
  EXPECT_TRUE(balance_densities(tets, before.volume, Vec3(1.5, 0, 0), 0.1, 10).empty());
  EXPECT_TRUE(balance_densities(tets, 3 * before.volume, before.center, 0.1, 2).empty());
}

}  // namespace
}  // namespace marrow
