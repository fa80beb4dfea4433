// What a run will need is told before it begins.
#include "sim/start/foresee_memory.h"

#include <gtest/gtest.h>

#include "built_scenes.h"
#include "core/memory.h"

namespace marrow {
namespace {

BuiltScene build_box(int cells) {
  return test::build_text(R"({"bodies": [{"shape": {"type": "box", "size": [1, 1, 1], "cells_x": )" +
                          std::to_string(cells) + R"(, "cells_y": 4, "cells_z": 4}}]})");
}

}  // namespace

TEST(ForeseeMemory, grows_with_the_size_of_soft_bodies) {
  const double small = foresee_memory(build_box(10).model), large = foresee_memory(build_box(20).model);
  EXPECT_NEAR(large / small, 2, 0.1);
}

TEST(ForeseeMemory, tells_what_is_needed_and_what_there_is_only_where_it_is_too_little) {
  const BuiltScene built = build_box(10);
  EXPECT_EQ(describe_memory(built.model), "");
  const FakeMemoryLimit limit(1e6);
  const std::string note = describe_memory(built.model);
  EXPECT_NE(note.find("may use 0.001 GB"), std::string::npos) << note;
  EXPECT_NE(note.find("Take coarser meshes"), std::string::npos);
}

}  // namespace marrow
