// What a person should know of a run that went on all the same: prescribed points held up, joints that did
// not hold or broke, bodies that turn too fast for the step. Every case goes to the log, and what happened
// most into a list at the end.
#pragma once

#include <string>
#include <vector>

#include "output/run/run_log.h"
#include "sim/model/report.h"

namespace marrow {

class StepNotes {
 public:
  // Both must outlive this.
  StepNotes(const Model& model, RunLog& log) : model_(model), log_(log) {}

  void add(const StepReport& report);

  // Sentences about what happened most, after the last step.
  std::vector<std::string> list(int step_count) const;

 private:
  void note_motion(const StepReport& report);
  void note_joints(const StepReport& report);
  void note_turn(const StepReport& report);

  const Model& model_;
  RunLog& log_;
  int slowed_steps_ = 0;
  double shortfall_ = 0;  // [m]
  int loose_steps_ = 0;
  JointReport loosest_;
  int broken_ = 0;
  double turn_ = 0;  // [rad]
  Index turning_body_ = kNone;
};

}  // namespace marrow
