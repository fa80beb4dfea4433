// Where the time of a run went, for people: the table of `marrow run --profile`.
#pragma once

#include <map>
#include <string>

#include "sim/model/report.h"

namespace marrow {

class Profile {
 public:
  void add(const StepReport& report);

  // A table of the stages, with what the threads did and what limited the steps. Lines end with a newline.
  std::string format() const;

 private:
  int steps_ = 0, threads_ = 1, split_steps_ = 0;
  double seconds_ = 0;
  trace::LoopUse loops_;
  NewtonReport newton_;
  std::map<std::string, double> scopes_;
};

}  // namespace marrow
