#include "view/frame_summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace marrow {
namespace {

using nlohmann::json;

// True if the box is six numbers.
bool is_box(const json& box) {
  return box.is_array() && box.size() == 6 &&
         std::all_of(box.begin(), box.end(), [](const json& x) { return x.is_number(); });
}

}  // namespace

void FrameSummary::add(const std::string& head) {
  const json frame = json::parse(head, nullptr, false);
  if (!frame.is_object()) return;
  if (const auto found = frame.find("box"); found != frame.end() && is_box(*found)) {
    const auto box = found->get<std::vector<double>>();
    if (box_.empty()) box_ = box;
    for (size_t i = 0; i < 6; ++i) box_[i] = i < 3 ? std::min(box_[i], box[i]) : std::max(box_[i], box[i]);
  }
  for (const json& overlay : frame.value("overlays", json::array())) {
    if (!overlay.is_object() || !overlay.contains("name") || !overlay["name"].is_string()) continue;
    if (overlay.value("points", json::object()).value("count", 0) == 0) continue;
    const std::string name = overlay["name"];
    if (std::find(overlays_.begin(), overlays_.end(), name) == overlays_.end()) overlays_.push_back(name);
  }
  const json scalars = frame.value("scalars", json::array());
  if (!scalars.is_array()) return;
  for (const json& field : scalars) {
    if (!field.is_object() || !field.contains("name") || !field["name"].is_string()) continue;
    if (!field.contains("min") || !field["min"].is_number()) continue;
    if (!field.contains("max") || !field["max"].is_number()) continue;
    const Range range = {field["name"], field["min"], field["max"]};
    const auto known = std::find_if(ranges_.begin(), ranges_.end(),
                                    [&](const Range& other) { return other.name == range.name; });
    if (known == ranges_.end()) {
      ranges_.push_back(range);
    } else {
      known->min = std::min(known->min, range.min);
      known->max = std::max(known->max, range.max);
    }
  }
}

void FrameSummary::add_to(nlohmann::ordered_json& target) const {
  target["box"] = box_;
  target["overlays"] = overlays_;
  target["ranges"] = nlohmann::ordered_json::object();
  for (const Range& range : ranges_) target["ranges"][range.name] = {range.min, range.max};
}

}  // namespace marrow
