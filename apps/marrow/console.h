// What a person sees while a run goes on: a live line on a terminal, a plain line now and then otherwise.
#pragma once

#include <chrono>
#include <string>

#include "core/progress.h"
#include "core/text.h"
#include "sim/model/report.h"

namespace marrow {

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
