// The device path on the fake device: kernels give the host's bits, and the fake device shows mistakes.
#include "exec/device.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/samples.h"

namespace marrow {
namespace {

struct DoubleBody {
  const double* input;
  double* result;
  void operator()(size_t i) const { result[i] = 2 * input[i]; }
};

// Right only if i − 1 comes before i, which no device promises.
struct RunningCountBody {
  int* counts;
  void operator()(size_t i) const { counts[i] = i == 0 ? 1 : counts[i - 1] + 1; }
};

struct VisitBody {
  int* visits;
  void operator()(size_t i) const { ++visits[i]; }
};

}  // namespace

TEST(Device, every_kernel_gives_the_bits_of_the_host) {
  for_each_kernel(2000, [](const auto& kernel, const auto& inputs) {
    using Kernel = std::decay_t<decltype(kernel)>;
    using Result = typename Kernel::Result;
    exec::DeviceBuffer<typename Kernel::Input> input(inputs.size());
    exec::DeviceBuffer<Result> result(inputs.size());
    input.upload(inputs);
    exec::device_for(Kernel::name, inputs.size(), MapBody<Kernel>{kernel, input.data(), result.data()});
    const std::vector<Result> found = result.download();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Result expected = kernel(inputs[i]);
      ASSERT_EQ(std::memcmp(static_cast<const void*>(&found[i]), &expected, sizeof(Result)), 0)
          << Kernel::name << ", sample " << i;
    }
  });
}

TEST(Device, every_index_is_visited_once) {
  for (const size_t count : {0u, 1u, 127u, 128u, 129u, 5000u}) {
    exec::DeviceBuffer<int> visits(count);
    visits.upload(std::vector<int>(count, 0));
    exec::device_for("test.visit", count, VisitBody{visits.data()});
    EXPECT_EQ(visits.download(), std::vector<int>(count, 1));
  }
}

TEST(Device, buffers_move_with_their_contents) {
  exec::DeviceBuffer<int> a(2), b(1);
  a.upload(std::vector<int>{3, 4});
  b = std::move(a);
  EXPECT_EQ(b.download(), (std::vector<int>{3, 4}));
}

TEST(Device, a_forgotten_upload_gives_nan) {
  exec::DeviceBuffer<double> input(3), result(3);
  exec::device_for("test.double", 3, DoubleBody{input.data(), result.data()});
  for (const double value : result.download()) EXPECT_TRUE(std::isnan(value));
}

TEST(Device, a_freed_buffer_reads_as_nan) {
  exec::DeviceBuffer<double> result(3);
  const double* dangling = nullptr;
  {
    exec::DeviceBuffer<double> input(3);
    input.upload(std::vector<double>{1, 2, 3});
    dangling = input.data();
  }
  exec::device_for("test.double", 3, DoubleBody{dangling, result.data()});
  for (const double value : result.download()) EXPECT_TRUE(std::isnan(value));
}

TEST(Device, a_body_that_counts_on_the_order_fails) {
  exec::DeviceBuffer<int> counts(4);
  counts.upload(std::vector<int>(4, 0));
  exec::device_for("test.running_count", 4, RunningCountBody{counts.data()});
  EXPECT_NE(counts.download(), (std::vector<int>{1, 2, 3, 4}));
}

TEST(DeviceDeathTest, the_host_cannot_touch_device_memory) {
  exec::DeviceBuffer<double> buffer(3);
  volatile double* values = buffer.data();
  EXPECT_DEATH(values[0] = 1, "");
  EXPECT_DEATH(values[0], "");
}

TEST(DeviceDeathTest, a_body_cannot_go_past_the_end_or_write_freed_memory) {
  exec::DeviceBuffer<int> visits(3);
  EXPECT_DEATH(exec::device_for("test.visit", 4, VisitBody{visits.data()}), "");
  int* dangling = exec::DeviceBuffer<int>(3).data();
  EXPECT_DEATH(exec::device_for("test.visit", 3, VisitBody{dangling}), "");
}

}  // namespace marrow
