#include <chrono>
#include <memory>

#include "core/trace.h"
#include "exec/cpu/pool.h"
#include "exec/parallel.h"

namespace marrow::exec {
namespace {

using Clock = std::chrono::steady_clock;

// A task takes at least this long, and a loop goes to several threads if it takes twice as long: some times
// what it costs to hand a task out. [measured: bench/results/threads.md]
constexpr double kLeastTask = 2500;  // [ns]
// Ranges for every thread, so that one that is late leaves some to the others. [speed only]
constexpr double kRangesPerThread = 4;
// A loop that takes at least this long is worth waking threads that sleep. [measured:
// bench/results/threads.md]
constexpr double kWorthWaking = 20'000;  // [ns]

thread_local bool is_alone = false;

// How a loop is cut.
struct Cut {
  int threads;
  size_t range;
  bool is_long;
};

Cut cut_loop(size_t count, size_t grain, const detail::LoopCost* cost) {
  const int most = is_alone ? 1 : thread_count();
  if (most == 1 || count <= 1) return {1, count, false};
  const double each = cost != nullptr ? cost->nanoseconds.load(std::memory_order_relaxed) : 0;
  if (each <= 0) {
    const size_t ranges = (count + grain - 1) / grain;
    return {static_cast<int>(std::min(ranges, static_cast<size_t>(most))), grain, true};
  }
  const double whole = each * static_cast<double>(count);
  const int threads = static_cast<int>(std::min(whole / kLeastTask, static_cast<double>(most)));
  if (threads < 2) return {1, count, false};
  const double ranges = std::min(kRangesPerThread * threads, whole / (0.5 * kLeastTask));
  const auto range = static_cast<size_t>(static_cast<double>(count) / ranges);
  return {threads, std::max<size_t>(1, range), whole >= kWorthWaking};
}

void learn(double nanoseconds, size_t count, detail::LoopCost* cost) {
  if (cost == nullptr) return;
  const auto now = static_cast<float>(nanoseconds / static_cast<double>(count));
  const float before = cost->nanoseconds.load(std::memory_order_relaxed);
  // A thread that was interrupted tells nothing about the loop.
  const float next = before > 0 ? 0.5f * (before + std::min(now, 4 * before)) : now;
  cost->nanoseconds.store(std::max(next, 0.01f), std::memory_order_relaxed);
}

}  // namespace

void set_thread_count(int count) { detail::pool().set_thread_count(count); }

int thread_count() {
  detail::Pool& pool = detail::pool();
  if (pool.thread_count() == 0) pool.set_thread_count(0);
  return pool.thread_count();
}

OneThreadScope::OneThreadScope() : before_(is_alone) { is_alone = true; }
OneThreadScope::~OneThreadScope() { is_alone = before_; }

namespace detail {

void run_ranges(const char* name, size_t count, size_t grain, RangeBody body, const void* context,
                LoopCost* cost) {
  if (count == 0) return;
  trace::Scope scope(name);
  const Cut cut = cut_loop(count, grain, cost);
  const Clock::time_point start = Clock::now();
  if (cut.threads > 1) {
    Job job{body, context, count, cut.range, cut.threads - 1};
    if (pool().run(job, cut.is_long)) {
      const auto busy = static_cast<double>(job.busy.load());
      scope.set_busy(busy * 1e-9, !is_within_loop());
      return learn(busy, count, cost);
    }
  }
  body(context, 0, count);
  learn(std::chrono::duration<double, std::nano>(Clock::now() - start).count(), count, cost);
}

}  // namespace detail
}  // namespace marrow::exec
