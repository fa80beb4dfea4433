// A line that says how far long work is, on stderr: live on a terminal, a plain line every ten seconds
// elsewhere.
#pragma once

#include <string>

#include "core/clock.h"

namespace marrow {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show something.
  bool is_due() const;
  void show(const std::string& text);
  // Removes the live line, so that what follows starts on a line of its own.
  void clear();

 private:
  bool is_terminal_;
  bool has_line_ = false;
  Clock::time_point shown_;
};

}  // namespace marrow
