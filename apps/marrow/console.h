// What a person sees while a run goes on: how far the steps are.
#pragma once

#include <string>

#include "core/clock.h"
#include "core/progress.h"
#include "core/text.h"
#include "marrow/progress_line.h"
#include "sim/model/report.h"

namespace marrow {

class Console {
 public:
  Console(int done, int total);

  void show_step(const StepReport& report);
  // What happened just now, on a line of its own.
  void show_note(const std::string& text);
  // Ends the live line, so that what follows starts on a line of its own.
  void end_line() { line_.end(); }

 private:
  std::string format_line(const StepReport& report) const;

  ProgressEstimate progress_;
  ProgressLine line_;
  bool is_shown_ = false;
  Clock::time_point last_step_;
};

}  // namespace marrow
