#include "linalg/blas.h"

#include <cblas.h>
#include <dlfcn.h>

#include <cstdlib>
#include <mutex>

// How OpenBLAS chooses its kernels when it is loaded. It exports both, but installs no header for them; a
// library made for one processor only lacks them.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((weak)) void gotoblas_dynamic_init();
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((weak)) void gotoblas_dynamic_quit();

namespace marrow {
namespace {

// The oldest kernels with AVX2 and FMA. Those with AVX-512 sum in another order.
constexpr char kKernels[] = "Haswell";
constexpr char kVariable[] = "OPENBLAS_CORETYPE";

bool pin_kernels() {
  const bool is_able = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool is_chosen = std::getenv(kVariable) != nullptr;
  if (!is_able || is_chosen || gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr)
    return false;
  // The choice is made anew, and reads the environment.
  ::setenv(kVariable, kKernels, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kVariable);
  return true;
}

// OpenMP's levels; absent if the process has none.
int get_openmp_levels() {
  const auto get = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "omp_get_max_active_levels"));
  return get != nullptr ? get() : -1;
}

void set_openmp_levels(int levels) {
  const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  if (set != nullptr) set(levels);
}

// What the process had before the first of the scopes that live now.
struct CallerSettings {
  std::mutex mutex;
  int scopes = 0;
  int threads = 1;
  int levels = -1;  // of OpenMP; −1: there is none
};

CallerSettings& caller_settings() {
  static CallerSettings settings;
  return settings;
}

}  // namespace

BlasScope::BlasScope() {
  CallerSettings& caller = caller_settings();
  const std::lock_guard lock(caller.mutex);
  if (caller.scopes++ > 0) return;
  caller.threads = openblas_get_num_threads();
  caller.levels = get_openmp_levels();
  prepare_blas();
  openblas_set_num_threads(1);
}

BlasScope::~BlasScope() {
  CallerSettings& caller = caller_settings();
  const std::lock_guard lock(caller.mutex);
  if (--caller.scopes > 0) return;
  openblas_set_num_threads(caller.threads);
  if (caller.levels >= 0) set_openmp_levels(caller.levels);
}

void prepare_blas() {
  static const bool is_prepared = (pin_kernels(), openblas_set_num_threads(1), true);
  static_cast<void>(is_prepared);
}

std::string name_blas_kernels() {
  prepare_blas();
  return openblas_get_corename();
}

}  // namespace marrow
