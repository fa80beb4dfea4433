// The small scenes of examples/stiff, and one rigid-ipc fixture of our own, under the eyes of the exact
// checker: no intersection at any Newton iterate or on the curved ways between them.
#include <gtest/gtest.h>

#include <map>

#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

struct StiffCase {
  std::string name;
  int steps;  // from the start; every one of them has contact, or soon will
};

std::ostream& operator<<(std::ostream& out, const StiffCase& value) { return out << value.name; }

BuiltScene build_stiff(const StiffCase& wanted, const std::vector<std::string>& overrides = {}) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/stiff/" + wanted.name + ".json";
  Scene scene = read_scene(path, overrides);
  scene.time.duration = std::min(scene.time.duration, wanted.steps * scene.time.step);
  return build_scene(scene, path);
}

class StiffScene : public ::testing::TestWithParam<StiffCase> {};

TEST_P(StiffScene, ends_without_intersection) {
  const WitnessedRun result = run_witnessed(build_stiff(GetParam()));
  EXPECT_EQ(result.intersections, 0);
  EXPECT_EQ(result.inversions, 0);
  EXPECT_EQ(result.jumps, 0);
  EXPECT_GT(result.iterates, result.run.steps);
  ASSERT_TRUE(result.is_finished()) << "step " << result.run.steps + 1 << ": "
                                    << to_string(result.run.failure->newton.verdict);
  bool has_touched = false;
  for (const StepReport& step : result.steps) has_touched = has_touched || step.contacts > 0;
  EXPECT_EQ(has_touched, GetParam().name.rfind("handle", 0) != 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, StiffScene,
    ::testing::Values(StiffCase{"anchor", 12}, StiffCase{"arch_25", 25}, StiffCase{"arch_25_falls", 25},
                      StiffCase{"bike_chain", 5}, StiffCase{"bolt", 6}, StiffCase{"cards", 20},
                      StiffCase{"coin", 130}, StiffCase{"cradle", 40}, StiffCase{"gear_train", 10},
                      StiffCase{"handle_euler", 50}, StiffCase{"handle_newmark", 50},
                      StiffCase{"heap_16", 70}, StiffCase{"intermittent", 230}, StiffCase{"lewis", 20},
                      StiffCase{"lewis_slips", 20}, StiffCase{"mill", 15}, StiffCase{"net_4", 40},
                      StiffCase{"packing", 30}, StiffCase{"pile_16", 70}, StiffCase{"piston", 30},
                      StiffCase{"press_loose", 30}, StiffCase{"press_tight", 30}, StiffCase{"pyramid_16", 20},
                      StiffCase{"rings_16", 30}, StiffCase{"tunnel", 30}, StiffCase{"turntable_05", 30},
                      StiffCase{"wire_net_4", 40}, StiffCase{"wrecking_ball", 3}),
    [](const ::testing::TestParamInfo<StiffCase>& param) { return param.param.name; });

// Half a millimetre of radius on every body keeps a millimetre between any two.
TEST(StiffScenes, parts_of_a_packing_keep_a_millimetre) {
  const WitnessedRun result = run_witnessed(build_stiff({"packing", 30}));
  ASSERT_TRUE(result.is_finished());
  double smallest = 1;
  for (const StepReport& step : result.steps) {
    if (step.contacts > 0) smallest = std::min(smallest, step.smallest_gap);
  }
  EXPECT_GT(smallest, 0);  // beyond the radii
}

}  // namespace
}  // namespace marrow::test
