#include "core/activity.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace marrow {
namespace {

TEST(ActivityTest, TheNewestIsWhatGoesOn) {
  EXPECT_EQ(current_activity().what, "");
  {
    const Activity outer("preparing body 2 of 3");
    EXPECT_EQ(current_activity().what, "preparing body 2 of 3");
    {
      Activity inner("making a.medial");
      inner.enter_part(2, 5, "medial axis");
      EXPECT_EQ(current_activity().what, "making a.medial, 2 of 5: medial axis");
      inner.enter_part(3, 5, "weights");
      EXPECT_EQ(current_activity().what, "making a.medial, 3 of 5: weights");
      EXPECT_GE(current_activity().seconds, 0);
    }
    EXPECT_EQ(current_activity().what, "preparing body 2 of 3");
  }
  EXPECT_EQ(current_activity().what, "");
}

TEST(ActivityTest, ThreadsMayEndInAnyOrder) {
  auto first = std::make_unique<Activity>("first");
  std::unique_ptr<Activity> second;
  std::thread([&] { second = std::make_unique<Activity>("second"); }).join();
  EXPECT_EQ(current_activity().what, "second");
  first.reset();
  EXPECT_EQ(current_activity().what, "second");
  second.reset();
  EXPECT_EQ(current_activity().what, "");
}

}  // namespace
}  // namespace marrow
