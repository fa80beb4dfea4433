#include "marrow/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include "core/clock.h"

namespace marrow {
namespace {

constexpr std::chrono::milliseconds kLiveInterval(100);
constexpr std::chrono::seconds kPlainInterval(10);

}  // namespace

Console::Console(int done, int total)
    : progress_(done, total), is_terminal_(isatty(STDOUT_FILENO) != 0), last_step_(Clock::now()) {}

std::string Console::format_line(const StepReport& report) const {
  std::string contact;
  if (report.contacts > 0) {
    contact = fmt::format("  {}, gap {:.2g} m",
                          format_count(static_cast<long>(report.contacts), "contact", "contacts"),
                          report.smallest_gap);
  }
  return fmt::format("step {}/{}  t {:.4g} s  {}{}  {} left", report.step, progress_.total(), report.time,
                     format_count(report.newton.iterations, "Newton iteration", "Newton iterations"), contact,
                     format_duration(progress_.seconds_left()));
}

void Console::show_step(const StepReport& report) {
  const Clock::time_point now = Clock::now();
  progress_.add_unit(std::chrono::duration<double>(now - last_step_).count());
  last_step_ = now;
  const bool is_last = report.step == progress_.total();
  const bool is_due = is_terminal_ ? now - last_shown_ >= kLiveInterval : now - last_shown_ >= kPlainInterval;
  if (!is_due && !is_last) return;
  last_shown_ = now;
  // \033[K clears what a longer line left behind.
  fmt::print("{}{}{}", is_terminal_ ? "\r" : "", format_line(report), is_terminal_ ? "\033[K" : "\n");
  std::fflush(stdout);
  has_line_ = is_terminal_;
}

void Console::end_line() {
  if (has_line_) fmt::print("\n");
  has_line_ = false;
}

}  // namespace marrow
