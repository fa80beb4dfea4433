// The CUDA backend of exec/device.h: the current GPU and its default stream. For files compiled by nvcc,
// which reads this first; they include exec/device.h only.
#pragma once

#include <cstddef>
#include <string>

#define MARROW_DEVICE_BACKEND cuda_device

namespace marrow::exec {
inline namespace cuda_device {
namespace backend {

bool has_device();
std::string device_name();

void* allocate(size_t bytes);
void release(void* memory);
void copy_to_device(void* device, const void* host, size_t bytes);
void copy_to_host(void* host, const void* device, size_t bytes);

// Waits for the loop just started; throws what went wrong in it.
void finish(const char* name);

inline constexpr unsigned kThreadsPerBlock = 128;

template <class Body>
__global__ void call_body(size_t count, Body body) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) body(i);
}

template <class Body>
void run(const char* name, size_t count, const Body& body) {
  const size_t blocks = (count + kThreadsPerBlock - 1) / kThreadsPerBlock;
  call_body<<<static_cast<unsigned>(blocks), kThreadsPerBlock>>>(count, body);
  finish(name);
}

}  // namespace backend
}  // namespace cuda_device
}  // namespace marrow::exec
