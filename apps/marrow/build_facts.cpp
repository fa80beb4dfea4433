#include "marrow/build_facts.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <thread>

namespace marrow {

std::string describe_build() {
  const std::string commit = MARROW_COMMIT;
  const auto answer = [](int supported) { return supported != 0 ? "yes" : "no"; };
  return fmt::format(
      "marrow {}{}\n"
      "built as {} by {} {}, with Eigen {}.{}.{} and fmt {}.{}.{}\n"
      "this machine: {} threads, AVX2 and FMA {}, AVX-512 {}",
      MARROW_VERSION, commit.empty() ? "" : ", commit " + commit, MARROW_BUILD_TYPE, MARROW_COMPILER,
      __VERSION__, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, FMT_VERSION / 10000,
      FMT_VERSION / 100 % 100, FMT_VERSION % 100, std::thread::hardware_concurrency(),
      answer(static_cast<int>(__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)),
      answer(__builtin_cpu_supports("avx512f")));
}

}  // namespace marrow
