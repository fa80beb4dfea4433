#include "play/pace.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace marrow {

bool Pace::wait_for_step(double length, double speed, const std::function<bool()>& is_interrupted) {
  using Seconds = std::chrono::duration<double>;
  constexpr auto kSlice = std::chrono::milliseconds(20);  // between questions
  if (!is_started_) {
    due_ = before_ = Clock::now();
    is_started_ = true;
    rate_ = 0;
    return !is_interrupted();
  }
  due_ = std::max(due_ + std::chrono::duration_cast<Clock::duration>(Seconds(length / speed)), Clock::now());
  while (Clock::now() < due_) {
    if (is_interrupted()) return false;
    std::this_thread::sleep_until(std::min<Clock::time_point>(due_, Clock::now() + kSlice));
  }
  const Clock::time_point now = Clock::now();
  const double passed = std::max(Seconds(now - before_).count(), 1e-9);
  // A mean that forgets within a second.
  const double share = 1 - std::exp(-passed);
  rate_ = rate_ == 0 ? length / passed : rate_ + share * (length / passed - rate_);
  before_ = now;
  return !is_interrupted();
}

}  // namespace marrow
