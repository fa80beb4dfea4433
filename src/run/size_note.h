// How much a run will write, told once where that is much: from the size of its first frames.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/model.h"

namespace marrow {

class SizeNote {
 public:
  // folder: of the run, which must be there.
  SizeNote(std::string folder, const TimeOptions& time, int first_step, int last_step);

  // After every step that was written. The sentence about the size, once; empty otherwise.
  std::string add(int step);
  // Nothing more will be said.
  bool is_done() const { return is_done_; }

 private:
  std::string folder_;
  int frame_every_, last_step_;
  int begin_step_ = -1;             // of the first frame after which was measured
  std::uintmax_t begin_bytes_ = 0;  // at that time
  int frames_ = 0;                  // since the run began
  bool is_done_ = false;
};

// "3.2 GB", "410 MB".
std::string format_bytes(double bytes);

}  // namespace marrow
