// What is known of all frames together: the box that they fill, the ranges of their fields, their
// overlays.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace marrow {

class FrameSummary {
 public:
  // Takes in the JSON head of a frame; damaged ones are passed over.
  void add(const std::string& head);
  void add_to(nlohmann::ordered_json& json) const;

 private:
  struct Range {
    std::string name;
    double min = 0, max = 0;
  };
  std::vector<double> box_;
  std::vector<Range> ranges_;
  std::vector<std::string> overlays_;  // that hold anything in some frame
};

}  // namespace marrow
