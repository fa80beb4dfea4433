#include "marrow/live.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "view/browser.h"
#include "view/server.h"

namespace marrow {
namespace {

using namespace std::chrono_literals;

constexpr auto kReloadTime = 3s;  // a page that reloads is back by then

}  // namespace

struct LiveView::Parts {
  Parts(const std::string& folder, const LiveOptions& options)
      : control(options.starts_paused),
        source(RunSource::open_folder(folder)),
        server(*source, &control, make_options(options)) {}

  static ServerOptions make_options(const LiveOptions& options) {
    ServerOptions result;
    result.port = options.port;
    return result;
  }

  LiveControl control;
  std::unique_ptr<RunSource> source;
  ViewServer server;
};

LiveView::LiveView(const std::string& folder, const LiveOptions& options,
                   std::function<bool()> is_interrupted)
    : is_interrupted_(std::move(is_interrupted)), parts_(std::make_unique<Parts>(folder, options)) {
  fmt::print("Watch the run at {}{}\n", parts_->server.url(),
             options.starts_paused ? "; the run waits until you press Continue or One step there" : "");
  if (options.opens_browser && !open_in_browser(parts_->server.url())) {
    fmt::print("No browser could be started; open the address yourself.\n");
  }
  std::fflush(stdout);
}

LiveView::~LiveView() = default;

bool LiveView::wait_for_step() { return parts_->control.wait_for_step(is_interrupted_); }

void LiveView::linger() {
  parts_->control.set_ended();
  if (parts_->server.watcher_count() == 0) return;
  fmt::print("A viewer is still connected; waiting until it closes (Ctrl-C to quit).\n");
  std::fflush(stdout);
  auto last_seen = std::chrono::steady_clock::now();
  while (!is_interrupted_() && std::chrono::steady_clock::now() - last_seen < kReloadTime) {
    if (parts_->server.watcher_count() > 0) last_seen = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace marrow
