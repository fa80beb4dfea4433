// The fake device: a backend of exec/device.h that runs on the CPU and shows the mistakes a GPU would punish.
//
//   - Memory apart from the host's: outside copies and loops, touching it is a segmentation fault.
//   - Fresh memory is all 0xFF bytes: NaN as double, −1 as integer. A forgotten upload gives NaN.
//   - Freed memory is the same and read-only, for a while; then it is gone.
//   - Writing or reading past the end of a buffer is a segmentation fault.
//   - Loops run from the last index to the first, so bodies that count on the usual order fail.
//
// It cannot show a body that reads host memory: that works here and fails on a GPU.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#define MARROW_DEVICE_BACKEND fake_device

namespace marrow::exec {
inline namespace fake_device {
namespace backend {

bool has_device();
std::string device_name();

void* allocate(size_t bytes);
void release(void* memory);
void copy_to_device(void* device, const void* host, size_t bytes);
void copy_to_host(void* host, const void* device, size_t bytes);

// While one lives, this thread has the device for itself and its memory can be touched.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
};

template <class Body>
void run(const char* /*name*/, size_t count, const Body& body) {
  const Body sent = body;
  const DeviceAccess access;
  for (size_t i = count; i-- > 0;) sent(i);
}

}  // namespace backend
}  // namespace fake_device
}  // namespace marrow::exec
