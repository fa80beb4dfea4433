// What a person should know of a run that goes on all the same: prescribed points held up, joints that do not
// hold or break, bodies that turn too fast for the step or fall for ever, steps that are split, a disk that
// fills. What is new is told when it happens, once each; every case goes to the log, and what happened most
// into a list at the end.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "output/run/run_log.h"
#include "run/body_notes.h"
#include "run/size_note.h"
#include "sim/model/report.h"

namespace marrow {

class StepNotes {
 public:
  // Model and log must outlive this. folder: of the run. tell: for what is new; may be empty.
  StepNotes(const Model& model, RunLog& log, const std::string& folder, int first_step,
            std::function<void(const std::string&)> tell);

  void add(const State& state, const StepReport& report);

  // Whether the next step's notes look at what is written.
  bool measures_folder() const { return !size_.is_done(); }

  // Sentences about what happened most, after the last step.
  std::vector<std::string> list(int step_count) const;

 private:
  void note_motion(const StepReport& report);
  void note_joints(const StepReport& report);
  void note_turn(const StepReport& report);
  void note_split(const StepReport& report);
  void note_penetration(const StepReport& report);
  void note_remesh(const StepReport& report);
  void tell(const std::string& text);

  const Model& model_;
  RunLog& log_;
  std::function<void(const std::string&)> tell_;
  BodyNotes bodies_;
  SizeNote size_;
  std::set<Index> held_up_;  // bodies whose prescribed points were held up
  int lost_bodies_ = 0;      // that only fall, or have left the scene
  int split_steps_ = 0;
  int slowed_since_ = 0;
  int slowed_steps_ = 0;
  double shortfall_ = 0;  // [m]
  int loose_steps_ = 0;
  JointReport loosest_;
  int broken_ = 0;
  RemeshReport remesh_;  // the sums; nodes at the end
  Index first_nodes_ = 0;
  int capped_since_ = 0;
  int penetrating_steps_ = 0;
  ProjectiveReport deepest_;
  int deepest_step_ = 0;
  double turn_ = 0;  // [rad]
  Index turning_body_ = kNone;
};

}  // namespace marrow
