#include "scene/import/ipc_line.h"

#include <charconv>
#include <sstream>

namespace marrow {

bool parse_ipc_number(const std::string& word, double& value) {
  const char* start = word.data() + (word.starts_with('+') ? 1 : 0);
  const char* end = word.data() + word.size();
  const auto [next, error] = std::from_chars(start, end, value);
  return error == std::errc() && next == end && std::isfinite(value);
}

std::vector<IpcLine> split_ipc_lines(const std::string& text) {
  std::vector<IpcLine> lines;
  std::istringstream stream(text);
  std::string raw;
  bool goes_on = false;
  for (int number = 1; std::getline(stream, raw); ++number) {
    if (const size_t comment = raw.find('#'); comment != std::string::npos) raw.erase(comment);
    if (!goes_on) lines.push_back({number, {}});
    goes_on = false;
    std::istringstream words(raw);
    for (std::string word; words >> word;) {
      goes_on = word == "\\";
      if (!goes_on) lines.back().words.push_back(word);
    }
  }
  return lines;
}

}  // namespace marrow
