// OpenBLAS as we use it: one thread a call, and the same kernels on every processor, so that both the number
// of threads and the processor leave the bits alone [D19].
#pragma once

#include <string>

namespace marrow {

// Before the first call of BLAS, LAPACK or CHOLMOD in every place that uses them; costs nothing after that.
// Must not run beside a call of theirs that somebody else makes.
void prepare_blas();

// Whose kernels are in use, by OpenBLAS's name of a processor: "Haswell" unless this one lacks AVX2 or FMA,
// or OPENBLAS_CORETYPE in the environment names another.
std::string name_blas_kernels();

// While any lives, in whatever thread, BLAS and OpenMP run on one thread, as we need them; then as the caller
// had them.
class BlasScope {
 public:
  BlasScope();
  ~BlasScope();
  BlasScope(const BlasScope&) = delete;
  BlasScope& operator=(const BlasScope&) = delete;
};

}  // namespace marrow
