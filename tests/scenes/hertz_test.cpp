// Contact pressure against a closed form; bench/results/ipc_hertz.md shows its convergence.
#include "scenes/hertz.h"

#include <gtest/gtest.h>

#include <cmath>

namespace marrow::test {
namespace {

// Linear elements are too stiff by their first order: two and three of them across the contact radius show
// the trend.
TEST(HertzContact, force_radius_and_pressure_approach_the_closed_form) {
  const HertzResult coarse = solve_hertz(2), fine = solve_hertz(3);
  ASSERT_TRUE(coarse.is_solved && fine.is_solved);
  EXPECT_NEAR(fine.force, 1, 0.16);
  EXPECT_NEAR(fine.radius, 1, 0.03);
  EXPECT_NEAR(fine.inner_pressure, 1, 0.18);
  EXPECT_LT(std::abs(fine.force - 1), 0.6 * std::abs(coarse.force - 1));
}

// The same with the barrier integrated over the surface.
TEST(HertzContact, by_area_force_radius_and_pressure_approach_the_closed_form_too) {
  const HertzResult coarse = solve_hertz(2, true), fine = solve_hertz(3, true);
  ASSERT_TRUE(coarse.is_solved && fine.is_solved);
  EXPECT_NEAR(fine.force, 1, 0.16);
  EXPECT_NEAR(fine.radius, 1, 0.03);
  EXPECT_NEAR(fine.inner_pressure, 1, 0.18);
  EXPECT_LT(std::abs(fine.force - 1), 0.6 * std::abs(coarse.force - 1));
}

}  // namespace
}  // namespace marrow::test
