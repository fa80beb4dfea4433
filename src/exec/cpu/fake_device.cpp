#include "exec/cpu/fake_device.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <vector>

#include "core/macros.h"

namespace marrow::exec::fake_device::backend {
namespace {

constexpr int kPoison = 0xFF;
// Freed memory is kept, poisoned, until there is more of it than this [bytes].
constexpr size_t kMostFreed = size_t{64} << 20;

// Whole pages of their own. The buffer ends where they end, and a page that nobody may touch follows.
struct Block {
  std::byte* pages;
  size_t page_bytes;
  size_t bytes;
  std::byte* data() const { return pages + page_bytes - bytes; }
};

struct Device {
  std::mutex mutex;
  std::vector<Block> blocks;
  std::deque<Block> freed;  // oldest first
  size_t freed_bytes = 0;
};

Device& device() {
  static Device instance;
  return instance;
}

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

void protect(const Block& block, int protection) {
  [[maybe_unused]] const int status = mprotect(block.pages, block.page_bytes, protection);
  MARROW_ASSERT(status == 0);
}

void poison(const Block& block) { std::memset(block.pages, kPoison, block.page_bytes); }

// Gives the oldest freed memory back to the system.
void forget_oldest(Device& d) {
  const Block oldest = d.freed.front();
  d.freed.pop_front();
  d.freed_bytes -= oldest.page_bytes;
  munmap(oldest.pages, oldest.page_bytes + page_size());
}

}  // namespace

bool has_device() { return true; }

std::string device_name() { return "fake device on the CPU"; }

void* allocate(size_t bytes) {
  const size_t page_bytes = (bytes + page_size() - 1) / page_size() * page_size();
  void* pages = mmap(nullptr, page_bytes + page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    throw std::runtime_error("fake device: no memory for " + std::to_string(bytes) + " bytes");
  }
  const Block block{static_cast<std::byte*>(pages), page_bytes, bytes};
  protect(block, PROT_READ | PROT_WRITE);
  poison(block);
  protect(block, PROT_NONE);
  const std::lock_guard lock(device().mutex);
  device().blocks.push_back(block);
  return block.data();
}

void release(void* memory) {
  Device& d = device();
  const std::lock_guard lock(d.mutex);
  const auto found =
      std::find_if(d.blocks.begin(), d.blocks.end(), [&](const Block& b) { return b.data() == memory; });
  MARROW_ASSERT(found != d.blocks.end());
  const Block block = *found;
  d.blocks.erase(found);
  protect(block, PROT_READ | PROT_WRITE);
  poison(block);
  protect(block, PROT_NONE);
  d.freed.push_back(block);
  d.freed_bytes += block.page_bytes;
  while (d.freed_bytes > kMostFreed) forget_oldest(d);
}

void copy_to_device(void* device, const void* host, size_t bytes) {
  const DeviceAccess access;
  std::memcpy(device, host, bytes);
}

void copy_to_host(void* host, const void* device, size_t bytes) {
  const DeviceAccess access;
  std::memcpy(host, device, bytes);
}

DeviceAccess::DeviceAccess() : lock_(device().mutex) {
  for (const Block& block : device().blocks) protect(block, PROT_READ | PROT_WRITE);
  for (const Block& block : device().freed) protect(block, PROT_READ);
}

DeviceAccess::~DeviceAccess() {
  for (const Block& block : device().blocks) protect(block, PROT_NONE);
  for (const Block& block : device().freed) protect(block, PROT_NONE);
}

}  // namespace marrow::exec::fake_device::backend
