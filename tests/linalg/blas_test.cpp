// The same kernels of OpenBLAS on every processor that can run them.
#include "linalg/blas.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace marrow {

TEST(Blas, kernels_are_those_of_haswell_whatever_the_processor) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE chooses the kernels";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this processor has no AVX2 and FMA";
  }
  EXPECT_EQ(name_blas_kernels(), "Haswell");
  EXPECT_EQ(openblas_get_num_threads(), 1);
  // Nothing is left in the environment for programs that are started from here.
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr);
}

TEST(Blas, the_chosen_kernels_multiply) {
  prepare_blas();
  const double a[6] = {1, 2, 3, 4, 5, 6};
  double c[4] = {1, 1, 1, 1};
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, 2, 2, 3, 1.0, a, 2, a, 2, -1.0, c, 2);
  EXPECT_EQ(c[0], 34);
  EXPECT_EQ(c[1], 43);
  EXPECT_EQ(c[2], 43);
  EXPECT_EQ(c[3], 55);
}

}  // namespace marrow
