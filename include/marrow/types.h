// Plain types of the interface: nothing here depends on how the caller's code is compiled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <marrow/namespace.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  using Vec3 = std::array<double, 3>;
  using Triangle = std::array<std::int32_t, 3>;  // numbers of points, counterclockwise from outside
  using Tet = std::array<std::int32_t, 4>;

  // Input that cannot be used: what is wrong, where, and what to do about it.
  class InputError : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

  // "0.1.0"
  std::string get_version();

  // Threads of all work in this process from now on; 0: as many as there are cores. Results do not depend on
  // it.
  void set_thread_count(int count);

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
