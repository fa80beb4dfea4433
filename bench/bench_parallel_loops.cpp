// What a parallel loop costs beside its work: loops of a given work [µs on one thread], on 1 to 16 threads,
// by exec::parallel_for, and by threads that wait spinning and take fixed shares (the least that is
// possible). A pause [µs] of the caller between loops lets helpers fall asleep.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "exec/parallel.h"

namespace {

using Clock = std::chrono::steady_clock;

double now_us() { return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count(); }

// Multiplications that the compiler cannot drop.
double work(size_t count) {
  double x = 1.0000001;
  for (size_t i = 0; i < count; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

double calls_per_us() {
  double best = 1e300;
  volatile double sink = 0;
  for (int k = 0; k < 20; ++k) {
    const double start = now_us();
    sink = work(200'000);
    best = std::min(best, now_us() - start);
  }
  (void)sink;
  return 200'000 / best;
}

void pause_thread() { __builtin_ia32_pause(); }

// Threads that wait spinning and take a fixed share of every loop.
class Spinners {
 public:
  explicit Spinners(int threads) : count_(threads), slots_(static_cast<size_t>(threads)) {
    for (int t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
  }
  ~Spinners() {
    is_ended_ = true;
    epoch_.fetch_add(1, std::memory_order_release);
    for (std::thread& thread : threads_) thread.join();
  }

  void run(size_t chunks, void (*body)(const void*, size_t), const void* context) {
    body_ = body;
    context_ = context;
    chunks_ = chunks;
    const std::uint64_t epoch = epoch_.fetch_add(1, std::memory_order_release) + 1;
    take(0);
    for (int t = 1; t < count_; ++t) {
      while (slots_[static_cast<size_t>(t)].done.load(std::memory_order_acquire) != epoch) pause_thread();
    }
  }

 private:
  struct alignas(128) Slot {
    std::atomic<std::uint64_t> done{0};
  };

  void take(int t) {
    const size_t n = static_cast<size_t>(count_), k = static_cast<size_t>(t);
    for (size_t c = chunks_ * k / n; c < chunks_ * (k + 1) / n; ++c) body_(context_, c);
  }

  void serve(int t) {
    std::uint64_t seen = 0;
    while (true) {
      std::uint64_t epoch = 0;
      while ((epoch = epoch_.load(std::memory_order_acquire)) == seen) pause_thread();
      seen = epoch;
      if (is_ended_) return;
      take(t);
      slots_[static_cast<size_t>(t)].done.store(epoch, std::memory_order_release);
    }
  }

  int count_;
  std::vector<Slot> slots_;
  std::atomic<std::uint64_t> epoch_{0};
  std::atomic<bool> is_ended_{false};
  void (*body_)(const void*, size_t) = nullptr;
  const void* context_ = nullptr;
  size_t chunks_ = 0;
  std::vector<std::thread> threads_;
};

// Median and ninth decile of many loops [µs].
template <class Loop>
std::string measure(const Loop& loop, size_t pause_work, double budget_us) {
  std::vector<double> times;
  volatile double sink = 0;
  const double end = now_us() + budget_us;
  for (int k = 0; k < 30; ++k) loop();
  while (times.empty() || (now_us() < end && times.size() < 20'000)) {
    if (pause_work > 0) sink = work(pause_work);
    const double start = now_us();
    loop();
    times.push_back(now_us() - start);
  }
  (void)sink;
  std::sort(times.begin(), times.end());
  return fmt::format("{:.1f} ({:.1f})", times[times.size() / 2], times[times.size() * 9 / 10]);
}

}  // namespace

int main() {
  constexpr size_t kChunks = 64;
  constexpr double kBudget = 60'000;  // µs a figure
  const double rate = calls_per_us();
  fmt::print("Median (ninth decile) of a loop of {} chunks, in µs.\n\n", kChunks);
  fmt::print("| work | pause before | threads | exec | spinning |\n");
  fmt::print("| --- | --- | --- | --- | --- |\n");
  const int most = static_cast<int>(std::thread::hardware_concurrency());
  for (const double total : {0.0, 20.0, 60.0, 200.0, 1000.0}) {
    for (const double pause : {0.0, 30.0, 1000.0}) {
      for (const int threads : {1, 2, 4, 8, 16}) {
        if (threads > most) continue;
        marrow::exec::set_thread_count(threads);
        const auto calls = static_cast<size_t>(total * rate / kChunks);
        std::vector<double> results(kChunks * 16);
        const auto body = [&](size_t c) { results[16 * c] = work(calls); };
        const auto pause_work = static_cast<size_t>(pause * rate);
        const std::string by_exec =
            measure([&] { marrow::exec::parallel_for("bench", kChunks, body, 1); }, pause_work, kBudget);
        Spinners spinners(threads);
        const auto call = [](const void* context, size_t c) { (*static_cast<decltype(&body)>(context))(c); };
        const std::string by_spinners =
            measure([&] { spinners.run(kChunks, call, &body); }, pause_work, kBudget);
        fmt::print("| {:.0f} | {:.0f} | {} | {} | {} |\n", total, pause, threads, by_exec, by_spinners);
      }
    }
  }
}
