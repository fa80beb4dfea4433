// The lines of an IPC script as words, and a reader that takes them one by one with errors that name the
// line.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/types.h"

namespace marrow {

struct IpcLine {
  int number = 0;
  std::vector<std::string> words;
};

// Without comments; a line that ends in a backslash goes on in the next.
std::vector<IpcLine> split_ipc_lines(const std::string& text);

// Whether the whole word is a finite number.
bool parse_ipc_number(const std::string& word, double& value);

// Takes the words of a line one after the other.
class IpcLineReader {
 public:
  IpcLineReader(const IpcLine& line, const std::string& file) : line_(line), file_(file) {}

  int number() const { return line_.number; }
  bool at_end() const { return next_ >= line_.words.size(); }
  bool next_is_number() const {
    double value = 0;
    return !at_end() && parse_ipc_number(line_.words[next_], value);
  }

  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw InputError({file_, line_.number, 0, {}}, problem, advice);
  }

  std::string word(const char* what) {
    if (at_end()) fail(fmt::format("{} is missing at the end of the line", what));
    return line_.words[next_++];
  }
  double value(const char* what) {
    const std::string text = word(what);
    double number = 0;
    if (!parse_ipc_number(text, number)) fail(fmt::format("{} should be a number, found '{}'", what, text));
    return number;
  }
  double positive(const char* what) {
    const double number = value(what);
    if (number <= 0) fail(fmt::format("{} must be above 0, found {}", what, number));
    return number;
  }
  int whole(const char* what, int least, int most) {
    const double number = value(what);
    if (number != std::floor(number) || number < least || number > most) {
      fail(fmt::format("{} must be a whole number from {} to {}, found {}", what, least, most, number));
    }
    return static_cast<int>(number);
  }
  Vec3 vector(const char* what) {
    Vec3 v;
    for (double& coordinate : v) coordinate = value(what);
    return v;
  }

 private:
  const IpcLine& line_;
  const std::string& file_;
  size_t next_ = 0;
};

}  // namespace marrow
