// summary.json: a run in a few numbers, written when it ends. Summed over the lines of metrics.jsonl, so that
// it is that of the whole run also after it was resumed.
#pragma once

#include <optional>
#include <string>

#include "sim/simulate.h"
#include "witness/witness.h"

namespace marrow {

// What the lines of metrics.jsonl add up to.
struct RunTotals {
  int steps = 0;
  double seconds = 0;  // in steps
  std::int64_t newton_iterations = 0;
  std::int64_t contacts_max = 0;
  std::optional<double> min_gap;  // at the end of a step [m]; empty: never in contact
  WitnessCounts found;            // in the frames of these steps
  int split_steps = 0;            // taken in halves or smaller parts
  int slowed_steps = 0;           // whose prescribed points did not arrive
  double motion_shortfall = 0;    // how far they were from their targets, at most [m]
  double joint_residual = 0;      // the farthest that a joint was from holding [m]
  int joints_broken = 0;
  // Of the projective stepper.
  std::int64_t projective_iterations = 0;
  double projective_residual = 0;  // the largest at the end of a step [m/s²]
  double local_seconds = 0, global_seconds = 0;
  double penetration = 0;     // the deepest that was found, with detected contact [m]
  int penetrating_steps = 0;  // at whose end any was found
};

// Reads metrics.jsonl; stops at the first line that is not whole. No file: nothing.
RunTotals read_totals(const std::string& metrics_path);

struct Summary {
  std::string scene;
  RunEnd verdict = RunEnd::Finished;
  RunTotals totals;
  int threads = 1;
};

// The text of the file.
std::string format_summary(const Summary& summary, const Model& model);

}  // namespace marrow
