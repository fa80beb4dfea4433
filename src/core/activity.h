// What this process is busy with, in words, for a person who waits: kept while an Activity lives, read by
// whoever shows it, from any thread. It changes nothing else.
#pragma once

#include <functional>
#include <string>

namespace marrow {

class Activity {
 public:
  // "reading bunny.obj". Activities within each other: the newest one is what goes on now.
  explicit Activity(std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  // It has come to part `number` of `count`, counted from 1, of this name.
  void enter_part(int number, int count, const std::string& name);

 private:
  int id_;
};

// The words of the newest activity and the seconds since the oldest one began; empty if there is none.
struct ActivityNow {
  std::string what;
  double seconds = 0;
};
ActivityNow current_activity();

// Calls `show` with it, unless there is none. No activity ends meanwhile, so nothing is shown that is over.
void show_activity(const std::function<void(const ActivityNow&)>& show);

// Called whenever the last activity has ended; empty: nothing is.
void set_activity_listener(std::function<void()> on_end);

}  // namespace marrow
