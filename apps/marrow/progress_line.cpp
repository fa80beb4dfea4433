#include "marrow/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "core/activity.h"
#include "core/progress.h"

namespace marrow {
namespace {

// On a terminal ten times a second: more often than eyes read numbers, and rare enough to cost nothing.
// Elsewhere every ten seconds: a log stays short, 360 lines an hour, and whoever looks at it sees soon that
// the work goes on.
constexpr double kLiveInterval = 0.1;  // [s]
constexpr double kPlainInterval = 10;  // [s]

// Work shorter than this is over before a line about it is read.
constexpr double kShortWork = 1;  // [s]

}  // namespace

ProgressLine::ProgressLine(std::FILE* stream)
    : stream_(stream), is_terminal_(isatty(fileno(stream)) != 0), shown_(Clock::now()) {}

bool ProgressLine::is_due() const {
  return seconds_since(shown_) >= (is_terminal_ ? kLiveInterval : kPlainInterval);
}

void ProgressLine::show(const std::string& text) {
  shown_ = Clock::now();
  // \033[K clears what a longer line left behind.
  fmt::print(stream_, "{}{}{}", is_terminal_ ? "\r" : "", text, is_terminal_ ? "\033[K" : "\n");
  std::fflush(stream_);
  has_line_ = is_terminal_;
}

void ProgressLine::clear() {
  if (has_line_) fmt::print(stream_, "\r\033[K");
  if (has_line_) std::fflush(stream_);
  has_line_ = false;
}

void ProgressLine::end() {
  if (has_line_) fmt::print(stream_, "\n");
  has_line_ = false;
}

ActivityLine::ActivityLine() {
  set_activity_listener([this] {
    const std::lock_guard lock(line_mutex_);
    line_.clear();
  });
  watcher_ = std::thread([this] { watch(); });
}

ActivityLine::~ActivityLine() {
  {
    const std::lock_guard lock(stop_mutex_);
    is_stopped_ = true;
  }
  wake_.notify_all();
  watcher_.join();
  set_activity_listener({});
  line_.clear();
}

void ActivityLine::watch() {
  std::unique_lock lock(stop_mutex_);
  while (
      !wake_.wait_for(lock, std::chrono::duration<double>(kLiveInterval), [this] { return is_stopped_; })) {
    show_activity([this](const ActivityNow& now) {
      const std::lock_guard line_lock(line_mutex_);
      if (now.seconds >= kShortWork && line_.is_due())
        line_.show(fmt::format("{} ({} so far)", now.what, format_duration(now.seconds)));
    });
  }
}

std::string format_progress(long done, long total, const std::string& what, double seconds_so_far) {
  std::string text = fmt::format("{} of {} {}", done, total, what);
  if (done > 0 && done < total) {
    text += fmt::format(", {} left", format_duration(seconds_so_far * static_cast<double>(total - done) /
                                                     static_cast<double>(done)));
  }
  return text;
}

}  // namespace marrow
