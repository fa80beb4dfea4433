// A guarded law keeps its volume: it is the law itself, plus a barrier against flat elements if the law has
// none.
//
//   Ψ_guarded(F) = Ψ(F) + k Ĵ² b(J/Ĵ),   J = det F,   b(x) = −(x − 1)² ln x for x < 1, else 0
//
// Laws that are finite at J = 0 (St. Venant–Kirchhoff most of all, which even softens under compression) have
// no minimum inside the valid shapes once they are pressed hard: elements would shrink without end, and
// Newton with them. b is zero, with two derivatives, above Ĵ = 0.1: a tenth of the volume at rest, below
// which none of these laws has a meaning. k = λ + 2μ makes the guard as stiff as the material.
//
// In the frame of the stretches a function of J has (docs/models/elasticity.md; i, j, k all different)
//   scaling  b″ (J/s_i)(J/s_j) + b′ s_k (i ≠ j),   twist  b′ s_k,   flip  −b′ s_k
#pragma once

#include "math/barrier_function.h"
#include "potentials/materials/stretch_hessian.h"

namespace marrow {

// The volume ratio Ĵ. More: laws change at less compression. [derived: above, no law means anything below a
// tenth]
inline constexpr double kGuardedVolume = 0.1;

template <class Law>
struct VolumeGuard {
  Law law;
  double stiffness;  // k [Pa]

  MARROW_HD double energy(const Mat3& F) const {
    const double x = F.determinant() / kGuardedVolume;
    const double own = law.energy(F);
    return x >= 1 ? own : own + stiffness * kGuardedVolume * kGuardedVolume * compute_barrier_value(x);
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    const double x = F.determinant() / kGuardedVolume;
    const Mat3 own = law.stress(F);
    if (x >= 1) return own;
    return own + (stiffness * kGuardedVolume * compute_barrier_function(x).first) * compute_cofactor(F);
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    StretchHessian h = law.stretch_hessian(s);
    const double x = s.prod() / kGuardedVolume;
    if (x >= 1) return h;
    const BarrierFunction b = compute_barrier_function(x);
    const double first = stiffness * kGuardedVolume * b.first, second = stiffness * b.second;
    const Vec3 dJ_ds(s[1] * s[2], s[2] * s[0], s[0] * s[1]);
    h.scaling += second * dJ_ds * dJ_ds.transpose();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      h.scaling(i, j) += first * s[k];
      h.scaling(j, i) += first * s[k];
      h.twist[k] += first * s[k];
      h.flip[k] -= first * s[k];
    }
    return h;
  }
};

}  // namespace marrow
