// How a scene wants to be shown: by the viewer, by `marrow render` and in glTF. Nothing here changes the
// motion.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/types.h"
#include "math/section_plane.h"

namespace marrow {

enum class ViewSide { Corner, Front, Back, Left, Right, Top };

template <>
struct EnumNames<ViewSide> {
  static constexpr const char* names[] = {"corner", "front", "back", "left", "right", "top"};
};

enum class ViewTheme { Light, Dark };

template <>
struct EnumNames<ViewTheme> {
  static constexpr const char* names[] = {"light", "dark"};
};

struct ViewDescription {
  std::optional<ViewSide> side;
  std::optional<Vec3> camera;
  std::optional<Vec3> target;
  std::vector<std::string> hide;  // bodies or groups
  std::string section;            // see parse_section; empty: none
  std::string color;              // empty: body
  std::optional<ViewTheme> theme;
  std::vector<std::string> overlays;
  bool operator==(const ViewDescription&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, ViewDescription& o) {
  visit("side", o.side,
        {.doc = "Side from which the bodies are seen; the distance is chosen so that they fill the picture. "
                "Default: corner, or another corner if the bodies hide each other from there."});
  visit("camera", o.camera, {.unit = "m", .doc = "Where the camera stands, instead of side; needs target."});
  visit("target", o.target, {.unit = "m", .doc = "What the camera looks at."});
  visit("hide", o.hide, {.doc = "Names of bodies or groups that are not drawn."});
  visit(
      "section", o.section,
      {.doc = "Plane that cuts the picture open. \"x=0.2\" leaves out what lies on the camera's side of it, "
              "\"x<0.2\" shows only what is below and \"x>0.2\" what is above; also y and z. "
              "\"0,0.5,0,1,1,0\", a point and a normal, leaves out the side that the normal points to."});
  visit(
      "color", o.color,
      {.doc = "What colours mean: body, kind, displacement, or a field such as von_mises; if empty, body."});
  visit("theme", o.theme, {.doc = "Background. Default: light; in the browser, that of the system."});
  visit(
      "overlays", o.overlays,
      {.doc = "What is drawn over the bodies: wireframe, medial, contacts, smallest_gap, joints, handles."});
}

// Reads a colour, "#d08020", "#d82" or a name of CSS such as "orange", as 0xRRGGBB; empty if it is none.
std::optional<unsigned> parse_color(const std::string& text);

}  // namespace marrow
