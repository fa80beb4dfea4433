// Projection of a small symmetric matrix of any size to the nearest positive semi-definite one.
#pragma once

#include "core/types.h"

namespace marrow {

// Clamps negative eigenvalues at zero; a matrix without any is returned unchanged.
MatX project_psd(const MatX& symmetric);

}  // namespace marrow
