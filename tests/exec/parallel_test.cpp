#include "exec/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

#include "exec/buckets.h"

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
  for (const size_t count : {0u, 1u, 2u, 2048u, 2049u, 6144u, 16385u, 40000u, 100001u}) {
    std::vector<std::pair<int, size_t>> items(count);
    for (size_t i = 0; i < count; ++i) items[i] = {static_cast<int>(random() % 100), i};
    auto expected = items;
    const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(expected.begin(), expected.end(), less);
    exec::parallel_sort("test.sort", items, less);
    EXPECT_EQ(items, expected) << count;
  }
}

// Sums of few and of many chunks are made in different ways.
TEST(Parallel, sums_are_those_of_chunks_in_their_order) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const size_t count : {0u, 1u, 1024u, 5000u, 65536u, 65537u, 200000u}) {
    std::vector<double> values(count);
    for (double& v : values) v = std::exp(10 * normal(random));
    double expected = 0;
    for (size_t begin = 0; begin < count; begin += 1024) {
      double part = 0;
      for (size_t i = begin; i < std::min<size_t>(count, begin + 1024); ++i) part += values[i];
      expected += part;
    }
    const auto sums = on_thread_counts(
        [&] { return exec::parallel_sum("test.ordered", count, [&](size_t i) { return values[i]; }); });
    for (const double sum : sums) EXPECT_EQ(sum, expected) << count;
  }
}

TEST(Parallel, loops_within_loops_visit_all) {
  exec::set_thread_count(4);
  std::vector<std::atomic<int>> visits(64 * 1000);
  for (int repetition = 0; repetition < 20; ++repetition) {
    exec::parallel_for(
        "test.outer", 64,
        [&](size_t i) {
          exec::parallel_for(
              "test.inner", 1000, [&](size_t k) { ++visits[1000 * i + k]; }, 10);
        },
        1);
  }
  exec::set_thread_count(0);
  for (const auto& visit : visits) ASSERT_EQ(visit, 20);
}

// A forest: its tasks find what they wait for done, whatever the number of threads.
TEST(Parallel, forests_are_walked_in_order) {
  std::mt19937 random(3);
  constexpr size_t kTasks = 3000;
  std::vector<Index> parents(kTasks, kNone);
  for (size_t k = 0; k + 1 < kTasks; ++k) {
    const size_t reach = std::min<size_t>(k % 7 == 0 ? 500 : 5, kTasks - 1 - k);
    if (k % 97 != 0) parents[k] = static_cast<Index>(k + 1 + random() % reach);
  }
  for (const int threads : {1, 2, 3, 16}) {
    exec::set_thread_count(threads);
    for (int repetition = 0; repetition < 5; ++repetition) {
      std::vector<std::atomic<int>> is_done(kTasks), waits(kTasks);
      std::atomic<int> early{0};
      for (const Index parent : parents) {
        if (parent != kNone) ++waits[static_cast<size_t>(parent)];
      }
      exec::parallel_upwards("test.up", parents, [&](size_t k) {
        if (waits[k] != 0) ++early;
        exec::parallel_for(
            "test.within", 50, [&](size_t) { is_done[k] += 0; }, 5);
        ++is_done[k];
        if (parents[k] != kNone) --waits[static_cast<size_t>(parents[k])];
      });
      EXPECT_EQ(early, 0) << threads;
      for (const auto& done : is_done) ASSERT_EQ(done, 1);
      exec::parallel_downwards("test.down", parents, [&](size_t k) {
        if (parents[k] != kNone && is_done[static_cast<size_t>(parents[k])] != 2) ++early;
        ++is_done[k];
      });
      EXPECT_EQ(early, 0) << threads;
      for (const auto& done : is_done) ASSERT_EQ(done, 2);
    }
  }
  exec::set_thread_count(0);
}

// As of two simulations in one process.
TEST(Parallel, several_threads_may_run_loops_at_once) {
  exec::set_thread_count(3);
  std::vector<double> sums(4);
  std::vector<std::thread> callers;
  for (size_t c = 0; c < sums.size(); ++c) {
    callers.emplace_back([&, c] {
      for (int k = 0; k < 200; ++k)
        sums[c] += exec::parallel_sum("test.caller", 3000, [](size_t i) { return static_cast<double>(i); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  exec::set_thread_count(0);
  for (const double sum : sums) EXPECT_EQ(sum, 200 * (2999.0 * 3000 / 2));
}

TEST(Parallel, buckets_keep_the_order_of_their_sources) {
  std::mt19937 random(4);
  for (const size_t count : {0u, 1u, 300u, 50000u}) {
    std::vector<Index> keys(count);
    for (Index& key : keys) key = static_cast<Index>(random() % 37);
    std::vector<std::vector<Index>> expected(37);
    for (size_t i = 0; i < count; ++i) {
      expected[static_cast<size_t>(keys[i])].push_back(static_cast<Index>(i));
      if (i % 3 == 0) expected[5].push_back(static_cast<Index>(i));
    }
    const auto all = on_thread_counts([&] {
      exec::Buckets<Index> sorted;
      exec::parallel_buckets(
          "test.buckets", count, 37,
          [&](size_t i, const auto& emit) {
            emit(keys[i], static_cast<Index>(i));
            if (i % 3 == 0) emit(5, static_cast<Index>(i));
          },
          sorted);
      return sorted;
    });
    for (const auto& sorted : all) {
      for (size_t b = 0; b < 37; ++b) {
        const std::vector<Index> bucket(sorted.items.begin() + sorted.offsets[b],
                                        sorted.items.begin() + sorted.offsets[b + 1]);
        EXPECT_EQ(bucket, expected[b]);
      }
    }
  }
}

TEST(Parallel, thread_count_can_be_set) {
  exec::set_thread_count(1);
  EXPECT_EQ(exec::thread_count(), 1);
  exec::set_thread_count(0);
  EXPECT_GE(exec::thread_count(), 1);
}

}  // namespace marrow
