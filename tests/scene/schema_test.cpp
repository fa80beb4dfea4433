// The schema for editors: as committed, and of the shape that a validator expects (tests/apps/new_test.py
// uses one).
#include "scene/guide/schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/file.h"

namespace marrow {
namespace {

TEST(SceneSchema, file_is_up_to_date) {
  const std::string path = MARROW_SOURCE_DIR "/docs/scene.schema.json";
  if (std::getenv("MARROW_UPDATE") != nullptr) write_file(path, scene_schema());
  EXPECT_TRUE(read_file(path) == scene_schema())
      << "Run this test with MARROW_UPDATE=1 to write the file anew.";
}

TEST(SceneSchema, has_the_keys_that_are_read) {
  const auto schema = nlohmann::json::parse(scene_schema());
  for (const char* key : {"$schema", "variables", "include", "ground", "bodies", "joints", "time", "contact"})
    EXPECT_TRUE(schema["properties"].contains(key)) << key;
  const auto& body = schema["properties"]["bodies"]["items"];
  EXPECT_EQ(body["additionalProperties"], false);
  EXPECT_TRUE(body["properties"].contains("copies"));
  EXPECT_EQ(body["properties"]["kind"]["enum"].size(), 5u);
  EXPECT_EQ(body["properties"]["material"]["properties"]["density"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(schema["properties"]["joints"]["items"]["required"], nlohmann::json::array({"type", "a"}));
}

}  // namespace
}  // namespace marrow
