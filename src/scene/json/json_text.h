// Where things are in the text of a JSON document. Parsing does not keep positions; when there is something
// to report, the text is walked once more.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "scene/json/json_path.h"

namespace marrow {

// One value as it stands in the text.
struct JsonEntry {
  const JsonPath& path;
  size_t key;    // offset of its key's quote; for elements of a list and for the whole, the same as value
  size_t value;  // offset of its first character
};

// Visits every value of a valid JSON text (comments allowed) in order, until visit answers false.
void scan_json(std::string_view text, const std::function<bool(const JsonEntry&)>& visit);

struct TextPosition {
  int line = 1;    // 1-based
  int column = 1;  // 1-based, in characters
};

TextPosition compute_position(std::string_view text, size_t offset);

enum class JsonPart { Key, Value };

// Where the value at a path, or its key, begins; if the path is not in the text, its innermost ancestor that
// is.
TextPosition locate(std::string_view text, const JsonPath& path, JsonPart part);

// The first key that its object already has.
struct DuplicateKey {
  JsonPath path;
  TextPosition position;
  TextPosition first;
};
std::optional<DuplicateKey> find_duplicate_key(std::string_view text);

}  // namespace marrow
