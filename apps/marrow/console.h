// What a person sees while a run goes on: a live line on a terminal, a plain line now and then otherwise.
#pragma once

#include <chrono>
#include <string>

#include "core/progress.h"
#include "sim/model/report.h"

namespace marrow {

// "1 body", "2 bodies".
std::string format_count(long count, const char* one, const char* many);

// The word as a shell takes it, in quotes if need be.
std::string quote_for_shell(const std::string& word);

class Console {
 public:
  Console(int done, int total);

  void show_step(const StepReport& report);
  // Ends the live line, so that what follows starts on a line of its own.
  void end_line();

 private:
  std::string format_line(const StepReport& report) const;

  ProgressEstimate progress_;
  bool is_terminal_;
  bool has_line_ = false;
  std::chrono::steady_clock::time_point last_shown_;
  std::chrono::steady_clock::time_point last_step_;
};

}  // namespace marrow
