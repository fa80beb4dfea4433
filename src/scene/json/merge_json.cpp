#include "scene/json/merge_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace marrow {
namespace {

nlohmann::json parse(const std::string& text) { return nlohmann::json::parse(text, nullptr, true, true); }

}  // namespace

std::string merge_json(const std::string& base, const std::string& over) {
  nlohmann::json merged = parse(base);
  merged.merge_patch(parse(over));
  return merged.dump();
}

std::string patch_json(const std::string& text, const std::string& operations, const std::string& file) {
  try {
    return parse(text).patch(parse(operations)).dump();
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();
    const size_t end = what.find("] ");
    throw InputError(
        {file, 0, 0, "patch"},
        fmt::format("cannot be applied: {}", end == std::string::npos ? what : what.substr(end + 2)),
        "Each operation needs op and path, and the path must lead to something.");
  }
}

std::string drop_json_member(const std::string& text, const std::string& key) {
  nlohmann::json object = parse(text);
  object.erase(key);
  return object.dump();
}

std::string json_member(const std::string& text, const std::string& key) {
  const nlohmann::json object = parse(text);
  const auto member = object.find(key);
  return member == object.end() ? std::string() : member->dump();
}

}  // namespace marrow
