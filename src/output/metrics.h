// metrics.jsonl: one JSON object per step, one per line.
#pragma once

#include <string>

#include "output/appended_file.h"
#include "sim/report.h"

namespace marrow {

// One line of the file, without the line end. Numbers that are not finite become null.
std::string format_metrics(const StepReport& report);

class MetricsFile {
 public:
  // Opens for appending after keeping only the whole lines of steps up to last_step; 0 starts anew.
  // Throws OutputError.
  MetricsFile(const std::string& path, int last_step);

  void add(const StepReport& report) { file_.add_line(format_metrics(report)); }

 private:
  AppendedFile file_;
};

}  // namespace marrow
