#include "geometry/certificates/patch_sums_kernel.h"

namespace marrow::patch_sums {

Kernels make_portable_kernels() { return {add_hinges, add_triangles}; }

const Kernels& choose_kernels() {
  static const Kernels kernels = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
                                     ? make_avx2_kernels()
                                     : make_portable_kernels();
  return kernels;
}

}  // namespace marrow::patch_sums
