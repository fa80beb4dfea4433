// A line that says how far long work is: live on a terminal, a plain line now and then elsewhere. The one
// text of all progress: of steps (console.h), of pictures, of checks, of what is prepared.
#pragma once

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "core/clock.h"

namespace marrow {

class ProgressLine {
 public:
  explicit ProgressLine(std::FILE* stream = stderr);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time to show something.
  bool is_due() const;
  bool is_live() const { return is_terminal_; }
  void show(const std::string& text);
  // Removes the live line, so that what follows starts on a line of its own.
  void clear();
  // The same, but the line stays.
  void end();

 private:
  std::FILE* stream_;
  bool is_terminal_;
  bool has_line_ = false;
  Clock::time_point shown_;
};

// Shows what the process is busy with (core/activity.h) if that takes long, from a thread of its own, on
// stderr. The line is gone when the last activity has ended.
class ActivityLine {
 public:
  ActivityLine();
  ~ActivityLine();
  ActivityLine(const ActivityLine&) = delete;
  ActivityLine& operator=(const ActivityLine&) = delete;

 private:
  void watch();

  std::mutex stop_mutex_, line_mutex_;
  std::condition_variable wake_;
  bool is_stopped_ = false;
  ProgressLine line_;
  std::thread watcher_;
};

// "12 of 40 pictures, 1 min 05 s left"; the time only if it can be told.
std::string format_progress(long done, long total, const std::string& what, double seconds_so_far);

}  // namespace marrow
