// Contact pressure against a closed form; bench/results/ipc_hertz.md shows its convergence.
#include "scenes/hertz.h"

#include <gtest/gtest.h>

namespace marrow::test {
namespace {

TEST(HertzContact, force_radius_and_pressure_agree_with_the_closed_form) {
  const HertzResult coarse = solve_hertz(2), fine = solve_hertz(4);
  ASSERT_TRUE(coarse.is_solved && fine.is_solved);
  EXPECT_NEAR(fine.force, 1, 0.05);
  EXPECT_NEAR(fine.radius, 1, 0.05);
  EXPECT_NEAR(fine.inner_pressure, 1, 0.1);
  EXPECT_LT(std::abs(fine.force - 1), std::abs(coarse.force - 1));
}

}  // namespace
}  // namespace marrow::test
