#include "output/run/background.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace marrow {

TEST(Background, tasks_run_in_order_and_are_done_after_finish) {
  Background background;
  std::vector<int> done;
  for (int k = 0; k < 50; ++k) background.add([&done, k] { done.push_back(k); });
  background.finish();
  ASSERT_EQ(done.size(), 50u);
  for (int k = 0; k < 50; ++k) EXPECT_EQ(done[static_cast<size_t>(k)], k);
}

// Results of at most two steps are held: those that are being written, and those that wait.
TEST(Background, few_tasks_wait) {
  Background background;
  std::atomic<int> begun{0}, added{0};
  std::atomic<bool> may_end{false};
  std::thread adder([&] {
    for (int k = 0; k < 5; ++k) {
      background.add([&] {
        ++begun;
        while (!may_end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      });
      ++added;
    }
  });
  while (begun == 0 || added < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(added, 2);
  may_end = true;
  adder.join();
  background.finish();
  EXPECT_EQ(begun, 5);
}

TEST(Background, what_fails_is_thrown_once_and_later_tasks_are_dropped) {
  Background background;
  int done = 0;
  background.add([] { throw std::runtime_error("the disk is full"); });
  const auto find_error = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  };
  std::string error;
  for (int k = 0; k < 3 && error.empty(); ++k) {
    error = find_error([&] { background.add([&] { ++done; }); });
    if (error.empty()) error = find_error([&] { background.finish(); });
  }
  EXPECT_EQ(error, "the disk is full");
  EXPECT_EQ(find_error([&] { background.finish(); }), "");
  background.add([&] { ++done; });
  background.finish();
  EXPECT_GE(done, 1);
}

}  // namespace marrow
