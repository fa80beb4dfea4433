#include "exec/cuda/cuda_device.h"

#include <cuda_runtime.h>

#include <stdexcept>

namespace marrow::exec::cuda_device::backend {
namespace {

void check(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // told here, so not again by the next loop
  throw std::runtime_error(what + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")");
}

}  // namespace

bool has_device() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count > 0;
  cudaGetLastError();
  return false;
}

std::string device_name() {
  int device = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "the current device");
  check(cudaGetDeviceProperties(&properties, device), "properties of device " + std::to_string(device));
  return properties.name;
}

void* allocate(size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "device memory of " + std::to_string(bytes) + " bytes");
  return memory;
}

// Called by destructors, which must not throw: an error of an earlier loop that shows here shows again
// elsewhere.
void release(void* memory) { cudaFree(memory); }

void copy_to_device(void* device, const void* host, size_t bytes) {
  check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

void copy_to_host(void* host, const void* device, size_t bytes) {
  check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

void finish(const char* name) {
  check(cudaGetLastError(), std::string("start of ") + name);
  check(cudaStreamSynchronize(nullptr), name);
}

}  // namespace marrow::exec::cuda_device::backend
