#include "exec/cpu/pool.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "core/float_scope.h"

namespace marrow::exec::detail {
namespace {

using Clock = std::chrono::steady_clock;

// How long a helper looks for jobs before it sleeps: longer than the stretches of a step between loops.
// [measured: bench/results/threads.md]
constexpr std::chrono::microseconds kWatch{300};  // If looking and yielding once took this long, another
                                                  // program wants the core: some ten times what it takes
// alone. [speed only]
constexpr std::chrono::microseconds kLongYield{200};

thread_local bool is_within = false;

void work(Job& job) {
  const FloatScope floats;  // threads may be somebody else's
  const bool was_within = std::exchange(is_within, true);
  const Clock::time_point start = Clock::now();
  size_t begin = 0;
  bool has_worked = false;
  while ((begin = job.next.fetch_add(job.range, std::memory_order_relaxed)) < job.count) {
    job.body(job.context, begin, std::min(job.count, begin + job.range));
    has_worked = true;
  }
  is_within = was_within;
  if (!has_worked) return;
  job.busy.fetch_add(std::chrono::nanoseconds(Clock::now() - start).count(), std::memory_order_relaxed);
}

}  // namespace

Pool& pool() {
  static Pool instance;
  return instance;
}

bool is_within_loop() { return is_within; }

Pool::~Pool() { stop_helpers(); }

void Pool::set_thread_count(int count) {
  stop_helpers();
  const int all = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  thread_count_ = count > 0 ? count : all;
  is_crowded_ = thread_count() > all;
}

void Pool::start_helpers() {
  const std::lock_guard lock(mutex_);
  const int wanted = thread_count() - 1;
  while (static_cast<int>(helpers_.size()) < wanted) helpers_.emplace_back([this] { serve(); });
  helper_count_ = wanted;
}

void Pool::stop_helpers() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  epoch_.fetch_add(1);
  wake(static_cast<int>(helpers_.size()));
  for (std::thread& helper : helpers_) helper.join();
  helpers_.clear();
  helper_count_ = 0;
  is_ended_ = false;
}

bool Pool::run(Job& job, bool is_long) {
  if (helper_count_.load(std::memory_order_relaxed) < thread_count() - 1) start_helpers();
  size_t k = 0;
  while (k < kSlots && slots_[k].is_taken.exchange(true, std::memory_order_acquire)) ++k;
  if (k == kSlots) return false;
  Slot& slot = slots_[k];
  const int seats = job.seats.load(std::memory_order_relaxed);
  slot.job.store(&job);
  epoch_.fetch_add(1);
  if (is_long && sleepers_.load() > 0) wake(seats);
  work(job);
  slot.job.store(nullptr);
  // All ranges are taken; those that others took end before they leave.
  for (Watch watch; slot.users.load() != 0;) watch.pause();
  slot.is_taken.store(false, std::memory_order_release);
  return true;
}

bool Pool::help(const void* except) {
  for (Slot& slot : slots_) {
    if (slot.job.load(std::memory_order_relaxed) == nullptr) continue;
    slot.users.fetch_add(1);
    Job* job = slot.job.load();
    const bool joins = job != nullptr && job->context != except &&
                       job->next.load(std::memory_order_relaxed) < job->count &&
                       job->seats.fetch_sub(1, std::memory_order_relaxed) > 0;
    if (joins) work(*job);
    slot.users.fetch_sub(1);
    if (joins) return true;
  }
  return false;
}

void Pool::serve() {
  while (!is_ended_) {
    const std::uint32_t seen = epoch_.load();
    if (!help() && !wait_for_jobs(seen)) return;
  }
}

// Until a job comes; false at the end.
bool Pool::wait_for_jobs(std::uint32_t seen) {
  Clock::time_point last = Clock::now();
  const Clock::time_point end = last + (is_crowded_ ? Clock::duration(0) : kWatch);
  for (Watch watch; epoch_.load(std::memory_order_acquire) == seen;) {
    if (!watch.pause()) continue;
    const Clock::time_point now = Clock::now();
    const bool is_needed_elsewhere = now - last > kLongYield;
    last = now;
    if (now < end && !is_needed_elsewhere) continue;
    sleepers_.fetch_add(1);
    if (epoch_.load() == seen && !is_ended_)
      syscall(SYS_futex, &epoch_, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
    sleepers_.fetch_sub(1);
    return !is_ended_;
  }
  return !is_ended_;
}

void Pool::wake(int helpers) {
  syscall(SYS_futex, &epoch_, FUTEX_WAKE_PRIVATE, helpers, nullptr, nullptr, 0);
}

}  // namespace marrow::exec::detail
