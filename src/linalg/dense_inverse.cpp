#include "linalg/dense_inverse.h"

#include "core/macros.h"
#include "linalg/blas.h"

// LAPACK's Fortran interface, of which Debian's OpenBLAS installs no header; the last is a string's length.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dpotri_(const char* uplo, const int* n, double* a, const int* lda, int* info, size_t);

namespace marrow {

bool invert_positive_definite(MatX& A) {
  MARROW_ASSERT(A.rows() == A.cols());
  prepare_blas();
  const auto size = static_cast<int>(A.rows());
  if (size == 0) return true;
  int info = 0;
  dpotrf_("L", &size, A.data(), &size, &info, 1);
  if (info != 0) return false;
  dpotri_("L", &size, A.data(), &size, &info, 1);
  if (info != 0) return false;
  A.triangularView<Eigen::StrictlyUpper>() = A.transpose();
  return true;
}

}  // namespace marrow
