// A plane that cuts a picture open, as people write it.
#pragma once

#include <optional>
#include <string>

#include "core/types.h"

namespace marrow {

// A plane; what lies on its outer side is left out.
struct SectionPlane {
  Vec3 normal = Vec3::UnitX();  // points out
  double offset = 0;            // normal · x on the plane [m]
  bool faces_camera = false;    // the outer side is that of the camera, whatever the normal says
};

// Reads "x=0.2" (leaves out the camera's side), "x<0.2" (keeps what is below), "x>0.2" (keeps what is above),
// or six numbers, a point and the normal. Empty if the text is no plane.
std::optional<SectionPlane> parse_section(const std::string& text);

// What parse_section reads, for messages.
inline constexpr const char* kSectionAdvice =
    "Give a plane: x=0.2, y<1, z>0, or a point and a normal as six numbers: 0,0.5,0,1,1,0.";

}  // namespace marrow
