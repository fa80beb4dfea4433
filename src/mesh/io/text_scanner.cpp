#include "mesh/io/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace marrow {
namespace {

// A piece of a file fit for a message: short, and without control characters.
std::string quote(std::string_view piece) {
  constexpr size_t kShown = 24;
  std::string text(piece.substr(0, kShown));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return fmt::format("'{}{}'", text, piece.size() > kShown ? "…" : "");
}

}  // namespace

TextScanner::TextScanner(std::string_view text, std::string name, char comment)
    : text_(text),
      name_(std::move(name)),
      next_(text.data()),
      end_(text.data() + text.size()),
      comment_(comment) {}

void TextScanner::skip_line() {
  if (next_ == end_) return;
  const void* found = std::memchr(next_, '\n', remaining());
  next_ = found == nullptr ? end_ : static_cast<const char*>(found) + 1;
}

std::string_view TextScanner::take_line() {
  skip_blanks();
  last_ = position();
  const char* start = next_;
  skip_line();
  std::string_view line(start, static_cast<size_t>(next_ - start));
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

void TextScanner::require_room(std::int64_t count, size_t values_each, size_t, const char* what) const {
  // Every value takes a character and a separator; only the very last one may lack it.
  const auto room = static_cast<std::int64_t>((remaining() + 1) / (2 * std::max<size_t>(values_each, 1)));
  if (count >= 0 && count <= room) return;
  fail(fmt::format("the file announces {} {}, but only {} bytes follow", count, what, remaining()),
       "The file is cut off, or the count is wrong.");
}

void TextScanner::fail_at(size_t position, const std::string& problem, const std::string& advice) const {
  if (reports_bytes_)
    throw InputError({name_, 0, 0, {}}, fmt::format("at byte {}: {}", position, problem), advice);
  const std::string_view before = text_.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // 0 if there is none
  throw InputError({name_, static_cast<int>(line), static_cast<int>(position - line_start) + 1, {}}, problem,
                   advice);
}

bool TextScanner::is_tiny() const {
  const std::string copy(text_.substr(last_, 400));
  return std::abs(std::strtod(copy.c_str(), nullptr)) < 1;
}

void TextScanner::fail_out_of_range(const char* what) const {
  TextScanner word(*this);
  fail(fmt::format("{} {} is out of range", what, quote(word.word_here())), "Write a smaller number.");
}

void TextScanner::fail_value(size_t position, const char* what) const {
  if (position >= text_.size()) {
    fail_at(position, fmt::format("the file ends where {} is expected", what),
            "The file is cut off; export it again.");
  }
  if (text_[position] == '\n' || text_[position] == comment_) {
    fail_at(position, fmt::format("the line ends where {} is expected", what));
  }
  TextScanner word(*this);
  word.move_to(position);
  fail_at(position, fmt::format("{} is not a valid number; {} is expected", quote(word.word_here()), what));
}

}  // namespace marrow
