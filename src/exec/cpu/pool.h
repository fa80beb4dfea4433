// The threads that share loops. A loop is a job in a slot that all threads see; who has nothing to do takes
// ranges of it. The caller takes ranges too and waits for nobody who has not begun one.
//
// Helpers look for jobs for a while before they sleep, because the loops of a step follow each other within
// microseconds and waking a thread costs more than many of them (docs/decisions/0039-thread-pool.md).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "exec/parallel.h"

namespace marrow::exec::detail {

struct Job {
  RangeBody body;
  const void* context;
  size_t count;
  size_t range;            // calls that are taken at once
  std::atomic<int> seats;  // for helpers
  alignas(64) std::atomic<size_t> next{0};
  alignas(64) std::atomic<std::int64_t> busy{0};  // of all threads [ns]
};

class Pool {
 public:
  ~Pool();

  void set_thread_count(int count);
  int thread_count() const { return thread_count_.load(std::memory_order_relaxed); }

  // Runs the job with as many helpers as it has seats. is_long: worth waking helpers that sleep. False if
  // too many jobs are open; nothing is done then.
  bool run(Job& job, bool is_long);

  // Takes part in one open job, but none of this context. False if there is none.
  bool help(const void* except = nullptr);

 private:
  struct alignas(128) Slot {
    std::atomic<Job*> job{nullptr};
    std::atomic<int> users{0};  // threads that look at the job
    std::atomic<bool> is_taken{false};
  };

  void start_helpers();
  void stop_helpers();
  void serve();
  bool wait_for_jobs(std::uint32_t seen);
  void wake(int helpers);

  static constexpr size_t kSlots = 32;  // jobs open at the same time, those within others too [speed only]
  Slot slots_[kSlots];
  alignas(128) std::atomic<std::uint32_t> epoch_{0};  // counts the jobs; helpers sleep on it
  alignas(128) std::atomic<int> sleepers_{0};
  std::atomic<int> thread_count_{0};
  std::atomic<int> helper_count_{0};  // that have been started
  std::atomic<bool> is_ended_{false};
  std::atomic<bool> is_crowded_{false};  // more threads than cores: who waits sleeps at once
  std::mutex mutex_;                     // of the threads below
  std::vector<std::thread> helpers_;
};

Pool& pool();

// Whether this thread runs the body of a loop.
bool is_within_loop();

// The waiting of a thread that looks for something to happen soon.
class Watch {
 public:
  // True now and then: after it has let other threads run.
  bool pause() {
    __builtin_ia32_pause();
    if (++looks_ % kLooksBeforeYield != 0) return false;
    std::this_thread::yield();
    return true;
  }

 private:
  static constexpr int kLooksBeforeYield = 200;  // [speed only]
  int looks_ = 0;
};

}  // namespace marrow::exec::detail
