// How a person at the viewer steers a run that goes on: pause, one step, continue, stop. The run asks before
// every step; the viewer's threads set what it is told.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace marrow {

class LiveControl {
 public:
  enum class Action { Pause, Step, Continue, Stop };

  explicit LiveControl(bool starts_paused = false) : is_paused_(starts_paused) {}

  void request(Action action);

  // Before every step: returns when the step may begin (false), or when the run shall end (true): at a
  // request, or as soon as is_interrupted says so.
  bool wait_for_step(const std::function<bool()>& is_interrupted);

  // The run has ended, whatever the reason.
  void set_ended();

  // "running", "paused", "stopping", "ended".
  std::string state() const;

  // "pause", "step", "continue", "stop"; empty for other words.
  static std::optional<Action> parse(std::string_view word);

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_paused_;
  bool is_stopping_ = false;
  bool has_ended_ = false;
  int granted_steps_ = 0;  // while paused
};

}  // namespace marrow
