#include "view/live_control.h"

#include <chrono>

namespace marrow {

void LiveControl::request(Action action) {
  const std::lock_guard lock(mutex_);
  switch (action) {
    case Action::Pause:
      is_paused_ = true;
      granted_steps_ = 0;
      break;
    case Action::Step:
      // If the run is not paused, it pauses after the current step.
      granted_steps_ = is_paused_ ? granted_steps_ + 1 : 0;
      is_paused_ = true;
      break;
    case Action::Continue:
      is_paused_ = false;
      break;
    case Action::Stop:
      is_stopping_ = true;
      break;
  }
  changed_.notify_all();
}

bool LiveControl::wait_for_step(const std::function<bool()>& is_interrupted) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  // Signals do not end a wait, so the condition is polled.
  while (is_paused_ && granted_steps_ == 0 && !is_stopping_ && !is_interrupted())
    changed_.wait_for(lock, 100ms);
  if (is_stopping_ || is_interrupted()) return true;
  if (is_paused_) --granted_steps_;
  return false;
}

void LiveControl::set_ended() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
}

std::string LiveControl::state() const {
  const std::lock_guard lock(mutex_);
  return has_ended_ ? "ended" : is_stopping_ ? "stopping" : is_paused_ ? "paused" : "running";
}

std::optional<LiveControl::Action> LiveControl::parse(std::string_view word) {
  if (word == "pause") return Action::Pause;
  if (word == "step") return Action::Step;
  if (word == "continue") return Action::Continue;
  if (word == "stop") return Action::Stop;
  return {};
}

}  // namespace marrow
