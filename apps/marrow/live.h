// The viewer beside a run that goes on: `marrow run --live`.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace marrow {

struct LiveOptions {
  bool is_on = false;
  bool starts_paused = false;
  bool opens_browser = false;
  int port = 0;  // 0: one that is free
};

class LiveView {
 public:
  // Serves the folder, in which the run has begun, and prints the address. is_interrupted: whether a signal
  // asks for the end. Throws InputError.
  LiveView(const std::string& folder, const LiveOptions& options, std::function<bool()> is_interrupted);
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  // Before every step: waits while the run is paused. True: the run shall end.
  bool wait_for_step();

  // After the run: stays while somebody is looking.
  void linger();

 private:
  struct Parts;
  std::function<bool()> is_interrupted_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
