// A PolyFEM scene's file, with the file that it calls common merged under it and its patch applied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scene/json/json.h"

namespace marrow {

class PolyfemFile {
 public:
  // Throws InputError.
  explicit PolyfemFile(const std::string& path);

  JsonNode root() const { return merged_->root(); }

  // A file that the scene names: relative to the folder of the scene, else to that of a common file. Empty if
  // it is in none of them.
  std::string find(const std::string& named) const;

  // The place of a mistake in the file that says it; lines of the merged text say nothing.
  InputError locate(const InputError& error) const;

 private:
  std::vector<std::unique_ptr<JsonDocument>> sources_;  // the scene's own, then common files
  std::unique_ptr<JsonDocument> merged_;
};

// Whether the file is a scene of PolyFEM: an object with geometry or a common file, and no bodies.
bool is_polyfem_scene(const std::string& path);

}  // namespace marrow
