#include "core/memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>

namespace marrow {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

// The rest is for the system and other programs. More: runs that end for lack of memory without a word.
// [safety net]
constexpr double kUsable = 0.9;

std::atomic<double> fake_limit{0};  // 0: none

// The number in a file; no limit if there is no such file or it says "max".
double read_limit(const std::string& path) {
  std::ifstream file(path);
  double bytes = 0;
  return file >> bytes ? bytes : kNoLimit;
}

// The least limit of a group and the groups it lies in.
double read_limits_upwards(const std::string& root, std::string group, const std::string& name) {
  double least = read_limit(root + "/" + name);
  while (group.size() > 1) {
    least = std::min(least, read_limit(std::string(root).append(group).append("/").append(name)));
    group.resize(group.rfind('/'));
  }
  return least;
}

double read_machine_limit() {
  const double physical =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return kUsable * std::min(physical, read_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
}

}  // namespace

double read_group_limit(const std::string& membership_file, const std::string& root) {
  // Lines "0::/group" (version 2) or "4:memory:/group" (version 1).
  std::ifstream file(membership_file);
  double least = read_limit(root + "/memory.max");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      group = line.substr(second + 1);
    if (controllers.empty()) {
      least = std::min(least, read_limits_upwards(root, group, "memory.max"));
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      least = std::min(least, read_limits_upwards(root + "/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

double memory_limit() {
  if (const double fake = fake_limit; fake > 0) return fake;
  static const double limit = read_machine_limit();
  return limit;
}

double memory_in_use() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  if (!(file >> all >> resident)) return 0;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string format_memory(double bytes) { return fmt::format("{:.2g} GB", bytes * 1e-9); }

FakeMemoryLimit::FakeMemoryLimit(double bytes) { fake_limit = bytes; }
FakeMemoryLimit::~FakeMemoryLimit() { fake_limit = 0; }

}  // namespace marrow
