#include "core/activity.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/clock.h"

namespace marrow {
namespace {

struct ActivityEntry {
  int id;
  std::string what, part;
  Clock::time_point start;
};

// Of all threads, the oldest first.
struct ActivityList {
  std::mutex mutex;
  std::vector<ActivityEntry> entries;
  int last_id = 0;
  std::function<void()> on_end;
};

ActivityList& all_activities() {
  static ActivityList list;
  return list;
}

}  // namespace

Activity::Activity(std::string what) {
  ActivityList& all = all_activities();
  const std::lock_guard lock(all.mutex);
  id_ = ++all.last_id;
  all.entries.push_back({id_, std::move(what), {}, Clock::now()});
}

Activity::~Activity() {
  ActivityList& all = all_activities();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.entries, [&](const ActivityEntry& entry) { return entry.id == id_; });
  if (all.entries.empty() && all.on_end) all.on_end();
}

void Activity::enter_part(int number, int count, const std::string& name) {
  ActivityList& all = all_activities();
  const std::lock_guard lock(all.mutex);
  for (ActivityEntry& entry : all.entries) {
    if (entry.id == id_) entry.part = fmt::format(", {} of {}: {}", number, count, name);
  }
}

ActivityNow current_activity() {
  ActivityNow result;
  show_activity([&](const ActivityNow& now) { result = now; });
  return result;
}

void show_activity(const std::function<void(const ActivityNow&)>& show) {
  ActivityList& all = all_activities();
  const std::lock_guard lock(all.mutex);
  if (all.entries.empty()) return;
  show({all.entries.back().what + all.entries.back().part, seconds_since(all.entries.front().start)});
}

void set_activity_listener(std::function<void()> on_end) {
  ActivityList& all = all_activities();
  const std::lock_guard lock(all.mutex);
  all.on_end = std::move(on_end);
}

}  // namespace marrow
