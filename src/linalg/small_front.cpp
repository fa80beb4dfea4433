#include "linalg/small_front.h"

#include <cmath>

namespace marrow {

// The compiler makes one version for each instruction set; sums are in the same order in all.
__attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"))) bool factorize_small_front(
    size_t width, size_t height, double* panel, double* update) {
  for (size_t j = 0; j < width; ++j) {
    double* own = panel + j * height;
    for (size_t k = 0; k < j; ++k) {
      const double* left = panel + k * height;
      const double factor = left[j];
      for (size_t i = j; i < height; ++i) own[i] -= factor * left[i];
    }
    if (!(own[j] > 0)) return false;
    const double inverse = 1 / std::sqrt(own[j]);
    for (size_t i = j; i < height; ++i) own[i] *= inverse;
  }
  const size_t rows = height - width;
  for (size_t c = 0; c < rows; ++c) {
    double* own = update + c * rows;
    for (size_t k = 0; k < width; ++k) {
      const double* left = panel + k * height + width;
      const double factor = left[c];
      for (size_t i = c; i < rows; ++i) own[i] -= factor * left[i];
    }
  }
  return true;
}

}  // namespace marrow
