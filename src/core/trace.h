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
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const char* name_;
  std::chrono::steady_clock::time_point start_;
};

// Seconds by scope name since the last call, on all threads together.
std::map<std::string, double> take_totals();

// Starts keeping single events, at most max_events of them.
void start_recording(size_t max_events = 1'000'000);

// The recorded events in Chrome's trace-event JSON.
std::string export_chrome_trace();

}  // namespace marrow::trace
