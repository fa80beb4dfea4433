// The pace of a run that is watched: never faster than the clock, and slower where steps take longer. A step
// that was late is not made up for.
#pragma once

#include <functional>

#include "core/clock.h"

namespace marrow {

class Pace {
 public:
  // Waits until a step of this length [s] may begin, at this many simulated seconds per second; asks now and
  // then whether to give up. Returns false if it did.
  bool wait_for_step(double length, double speed, const std::function<bool()>& is_interrupted);

  // Simulated seconds per second, over the last second or so.
  double rate() const { return rate_; }

 private:
  Clock::time_point due_;     // when the next step may begin
  Clock::time_point before_;  // when the last one did
  bool is_started_ = false;
  double rate_ = 0;
};

}  // namespace marrow
