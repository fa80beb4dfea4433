#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

namespace marrow {
namespace {

std::string join(const Location& where, const std::string& problem, const std::string& advice) {
  const std::string place = to_string(where);
  std::string text = place.empty() ? problem : fmt::format("{}: {}", place, problem);
  if (!advice.empty()) text += fmt::format("\n  {}", advice);
  return text;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

bool means_full(const std::string& reason) {
  const auto is_one = [&](int code) { return reason == std::strerror(code); };
  return is_one(ENOSPC) || is_one(EDQUOT) || is_one(EFBIG);
}

}  // namespace

std::string to_string(const Location& location) {
  std::string text = location.file;
  if (location.line > 0) text += fmt::format(":{}", location.line);
  if (location.line > 0 && location.column > 0) text += fmt::format(":{}", location.column);
  if (!location.json_path.empty()) {
    text += fmt::format("{}at {}", text.empty() ? "" : ", ", location.json_path);
  }
  return text;
}

InputError::InputError(Location where, std::string problem, std::string advice)
    : std::runtime_error(join(where, problem, advice)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      advice_(std::move(advice)) {}

OutputError::OutputError(const std::string& path, const std::string& reason)
    : std::runtime_error(fmt::format("{}: cannot be written: {}", path, reason)),
      is_full_(means_full(reason)) {}

std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  int best_distance = std::max(2, static_cast<int>(word.size()) / 2);
  for (const std::string& candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance || (distance == best_distance && best.empty())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string list_some(const std::vector<int>& ids, int shown) {
  const int count = static_cast<int>(ids.size());
  const auto last = ids.begin() + std::min(count, shown);
  std::string text = fmt::format("{}", fmt::join(ids.begin(), last, ", "));
  if (count > shown) text += fmt::format(" and {} more", count - shown);
  return text;
}

}  // namespace marrow
