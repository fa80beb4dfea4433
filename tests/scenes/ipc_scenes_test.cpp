// The small scenes of examples/ipc run to its end, as it is and from two jittered poses, and the exact
// checker finds no intersection and no inversion at any Newton iterate or on the way there. Some run once
// more with a tolerance far below what energies can tell.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenes/witness.h"

namespace marrow::test {
namespace {

void expect_clean_end(const WitnessedRun& result) {
  EXPECT_EQ(result.intersections, 0);
  EXPECT_EQ(result.inversions, 0);
  EXPECT_EQ(result.jumps, 0);
  EXPECT_GT(result.iterates, result.run.steps);
  ASSERT_TRUE(result.is_finished()) << "step " << result.run.steps + 1 << ": "
                                    << to_string(result.run.failure->newton.verdict);
}

class IpcScene : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(IpcScene, ends_without_intersection_or_inversion) {
  const auto& [name, seed] = GetParam();
  expect_clean_end(run_witnessed(seed == 0 ? build_ipc_scene(name) : build_jittered_scene(name, seed)));
}

// Take minutes under the checker; `./dev bench ipc_jitter` runs them.
const std::vector<std::string> kLong = {"card_house_hit", "funnel", "rollers"};

std::vector<std::string> list_short_scenes() {
  std::vector<std::string> names = list_ipc_scenes();
  std::erase_if(names, [](const std::string& name) {
    return std::find(kLong.begin(), kLong.end(), name) != kLong.end();
  });
  return names;
}

std::string scene_test_name(const ::testing::TestParamInfo<IpcScene::ParamType>& param) {
  const auto& [name, seed] = param.param;
  return name + (seed == 0 ? "" : "_jitter_" + std::to_string(seed));
}

INSTANTIATE_TEST_SUITE_P(All, IpcScene,
                         ::testing::Combine(::testing::ValuesIn(list_short_scenes()),
                                            ::testing::Values(0, 1, 2)),
                         scene_test_name);

class TightIpcScene : public ::testing::TestWithParam<std::string> {};

TEST_P(TightIpcScene, ends_at_a_millionth_of_the_default_tolerance) {
  expect_clean_end(run_witnessed(build_ipc_scene(GetParam(), {"solver.tolerance=1e-9"})));
}

INSTANTIATE_TEST_SUITE_P(Some, TightIpcScene,
                         ::testing::Values("ball_impact", "ball_on_points", "chain_10", "compactor",
                                           "mass_ratio", "pin_cushion", "stick_slip", "stiffness_ratio"),
                         [](const auto& param) { return param.param; });

// The witness itself sees what is wrong.
TEST(Witness, sees_bodies_pass_through_each_other) {
  const WitnessedRun result = run_witnessed(build_ipc_scene("tunnel_100", {"contact.enabled=false"}));
  EXPECT_GT(result.intersections, 0);
}

}  // namespace
}  // namespace marrow::test
