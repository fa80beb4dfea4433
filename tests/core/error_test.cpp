#include "core/error.h"

#include <gtest/gtest.h>

namespace marrow {

TEST(Error, message_says_where_what_and_what_to_do) {
  const InputError error({"scene.json", 3, 7, "bodies[0].material.density"}, "must be above 0",
                         "Give a density.");
  EXPECT_STREQ(error.what(),
               "scene.json:3:7, at bodies[0].material.density: must be above 0\n  Give a density.");
}

TEST(Error, location_leaves_out_what_is_unknown) {
  EXPECT_EQ(to_string(Location{"a.obj", 0, 0, {}}), "a.obj");
  EXPECT_EQ(to_string(Location{"a.obj", 5, 0, {}}), "a.obj:5");
  EXPECT_EQ(to_string(Location{{}, 0, 0, "time.step"}), "at time.step");
  EXPECT_EQ(to_string(Location{}), "");
}

TEST(Error, nearest_name_finds_typing_mistakes_and_no_strangers) {
  const std::vector<std::string> names = {"density", "youngs_modulus", "poissons_ratio"};
  EXPECT_EQ(nearest_name("densty", names), "density");
  EXPECT_EQ(nearest_name("poisson_ratio", names), "poissons_ratio");
  EXPECT_EQ(nearest_name("xyz", names), "");
  EXPECT_EQ(nearest_name("a", {}), "");
}

TEST(Error, list_some_counts_the_rest) {
  EXPECT_EQ(list_some({1, 2, 3}), "1, 2, 3");
  EXPECT_EQ(list_some({1, 2, 3, 4, 5}, 3), "1, 2, 3 and 2 more");
  EXPECT_EQ(list_some({}), "");
}

}  // namespace marrow
