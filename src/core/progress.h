// How far a long piece of work is, and how long the rest will take.
#pragma once

#include <string>

namespace marrow {

// Estimates the remaining time from the recent pace: an exponential average, so that a run whose steps grow
// heavier is not judged by its light beginning.
class ProgressEstimate {
 public:
  ProgressEstimate(int done, int total) : done_(done), total_(total) {}

  // One unit more is done; it took these seconds.
  void add_unit(double seconds);

  int done() const { return done_; }
  int total() const { return total_; }
  double seconds_left() const { return pace_ * (total_ - done_); }

 private:
  int done_;
  int total_;
  int measured_ = 0;
  double pace_ = 0;  // seconds per unit
};

// "45 s", "3 min 20 s", "2 h 05 min".
std::string format_duration(double seconds);

}  // namespace marrow
