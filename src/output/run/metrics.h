// metrics.jsonl: one JSON object per step, one per line.
#pragma once

#include <string>

#include "core/appended_file.h"
#include "sim/model/report.h"
#include "witness/witness.h"

namespace marrow {

// What certificates did in earlier parts of a run. A process counts from its own start; a run counts on.
struct CullingTotals {
  size_t searches = 0;
  size_t renewed = 0;
  double saved_seconds = 0;
};

// One line of the file, without the line end. Numbers that are not finite become null. found: by the witness,
// on steps with a frame; counts that were not taken are left out. earlier: by processes before this one.
std::string format_metrics(const StepReport& report, const WitnessCounts& found = {},
                           const CullingTotals& earlier = {});

class MetricsFile {
 public:
  // Opens for appending after keeping only the whole lines of steps up to last_step; 0 starts anew.
  // Throws OutputError.
  MetricsFile(const std::string& path, int last_step);

  void add(const StepReport& report, const WitnessCounts& found = {}) {
    file_.add_line(format_metrics(report, found, earlier_));
  }

 private:
  CullingTotals earlier_;  // before the file: read from what is kept
  AppendedFile file_;
};

}  // namespace marrow
