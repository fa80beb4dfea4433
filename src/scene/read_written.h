// From a scene as it is written to a Scene: variables get values, copies and included files become bodies and
// joints.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/description.h"
#include "scene/json/json.h"

namespace marrow {

// The scene and the documents that it was read from; the first is the scene file.
struct ReadScene {
  Scene scene;
  std::vector<const JsonDocument*> documents;
  std::vector<std::unique_ptr<JsonDocument>> included;
  std::vector<Origin> pair_origins;  // of contact.pairs

  // Where a value of the scene is said, in the file that says it.
  Location locate(const JsonPath& path) const;
  // What the copy is called that a path is inside; empty if it is in none.
  std::string copy_of(const JsonPath& path) const;

 private:
  const Origin* find_origin(const JsonPath& path) const;
};

// Included files are relative to the document's. Throws InputError.
ReadScene read_written_scene(const JsonDocument& document);

}  // namespace marrow
