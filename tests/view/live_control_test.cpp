#include "view/live_control.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace marrow {
namespace {

using Action = LiveControl::Action;

// A run in a thread of its own, which counts its steps.
class LiveControlTest : public testing::Test {
 protected:
  void start(LiveControl& control) {
    thread_ = std::thread([&] {
      while (!control.wait_for_step([this] { return is_interrupted_.load(); })) {
        ++steps_;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      control.set_ended();
    });
  }
  ~LiveControlTest() override {
    is_interrupted_ = true;
    if (thread_.joinable()) thread_.join();
  }

  // Waits at most two seconds.
  template <class Condition>
  static bool eventually(const Condition& condition) {
    for (int tries = 0; tries < 2000 && !condition(); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
  }

  std::atomic<int> steps_{0};
  std::atomic<bool> is_interrupted_{false};
  std::thread thread_;
};

TEST_F(LiveControlTest, starts_paused_and_steps_one_by_one) {
  LiveControl control(true);
  start(control);
  for (int k = 1; k <= 3; ++k) {
    control.request(Action::Step);
    EXPECT_TRUE(eventually([&] { return steps_ == k; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(steps_, k);
  }
  EXPECT_EQ(control.state(), "paused");
  control.request(Action::Continue);
  EXPECT_TRUE(eventually([&] { return steps_ > 10; }));
  EXPECT_EQ(control.state(), "running");
  control.request(Action::Stop);
  EXPECT_TRUE(eventually([&] { return control.state() == "ended"; }));
}

TEST_F(LiveControlTest, pause_holds_a_run_and_stop_ends_a_paused_one) {
  LiveControl control;
  start(control);
  EXPECT_TRUE(eventually([&] { return steps_ > 2; }));
  control.request(Action::Pause);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const int steps = steps_;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(steps_, steps);
  control.request(Action::Stop);
  EXPECT_TRUE(eventually([&] { return control.state() == "ended"; }));
}

TEST_F(LiveControlTest, a_signal_ends_a_paused_run) {
  LiveControl control(true);
  start(control);
  is_interrupted_ = true;
  EXPECT_TRUE(eventually([&] { return control.state() == "ended"; }));
  EXPECT_EQ(steps_, 0);
}

TEST(LiveControlWords, only_four_are_known) {
  EXPECT_EQ(LiveControl::parse("pause"), Action::Pause);
  EXPECT_EQ(LiveControl::parse("stop"), Action::Stop);
  EXPECT_FALSE(LiveControl::parse("rm -rf"));
  EXPECT_FALSE(LiveControl::parse(""));
}

}  // namespace
}  // namespace marrow
