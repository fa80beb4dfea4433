#include "exec/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <random>

namespace marrow {
namespace {

// Runs a computation on 1, 2 and 4 threads and returns the three results.
template <class Function>
auto on_thread_counts(const Function& f) {
  std::vector<decltype(f())> results;
  for (const int threads : {1, 2, 4}) {
    exec::set_thread_count(threads);
    results.push_back(f());
  }
  exec::set_thread_count(0);
  return results;
}

}  // namespace

TEST(Parallel, every_index_is_visited_once) {
  for (const size_t count : {0u, 1u, 255u, 256u, 257u, 100000u}) {
    std::vector<std::atomic<int>> visits(count);
    exec::parallel_for("test.visit", count, [&](size_t i) { ++visits[i]; });
    for (const auto& visit : visits) ASSERT_EQ(visit, 1);
  }
}

TEST(Parallel, sums_have_the_same_bits_on_any_number_of_threads) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> values(123457);
  for (double& v : values) v = std::exp(10 * normal(random));
  const auto sums = on_thread_counts(
      [&] { return exec::parallel_sum("test.sum", values.size(), [&](size_t i) { return values[i]; }); });
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(sums[0], sums[2]);
  EXPECT_NEAR(sums[0] / std::accumulate(values.begin(), values.end(), 0.0), 1, 1e-12);
}

TEST(Parallel, extremes) {
  const auto map = [](size_t i) { return i == 77777 ? -5.0 : static_cast<double>(i % 1000); };
  EXPECT_EQ(exec::parallel_min("test.min", 100000, 1e9, map), -5);
  EXPECT_EQ(exec::parallel_max("test.max", 100000, -1e9, map), 999);
  EXPECT_EQ(exec::parallel_min("test.empty", 0, 42.0, map), 42);
}

TEST(Parallel, sort_is_stable_and_right_for_every_size) {
  std::mt19937 random(5);
  for (const size_t count : {0u, 1u, 2u, 16384u, 16385u, 40000u, 100001u}) {
    std::vector<std::pair<int, size_t>> items(count);
    for (size_t i = 0; i < count; ++i) items[i] = {static_cast<int>(random() % 100), i};
    auto expected = items;
    const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(expected.begin(), expected.end(), less);
    exec::parallel_sort("test.sort", items, less);
    EXPECT_EQ(items, expected) << count;
  }
}

TEST(Parallel, thread_count_can_be_set) {
  exec::set_thread_count(1);
  EXPECT_EQ(exec::thread_count(), 1);
  exec::set_thread_count(0);
  EXPECT_GE(exec::thread_count(), 1);
}

}  // namespace marrow
