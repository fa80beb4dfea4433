#include "marrow/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace marrow {

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) != 0), shown_(Clock::now()) {}

bool ProgressLine::is_due() const { return seconds_since(shown_) >= (is_terminal_ ? 0.1 : 10); }

void ProgressLine::show(const std::string& text) {
  shown_ = Clock::now();
  // \033[K clears what a longer line left behind.
  fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r" : "", text, is_terminal_ ? "\033[K" : "\n");
  std::fflush(stderr);
  has_line_ = is_terminal_;
}

void ProgressLine::clear() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
  has_line_ = false;
}

}  // namespace marrow
