#include "core/trace.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace marrow::trace {
namespace {

using Clock = std::chrono::steady_clock;

struct Event {
  const char* name;
  double start_us;
  double duration_us;
  int thread;
};

struct Store {
  std::mutex mutex;
  std::unordered_map<const char*, double> totals;  // by address of the name, which may have several
  LoopUse loops;
  std::vector<Event> events;
  size_t max_events = 0;
  Clock::time_point origin = Clock::now();
};

Store& store() {
  static Store instance;
  return instance;
}

thread_local bool is_beside = false;

int this_thread_number() {
  static std::atomic<int> next{0};
  thread_local const int number = next++;
  return number;
}

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

}  // namespace

Scope::~Scope() {
  const Clock::time_point end = Clock::now();
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  const double seconds = microseconds(end - start_) * 1e-6;
  s.totals[name_] += seconds;
  if (is_outermost_ && !is_beside) {
    s.loops.seconds += seconds;
    s.loops.busy += busy_;
  }
  if (s.events.size() < s.max_events) {
    s.events.push_back(
        {name_, microseconds(start_ - s.origin), microseconds(end - start_), this_thread_number()});
  }
}

std::map<std::string, double> take_totals() {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  std::map<std::string, double> totals;
  for (const auto& [name, seconds] : s.totals) totals[name] += seconds;
  s.totals.clear();
  return totals;
}

void set_beside() { is_beside = true; }

LoopUse take_loop_use() {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  return std::exchange(s.loops, {});
}

void start_recording(size_t max_events) {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  s.max_events = max_events;
  s.events.clear();
  s.origin = Clock::now();
}

std::string export_chrome_trace() {
  Store& s = store();
  const std::lock_guard lock(s.mutex);
  std::string text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  for (size_t i = 0; i < s.events.size(); ++i) {
    const Event& e = s.events[i];
    text +=
        fmt::format("{}{{\"name\":\"{}\",\"ph\":\"X\",\"pid\":0,\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f}}}",
                    i == 0 ? "\n" : ",\n", e.name, e.thread, e.start_us, e.duration_us);
  }
  return text + "\n]}\n";
}

}  // namespace marrow::trace
