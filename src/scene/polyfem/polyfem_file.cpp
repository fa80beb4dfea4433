#include "scene/polyfem/polyfem_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/file.h"
#include "scene/json/merge_json.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 16;  // that are common to each other

std::string beside(const std::string& file, const std::string& named) {
  return (fs::path(file).parent_path() / named).lexically_normal().string();
}

// The file that a document calls common; empty if it calls none.
std::string common_of(const JsonDocument& document) {
  for (const char* key : {"common", "default_params"}) {
    const auto member = document.root().member(key);
    if (!member) continue;
    if (member->kind() != JsonNode::Kind::Text) {
      member->fail("found " + member->found() + ", wanted the name of a file",
                   "The file is merged under this one.");
    }
    const std::string file = beside(document.file(), member->text());
    if (member->text().empty()) return {};
    if (!fs::is_regular_file(file)) {
      member->fail(fmt::format("the file {} is missing", file),
                   "Its keys would be merged under this file's.");
    }
    return file;
  }
  return {};
}

void check_is_object(const JsonDocument& document) {
  if (document.root().kind() == JsonNode::Kind::Object) return;
  document.root().fail("found " + document.root().found() + ", wanted an object { … }", "");
}

}  // namespace

PolyfemFile::PolyfemFile(const std::string& path) {
  std::vector<std::string> texts;
  for (std::string file = path; !file.empty();) {
    texts.push_back(read_file(file));
    sources_.push_back(std::make_unique<JsonDocument>(texts.back(), file));
    check_is_object(*sources_.back());
    if (sources_.size() > kMostFiles)
      throw InputError({file, 0, 0, "common"}, "common files name each other in a circle", "");
    file = common_of(*sources_.back());
  }
  // From the innermost file outwards.
  std::string merged = texts.back();
  for (size_t k = texts.size(); k-- > 0;) {
    const std::string patch = json_member(texts[k], "patch");
    const std::string own = drop_json_member(texts[k], "patch");
    merged = k + 1 == texts.size() ? own : merge_json(merged, own);
    if (!patch.empty()) merged = patch_json(merged, patch, sources_[k]->file());
  }
  merged_ = std::make_unique<JsonDocument>(merged, path);
}

std::string PolyfemFile::find(const std::string& named) const {
  for (const auto& source : sources_) {
    std::string file = beside(source->file(), named);
    if (fs::exists(file)) return file;
  }
  return {};
}

InputError PolyfemFile::locate(const InputError& error) const {
  Location where = error.where();
  if (where.file != merged_->file() || where.json_path.empty() || where.line == 0) return error;
  const JsonPath path = parse_json_path(where.json_path);
  const auto source =
      std::find_if(sources_.begin(), sources_.end(), [&](const auto& s) { return s->has(path); });
  where = source != sources_.end() ? (*source)->locate(path) : Location{where.file, 0, 0, where.json_path};
  return InputError(where, error.problem(), error.advice());
}

bool is_polyfem_scene(const std::string& path) {
  if (fs::path(path).extension() != ".json" || !fs::is_regular_file(path)) return false;
  const std::string text = read_file(path);
  if (text.find("\"geometry\"") == std::string::npos && text.find("\"common\"") == std::string::npos)
    return false;
  try {
    const JsonDocument document(text, path);
    const JsonNode root = document.root();
    if (root.kind() != JsonNode::Kind::Object) return false;
    const bool is_ours = root.member("bodies") || root.member("include") || root.member("rigid_body_problem");
    return !is_ours && (root.member("geometry") || root.member("common"));
  } catch (const InputError&) {
    // Its mistake is told by whoever reads it.
    return text.find("\"geometry\"") != std::string::npos && text.find("\"bodies\"") == std::string::npos &&
           text.find("\"rigid_body_problem\"") == std::string::npos;
  }
}

}  // namespace marrow
