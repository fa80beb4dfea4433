// What `marrow view` and `marrow render` can show: a run's folder, a scene before it runs, a frame or a mesh.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "view/run_source.h"

namespace marrow {

struct ViewedSource {
  std::unique_ptr<RunSource> source;
  std::string marks;               // JSON (view/marks.h): what intersects at the start of a scene
  std::vector<std::string> notes;  // what a person should know of it
};

// overrides: of a scene, as in scene/read_scene.h. Throws InputError.
ViewedSource open_source(const std::string& path, const std::vector<std::string>& overrides = {});

}  // namespace marrow
