#include "scene/json/json_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

namespace marrow {
namespace {

bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool is_word(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), is_word_letter);
}

// Reads "[12]" at position i and moves behind it.
int parse_index(const std::string& text, size_t& i) {
  const size_t close = text.find(']', i);
  int index = -1;
  if (close != std::string::npos) {
    const char* end = text.data() + close;
    const auto [stop, error] = std::from_chars(text.data() + i + 1, end, index);
    if (error != std::errc() || stop != end) index = -1;
  }
  if (index < 0) throw std::invalid_argument("an index looks like [0]");
  i = close + 1;
  return index;
}

}  // namespace

std::string to_string(const JsonPath& path) {
  std::string text;
  for (const JsonStep& step : path) {
    if (step.index >= 0) {
      text += fmt::format("[{}]", step.index);
    } else if (is_word(step.key)) {
      text += fmt::format("{}{}", text.empty() ? "" : ".", step.key);
    } else {
      text += fmt::format("[\"{}\"]", step.key);
    }
  }
  return text;
}

JsonPath parse_json_path(const std::string& text) {
  JsonPath path;
  size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '[' && !path.empty()) {
      path.push_back(JsonStep::into(parse_index(text, i)));
      continue;
    }
    if (!path.empty() && text[i++] != '.') throw std::invalid_argument("keys are separated by a full stop");
    size_t end = i;
    while (end < text.size() && is_word_letter(text[end])) ++end;
    if (end == i) throw std::invalid_argument("a key is missing");
    path.push_back(JsonStep::into(text.substr(i, end - i)));
    i = end;
  }
  if (path.empty()) throw std::invalid_argument("a key is missing");
  return path;
}

bool is_inside(const JsonPath& path, const JsonPath& place) {
  return path.size() >= place.size() && std::equal(place.begin(), place.end(), path.begin());
}

}  // namespace marrow
