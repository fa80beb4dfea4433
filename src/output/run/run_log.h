// run.log: what happened when, one line each, for people.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "core/appended_file.h"

namespace marrow {

class RunLog {
 public:
  // Opens for appending: a resumed run continues the log. Throws OutputError.
  explicit RunLog(const std::string& path) : file_(path) {}

  // Adds "2025-01-31 14:03:59  text" in local time. Any thread may. Throws OutputError.
  void add(std::string_view text);

 private:
  std::mutex mutex_;
  AppendedFile file_;
};

}  // namespace marrow
