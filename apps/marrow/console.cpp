#include "marrow/console.h"

#include <fmt/format.h>

namespace marrow {

Console::Console(int done, int total) : progress_(done, total), line_(stdout), last_step_(Clock::now()) {}

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
  // The first line comes at once: it says that the steps have begun.
  if (is_shown_ && !line_.is_due() && report.step != progress_.total()) return;
  is_shown_ = true;
  line_.show(format_line(report));
}

void Console::show_note(const std::string& text) {
  line_.clear();
  fmt::print("Note: {}.\n", text);
  std::fflush(stdout);
}

}  // namespace marrow
