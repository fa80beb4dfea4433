// How much memory there is, so that what does not fit is said before it is tried.
#pragma once

#include <string>

namespace marrow {

// What the process may use [bytes]: nine tenths of the machine's memory, or of its control group's limit if
// that is less. It does not depend on what others use, so that it stays the same while a machine is the same.
double memory_limit();

// What the process uses now [bytes].
double memory_in_use();

// "3.2 GB".
std::string format_memory(double bytes);

// The same limit from files as the system has them; infinity if they set none. For tests.
double read_group_limit(const std::string& membership_file, const std::string& root);

// While it lives, the limit is another one. For tests.
class FakeMemoryLimit {
 public:
  explicit FakeMemoryLimit(double bytes);
  ~FakeMemoryLimit();
  FakeMemoryLimit(const FakeMemoryLimit&) = delete;
  FakeMemoryLimit& operator=(const FakeMemoryLimit&) = delete;
};

}  // namespace marrow
