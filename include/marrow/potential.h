// Energies of your own, over points of a body: E = Σ over elements of evaluate(element, x), x the element's
// points.
#pragma once

#include <cstddef>
#include <span>

#include <marrow/types.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  class Potential {
   public:
    virtual ~Potential() = default;

    // The energy of one element [J]. gradient: one vector per point, or empty if not asked for; hessian: 3k ×
    // 3k numbers for k points, row by row, or empty. Both are 0 when given. The Hessian need not be positive
    // definite: it is projected. An infinite energy says that x is not allowed. Called by one thread at a
    // time.
    virtual double evaluate(std::size_t element, std::span<const Vec3> x, std::span<Vec3> gradient,
                            std::span<double> hessian) const = 0;
  };

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
