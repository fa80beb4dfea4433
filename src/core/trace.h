// Named time scopes. Every scope adds to a per-name total, which the step report reads and resets; when
// recording is on, each scope is also kept as an event and can be exported for chrome://tracing or Perfetto.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace marrow::trace {

// Measures from construction to destruction. The name must be a string literal: its address is kept.
class Scope {
 public:
  explicit Scope(const char* name) : name_(name), start_(std::chrono::steady_clock::now()) {}
  ~Scope();
  // The scope is a loop that ran on several threads: what they took, all together [s]. is_outermost: it is
  // not within another one.
  void set_busy(double seconds, bool is_outermost) {
    busy_ = seconds;
    is_outermost_ = is_outermost;
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const char* name_;
  std::chrono::steady_clock::time_point start_;
  double busy_ = 0;
  bool is_outermost_ = false;
};

// Seconds by scope name since the last call, on all threads together.
std::map<std::string, double> take_totals();

// Loops that ran on several threads, without those within others.
struct LoopUse {
  double seconds = 0;  // that they took
  double busy = 0;     // that their threads worked, together
};

// Since the last call, without the loops of threads that work beside the steps.
LoopUse take_loop_use();

// This thread works beside the steps.
void set_beside();

// Starts keeping single events, at most max_events of them.
void start_recording(size_t max_events = 1'000'000);

// The recorded events in Chrome's trace-event JSON.
std::string export_chrome_trace();

}  // namespace marrow::trace
