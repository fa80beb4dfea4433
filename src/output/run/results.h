// bodies.csv, contacts.csv, joints.csv: poses and forces, per step and body, pair of bodies, or joint.
// docs/results.md has the columns.
#pragma once

#include <string>
#include <vector>

#include "core/appended_file.h"
#include "sim/model/report.h"

namespace marrow {

// The rows of a step, each with its line end. Before the first step (report.step 0) bodies have no forces.
std::string format_body_rows(const Model& model, const State& state, const StepReport& report);
std::string format_contact_rows(const Model& model, const StepReport& report);
std::string format_joint_rows(const Model& model, const State& state, const StepReport& report);

class ResultsFiles {
 public:
  // Opens the files for appending after keeping only the rows of steps up to last_step; 0 starts anew. Throws
  // OutputError.
  ResultsFiles(const std::string& folder, int last_step);

  // Removes the rows of later steps from files that are there, if no more are written.
  static void drop_later(const std::string& folder, int last_step);

  void add(const Model& model, const State& state, const StepReport& report);

  // What earlier steps should have left and is not there.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  AppendedFile open(const std::string& name, const std::string& header, int last_step);

  std::string folder_;
  std::vector<std::string> notices_;
  AppendedFile bodies_, contacts_, joints_;
};

}  // namespace marrow
