#include "view/marks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "output/vtk/pvd.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

std::string describe(const Json& element) {
  return fmt::format("{} {} (body {})", element.at("kind").get<std::string>(), element.at("id").get<long>(),
                     element.at("body").get<long>());
}

void add_pairs(const Json& report, const Json& step, Json& marks) {
  for (const Json& pair : report.at("pairs")) {
    const Json &a = pair.at("a"), &b = pair.at("b");
    Json elements = Json::array();
    for (const Json* element : {&a, &b}) {
      elements.push_back(element->at("vertices").get<std::vector<std::uint32_t>>());
    }
    marks.push_back(
        {{"step", step}, {"text", describe(a) + " and " + describe(b)}, {"elements", std::move(elements)}});
  }
}

}  // namespace

std::string parse_marks(const std::string& text, const std::string& file) {
  try {
    const Json root = Json::parse(text);
    Json marks = Json::array();
    if (root.contains("bad_frames")) {
      for (const Json& frame : root.at("bad_frames")) {
        const Json step = frame.contains("step") ? frame.at("step") : Json(frame_step(frame.at("file")));
        add_pairs(frame, step, marks);
      }
    } else {
      add_pairs(root, nullptr, marks);
    }
    return marks.dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const nlohmann::json::exception&) {
    throw InputError({file, 0, 0, {}}, "is not the output of `marrow check --json`",
                     "Make it with `marrow check DIR --json > FILE`.");
  }
}

std::string read_marks(const std::string& path) { return parse_marks(read_file(path), path); }

}  // namespace marrow
