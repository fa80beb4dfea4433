// The inner loops of patch energies (patch_energy.h): sums over hinges and over triangles, on raw memory so
// that they can be compiled once per instruction set. How they are rounded depends on it, within the bounds
// of patch_energy.cpp; what is certified may, what is found does not.
#pragma once

#include <cstddef>
#include <cstdint>

namespace marrow::patch_sums {

// A PatchHinge as it lies in memory.
struct Hinge {
  std::int32_t vertices[4];
  double weights[3];
  double rest[3];
};

struct Moments {
  const std::int32_t* triangles;  // three places each
  const double* areas;
  const double* centroids;  // three each
  const double* middle;     // of x
};

struct Kernels {
  // Adds Σ ℓℓᵀ to H (xx xy xz yy yz zz) and Σ ℓ⁰ℓᵀ to B (by rows). x: three numbers a place.
  void (*add_hinges)(const Hinge* hinges, size_t count, const double* x, double* H, double* B);
  // Adds Σ m x to first and Σ m x Xᵀ (by rows) to second, of triangles [begin, end).
  void (*add_triangles)(const Moments& moments, size_t begin, size_t end, const double* x, double* first,
                        double* second);
};

Kernels make_portable_kernels();
Kernels make_avx2_kernels();

// The fastest that this processor runs.
const Kernels& choose_kernels();

}  // namespace marrow::patch_sums
