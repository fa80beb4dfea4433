// Sums of patch energies for processors with AVX2. Nothing that other files use too is compiled behind the
// pragma.
#include "geometry/certificates/patch_sums.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

#pragma GCC target("avx2,fma")

#include "geometry/certificates/patch_sums_kernel.h"

namespace marrow::patch_sums {

Kernels make_avx2_kernels() { return {add_hinges, add_triangles}; }

}  // namespace marrow::patch_sums

#else

namespace marrow::patch_sums {

Kernels make_avx2_kernels() { return make_portable_kernels(); }

}  // namespace marrow::patch_sums

#endif
