// Moves the bodies of a scene apart that touch or overlap at the start: `marrow check --part`.
#pragma once

#include <string>
#include <vector>

#include "scene/build/build.h"

namespace marrow {

struct BodyMove {
  std::string body;
  Vec3 move = Vec3::Zero();      // [m]
  Vec3 position = Vec3::Zero();  // afterwards, as in the scene [m]
};

struct PartedScene {
  Scene scene;
  std::vector<BodyMove> moves;
  std::vector<std::string> left;  // what could not be parted, a sentence each
};

// Lowest bodies first, so that a tower is raised from below. Bodies that joints hold together move as one,
// with the joints and the regions that select their points; obstacles and what is joined to the world stay.
PartedScene part_scene(const Scene& scene, const BuiltScene& built);

// The text of the parted scene for a file: that of scene_path with other numbers where that is enough, else
// every key.
std::string format_parted_scene(const Scene& parted, const std::string& scene_path,
                                const std::string& target);

}  // namespace marrow
