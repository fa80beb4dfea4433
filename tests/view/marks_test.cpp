#include "view/marks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace marrow {
namespace {

using nlohmann::json;

const std::string kPairs = R"("pairs": [{"a": {"kind": "triangle", "id": 3, "body": 0, "vertices": [4, 5, 6]},
                               "b": {"kind": "edge", "id": 7, "body": 1, "vertices": [9, 8]}, "undecided": false}])";

TEST(Marks, of_a_mesh_hold_for_all_frames) {
  const json marks = json::parse(parse_marks("{" + kPairs + "}", "found.json"));
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_TRUE(marks[0]["step"].is_null());
  EXPECT_EQ(marks[0]["text"], "triangle 3 (body 0) and edge 7 (body 1)");
  EXPECT_EQ(marks[0]["elements"], json::parse("[[4, 5, 6], [9, 8]]"));
}

TEST(Marks, of_a_run_know_their_step) {
  const std::string text = R"({"bad_frames": [{"file": "frames/frame_000012.vtu", )" + kPairs + "}]}";
  EXPECT_EQ(json::parse(parse_marks(text, "found.json"))[0]["step"], 12);
}

TEST(Marks, other_files_are_refused) {
  for (const char* text :
       {"", "[]", "{}", R"({"pairs": 3})", R"({"pairs": [{"a": {}}]})", R"({"bad_frames": [1]})"}) {
    EXPECT_THROW(parse_marks(text, "found.json"), InputError) << text;
  }
}

}  // namespace
}  // namespace marrow
