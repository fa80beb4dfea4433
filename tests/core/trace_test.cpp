#include "core/trace.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/options.h"
#include "core/progress.h"

namespace marrow {

TEST(Trace, totals_add_up_by_name_and_are_taken_once) {
  trace::take_totals();
  for (int i = 0; i < 2; ++i) {
    const trace::Scope scope("test.sleep");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const auto totals = trace::take_totals();
  ASSERT_EQ(totals.count("test.sleep"), 1u);
  EXPECT_GE(totals.at("test.sleep"), 0.009);
  EXPECT_TRUE(trace::take_totals().empty());
}

TEST(Trace, chrome_export_lists_recorded_events) {
  trace::start_recording();
  { const trace::Scope scope("test.event"); }
  const std::string text = trace::export_chrome_trace();
  EXPECT_NE(text.find("\"name\":\"test.event\""), std::string::npos);
  EXPECT_NE(text.find("\"ph\":\"X\""), std::string::npos);
  trace::start_recording(0);
}

TEST(Progress, estimate_follows_the_recent_pace) {
  ProgressEstimate progress(0, 100);
  for (int i = 0; i < 50; ++i) progress.add_unit(1.0);
  EXPECT_NEAR(progress.seconds_left(), 50, 1e-9);
  for (int i = 0; i < 40; ++i) progress.add_unit(10.0);
  EXPECT_GT(progress.seconds_left(), 80);
  EXPECT_EQ(progress.done(), 90);
}

TEST(Progress, durations_read_well) {
  EXPECT_EQ(format_duration(0.24), "0.2 s");
  EXPECT_EQ(format_duration(45.2), "45 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(7500), "2 h 05 min");
}

TEST(Options, range_is_explained) {
  EXPECT_EQ(explain_range({.above = 0}, 0), "must be above 0");
  EXPECT_EQ(explain_range({.above = 0}, 1), "");
  EXPECT_EQ(explain_range({.below = 0.5}, 0.5), "must be below 0.5");
  EXPECT_EQ(explain_range({.at_least = 1}, 0), "must be at least 1");
  EXPECT_EQ(explain_range({.at_most = 1}, 2), "must be at most 1");
  EXPECT_EQ(explain_range({}, std::numeric_limits<double>::quiet_NaN()), "must be a finite number");
}

}  // namespace marrow
