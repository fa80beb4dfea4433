// A place inside a JSON document, such as bodies[2].material.density.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace marrow {

// One step down: into an object by key, or into an array by index.
struct JsonStep {
  std::string key;
  int index = -1;  // -1: by key

  static JsonStep into(std::string key) { return {std::move(key), -1}; }
  static JsonStep into(int index) { return {{}, index}; }
  bool operator==(const JsonStep&) const = default;
};

using JsonPath = std::vector<JsonStep>;

// One step further.
inline JsonPath operator/(JsonPath path, const char* key) {
  path.push_back(JsonStep::into(std::string(key)));
  return path;
}

inline JsonPath operator/(JsonPath path, size_t index) {
  path.push_back(JsonStep::into(static_cast<int>(index)));
  return path;
}

// "bodies[2].material.density"; keys that are not plain words are quoted in brackets: a["b c"].
std::string to_string(const JsonPath& path);

// The reverse, for command lines. Throws std::invalid_argument with the reason if the text is not a path.
JsonPath parse_json_path(const std::string& text);

// Whether path is place itself or inside it.
bool is_inside(const JsonPath& path, const JsonPath& place);

}  // namespace marrow
