// How a scene says that it is shown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.h"
#include "scene/read_scene.h"
#include "scene/view_description.h"

namespace marrow {
namespace {

Scene read_with(const std::string& body, const std::string& view) {
  return parse_scene(R"({"bodies": [{"name": "box", "group": "boxes", "shape": {"type": "box"})" + body +
                         "}]" + (view.empty() ? "" : ", \"view\": " + view) + "}",
                     "scene.json");
}

TEST(SceneColors, digits_and_names) {
  EXPECT_EQ(parse_color("#d08020"), 0xd08020u);
  EXPECT_EQ(parse_color("#D82"), 0xdd8822u);
  EXPECT_EQ(parse_color("Orange"), 0xffa500u);
  EXPECT_EQ(parse_color("grey"), parse_color("gray"));
  for (const char* text :
       {"", "#", "#12345", "#1234567", "#12345g", "reddish", "d08020", "#+12345", "#-12"}) {
    EXPECT_FALSE(parse_color(text).has_value()) << text;
  }
}

TEST(SceneView, is_read) {
  const Scene scene = read_with(R"(, "color": "teal", "visible": false)",
                                R"({"side": "front", "hide": ["boxes"], "section": "x=1", "theme": "dark"})");
  EXPECT_EQ(scene.bodies[0].color, "teal");
  EXPECT_EQ(scene.bodies[0].visible, false);
  EXPECT_EQ(scene.view->side, ViewSide::Front);
  EXPECT_EQ(scene.view->theme, ViewTheme::Dark);
  EXPECT_FALSE(read_with("", "").view.has_value());
}

TEST(SceneView, mistakes_are_told) {
  const auto refuse = [](const std::string& body, const std::string& view) {
    return test::get_refusal([&] { read_with(body, view); });
  };
  EXPECT_NE(refuse(R"(, "color": "reddish")", "").find("\"reddish\" is no colour"), std::string::npos);
  EXPECT_NE(refuse("", R"({"hide": ["bix"]})").find("Did you mean \"box\"?"), std::string::npos);
  EXPECT_NE(refuse("", R"({"section": "q=1"})").find("is no plane"), std::string::npos);
  EXPECT_NE(refuse("", R"({"camera": [1, 2, 3]})").find("belong together"), std::string::npos);
  EXPECT_NE(refuse("", R"({"camera": [1, 2, 3], "target": [1, 2, 3]})").find("stands where it looks"),
            std::string::npos);
  EXPECT_NE(refuse("", R"({"camera": [1, 2, 3], "target": [0, 0, 0], "side": "top"})").find("one of them"),
            std::string::npos);
  EXPECT_NE(refuse("", R"({"side": "bottom"})").find("corner"), std::string::npos);
}

}  // namespace
}  // namespace marrow
