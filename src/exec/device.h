// Loops and memory on a device, written once for every device.
//
//   DeviceBuffer<double> values(n);
//   values.upload(host_values);
//   device_for("scale", n, ScaleBody{values.data()});   // a functor with MARROW_HD void operator()(size_t i)
//   const host_values = values.download();
//
// nvcc reads exec/cuda/cuda_device.h before any other file (the target marrow_exec_cuda says so to it) and
// gets the GPU. Every other compiler gets the fake device, which is the CPU made as unforgiving as a GPU, so
// that the tests run the device path everywhere. A backend is the namespace named MARROW_DEVICE_BACKEND;
// being part of every name here, it keeps the two apart in a program that holds both.
//
// All calls wait until the device is done. What fails on the device is a std::runtime_error.
#pragma once

#if !defined(MARROW_DEVICE_BACKEND) && defined(__NVCC__)
#error "a file compiled by nvcc links marrow_exec_cuda, which brings the backend"
#elif !defined(MARROW_DEVICE_BACKEND)
#include "exec/cpu/fake_device.h"
#endif

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/macros.h"
#include "core/trace.h"

namespace marrow::exec {
inline namespace MARROW_DEVICE_BACKEND {

// Whether this machine has such a device. Without one everything else here throws.
inline bool has_device() { return backend::has_device(); }
inline std::string device_name() { return backend::device_name(); }

// A fixed number of elements in device memory, undefined until uploaded or written by a loop.
template <class T>
class DeviceBuffer {
  // What may be copied byte by byte. Eigen 3.4's fixed-size matrices may, though the language does not call
  // them trivially copyable.
  static_assert(std::is_standard_layout_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit DeviceBuffer(size_t size)
      : size_(size), data_(size == 0 ? nullptr : static_cast<T*>(backend::allocate(size * sizeof(T)))) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_ != nullptr) backend::release(data_);
  }

  size_t size() const { return size_; }

  // Addresses on the device: for loop bodies, not for the host.
  T* data() { return data_; }
  const T* data() const { return data_; }

  void upload(std::span<const T> values) {
    MARROW_ASSERT(values.size() == size_);
    if (size_ > 0) backend::copy_to_device(data_, values.data(), size_ * sizeof(T));
  }

  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ > 0) backend::copy_to_host(values.data(), data_, size_ * sizeof(T));
    return values;
  }

 private:
  size_t size_;
  T* data_;
};

// Calls body(i) for every i in [0, count) on the device, in any order. The body goes there as bytes; it must
// not throw, and holds device addresses only. The name must be a string literal; the trace and errors show
// it.
template <class Body>
void device_for(const char* name, size_t count, const Body& body) {
  static_assert(std::is_trivially_copyable_v<Body>);
  if (count == 0) return;
  const trace::Scope scope(name);
  backend::run(name, count, body);
}

}  // namespace MARROW_DEVICE_BACKEND
}  // namespace marrow::exec
