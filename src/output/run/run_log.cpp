#include "output/run/run_log.h"

#include <fmt/chrono.h>

#include <ctime>

namespace marrow {

void RunLog::add(std::string_view text) {
  const std::lock_guard lock(mutex_);
  file_.add_line(fmt::format("{:%Y-%m-%d %H:%M:%S}  {}", fmt::localtime(std::time(nullptr)), text));
}

}  // namespace marrow
