// How far prescribed nodes are from their targets. Whole presses: tests/scenes/squeezed_test.cpp.
#include "sim/reach_targets.h"

#include <gtest/gtest.h>

#include "built_scenes.h"

namespace marrow {

TEST(ReachTargets, the_farthest_node_is_named_and_what_is_as_good_as_there_is_none) {
  const BuiltScene built = test::build_text(
      R"({"bodies": [{"name": "box", "shape": {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1},
          "prescribed": [{"select": {"all": true}, "velocity": [1, 0, 0]}]}]})");
  const StepTerms terms(built.model);
  const Points targets = compute_targets(terms, 2);
  ASSERT_EQ(targets.size(), terms.prescribed.size());
  VecX n = built.state.nodes;
  for (size_t k = 0; k < targets.size(); ++k) {
    const Index node = terms.prescribed[k];
    EXPECT_EQ(targets[k], Vec3(built.state.nodes.segment<3>(3 * node) + Vec3(2, 0, 0)));
    n.segment<3>(3 * node) = targets[k];
  }
  n[3 * terms.prescribed[1]] += 0.125;
  n[3 * terms.prescribed[3] + 2] -= 0.25;
  MotionResult result;
  measure_remaining(terms, targets, n, result);
  EXPECT_EQ(result.remaining, 0.25);
  EXPECT_EQ(result.farthest, terms.prescribed[3]);

  n[3 * terms.prescribed[1]] -= 0.125;
  n[3 * terms.prescribed[3] + 2] += 0.25 + 1e-10 * built.model.size;
  MotionResult arrived;
  measure_remaining(terms, targets, n, arrived);
  EXPECT_EQ(arrived.remaining, 0);
  EXPECT_EQ(arrived.farthest, kNone);
}

}  // namespace marrow
