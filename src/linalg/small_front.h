// The elimination of a front so small that a call of BLAS would cost more than the work: OpenBLAS takes a
// lock for each, which threads wait for.
#pragma once

#include <cstddef>

namespace marrow {

// Up to this many rows. One thread alone hardly notices.
inline constexpr size_t kSmallFront = 36;

// panel: height × width, column by column, of which the lower triangle counts; becomes the factor. update:
// the lower triangle over the other rows, from which their part is taken. False if not positive definite.
bool factorize_small_front(size_t width, size_t height, double* panel, double* update);

}  // namespace marrow
