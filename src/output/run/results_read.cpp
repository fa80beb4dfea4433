#include "output/run/results_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/error.h"
#include "core/file.h"

namespace marrow {

ResultsReader::ResultsReader(const std::string& path, const std::vector<std::string>& columns)
    : text_(read_file(path)) {
  if (!read_fields()) throw InputError({path, 1, 0, {}}, "has no header");
  const std::vector<std::string> header = fields_;
  for (const std::string& column : columns) {
    const auto found = std::find(header.begin(), header.end(), column);
    if (found == header.end()) {
      throw InputError({path, 1, 0, {}}, fmt::format("has no column \"{}\"", column),
                       "It is of another version of Marrow, or not of a run.");
    }
    places_.push_back(static_cast<size_t>(found - header.begin()));
  }
}

// The fields of the next line; names may be in quotes.
bool ResultsReader::read_fields() {
  fields_.assign(1, {});
  bool is_quoted = false;
  for (size_t i = at_; i < text_.size(); ++i) {
    const char c = text_[i];
    if (c == '"') {
      if (!is_quoted && i > at_ && text_[i - 1] == '"') fields_.back() += '"';  // doubled within quotes
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      fields_.emplace_back();
    } else if (c == '\n' && !is_quoted) {
      at_ = i + 1;
      return true;
    } else {
      fields_.back() += c;
    }
  }
  return false;
}

bool ResultsReader::next() {
  while (read_fields()) {
    const bool is_whole =
        std::all_of(places_.begin(), places_.end(), [&](size_t place) { return place < fields_.size(); });
    if (is_whole) return true;
  }
  return false;
}

double ResultsReader::number(size_t column) const {
  const std::string& field = text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const bool is_number = error == std::errc() && end == field.data() + field.size();
  return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace marrow
