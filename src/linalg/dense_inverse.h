// The inverse of a dense symmetric positive definite matrix, in place.
#pragma once

#include "core/types.h"

namespace marrow {

// False if the matrix is not positive definite to working precision; it is lost then. Only the lower triangle
// is read; all is written. May be called from many threads at once.
bool invert_positive_definite(MatX& A);

}  // namespace marrow
