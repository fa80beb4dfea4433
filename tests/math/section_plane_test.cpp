#include "math/section_plane.h"

#include <gtest/gtest.h>

namespace marrow {
namespace {

// Whether a section leaves out a point.
bool leaves_out(const char* text, const Vec3& x) {
  const auto plane = parse_section(text);
  EXPECT_TRUE(plane.has_value()) << text;
  return plane && plane->normal.dot(x) > plane->offset;
}

TEST(SectionPlane, a_coordinate_keeps_what_the_sign_says) {
  EXPECT_TRUE(leaves_out("x<0.2", {0.3, 0, 0}));
  EXPECT_FALSE(leaves_out("x<0.2", {0.1, 9, 9}));
  EXPECT_TRUE(leaves_out("y > -1", {0, -2, 0}));
  EXPECT_FALSE(leaves_out("y > -1", {0, 0, 0}));
  EXPECT_FALSE(parse_section("z<1")->faces_camera);
  EXPECT_TRUE(parse_section("z=1")->faces_camera);
}

TEST(SectionPlane, a_point_and_a_normal_of_any_length) {
  EXPECT_TRUE(leaves_out("1, 0, 0, 10, 10, 0", {1, 0.1, 0}));
  EXPECT_FALSE(leaves_out("1,0,0,10,10,0", {0, 0.9, 5}));
}

TEST(SectionPlane, anything_else_is_none) {
  for (const char* text : {"", "x", "x=", "w=1", "x=1,2", "x=nan", "x=inf", "1,2,3", "0,0,0,0,0,0",
                           "1,2,3,4,5,x", "x==1", "=x1", "1,2,3,4,5,6,7"}) {
    EXPECT_FALSE(parse_section(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace marrow
