// The text of a block of the local step, compiled once per instruction set (local_*.cpp). A tet's numbers do
// not depend on its neighbours in the block: what has converged stays as it is. So the width of the registers
// does not change a bit.
//
// Rotation: Newton's iteration for the polar decomposition, X ← ½ (γ X + X⁻ᵀ/γ), with γ the scaling of
// Higham 1986 (Computing the Polar Decomposition) while X is far. It ends in the rotation if det F > 0.
// Volume: D ← F + ((∇C:(D − F) − C)/|∇C|²) ∇C with C = det D − 1, ∇C = cof D: the closest point of the
// linearised constraint, again and again (Bouaziz et al. 2014, appendix).
#pragma once

#include <cstdint>

#include "math/lanes.h"

namespace marrow::local_step {

// Tets side by side. [derived: doubles in the widest registers]
inline constexpr int kBlock = 8;

// Iterations before a tet is left to project_tet. [speed only: all but inverted and very thin tets converge]
inline constexpr int kMostRotations = 8;
inline constexpr int kMostVolumes = 16;
// Newton's iteration ends when the change squared is below this: the next one would be below rounding, since
// it converges quadratically. [derived: (1e-8)² ≈ the square root of rounding]
inline constexpr double kLastRotation = 1e-16;
// The other converges linearly: what is left is of the order of the last change. [derived: (1e-8)², far below
// what an iteration of the stepper changes]
inline constexpr double kLastVolume = 1e-16;
// From this change squared on, steps are not scaled. [speed only]
inline constexpr double kScaledFrom = 0.01;
// F flatter than this, over its size cubed, is left to project_tet. [speed only]
inline constexpr double kFlat = 1e-6;

struct Block {
  const double* x;              // points
  const std::int32_t* corners;  // four times eight
  const double* gradients;      // nine times eight
  const double* weights;        // three times eight
  double free_stretch;          // |F − R| up to which all stretches are allowed; negative: no limits
  double* F;                    // nine times eight, row by row
  double* T;                    // Σ w P, likewise
};

template <class T>
struct Nine {
  T m[9];
};

template <class T>
Nine<T> cofactor(const Nine<T>& a) {
  const T* m = a.m;
  return {{m[4] * m[8] - m[5] * m[7], m[5] * m[6] - m[3] * m[8], m[3] * m[7] - m[4] * m[6],
           m[2] * m[7] - m[1] * m[8], m[0] * m[8] - m[2] * m[6], m[1] * m[6] - m[0] * m[7],
           m[1] * m[5] - m[2] * m[4], m[2] * m[3] - m[0] * m[5], m[0] * m[4] - m[1] * m[3]}};
}

template <class T>
T inner(const Nine<T>& a, const Nine<T>& b) {
  T sum = a.m[0] * b.m[0];
  for (int k = 1; k < 9; ++k) sum = sum + a.m[k] * b.m[k];
  return sum;
}

// The determinant from the first row of cofactors.
template <class T>
T expand(const Nine<T>& a, const Nine<T>& cof) {
  return a.m[0] * cof.m[0] + a.m[1] * cof.m[1] + a.m[2] * cof.m[2];
}

template <class T>
struct Projected {
  Nine<T> P;
  MaskOf<T> is_done;
};

template <class T>
Projected<T> find_rotation(const Nine<T>& F) {
  const T one(1), half(0.5), zero(0);
  Nine<T> cof = cofactor(F);
  T det = expand(F, cof);
  const T size = inner(F, F);
  // Flat and inverted tets are left out: they are done at once, and reported as not done.
  const auto is_good = det > T(kFlat) * size * square_root(size);
  auto is_open = is_good;
  Projected<T> result = {F, one < zero};
  T last = one;
  for (int k = 0; k < kMostRotations && is_any(is_open); ++k) {
    const T inverse = one / det;
    T gamma = one;
    if (is_any(last > T(kScaledFrom))) {
      const T bend = square_root(inner(cof, cof) / inner(result.P, result.P));
      gamma = select((last > T(kScaledFrom)) & (det > zero), square_root(bend * inverse), one);
    }
    const T a = half * gamma, b = half * inverse / gamma;
    Nine<T> next;
    T change = zero;
    for (int i = 0; i < 9; ++i) {
      next.m[i] = a * result.P.m[i] + b * cof.m[i];
      const T d = next.m[i] - result.P.m[i];
      change = change + d * d;
    }
    for (int i = 0; i < 9; ++i) result.P.m[i] = select(is_open, next.m[i], result.P.m[i]);
    const auto is_last = is_open & (change < T(kLastRotation));
    result.is_done = result.is_done | is_last;
    is_open = is_open & !is_last;
    last = change;
    cof = cofactor(result.P);
    det = expand(result.P, cof);
  }
  return result;
}

template <class T>
Projected<T> find_volume(const Nine<T>& F) {
  const T one(1), zero(0);
  Projected<T> result = {F, one < zero};
  auto is_open = zero < one;
  for (int k = 0; k < kMostVolumes && is_any(is_open); ++k) {
    const Nine<T> cof = cofactor(result.P);
    const T C = expand(result.P, cof) - one;
    const T steep = inner(cof, cof);
    T along = zero;
    for (int i = 0; i < 9; ++i) along = along + cof.m[i] * (result.P.m[i] - F.m[i]);
    const T factor = (along - C) / steep;
    T change = zero;
    Nine<T> next;
    for (int i = 0; i < 9; ++i) {
      next.m[i] = F.m[i] + factor * cof.m[i];
      const T d = next.m[i] - result.P.m[i];
      change = change + d * d;
    }
    for (int i = 0; i < 9; ++i) result.P.m[i] = select(is_open, next.m[i], result.P.m[i]);
    const auto is_last = is_open & (change < T(kLastVolume));
    result.is_done = result.is_done | is_last;
    is_open = is_open & !is_last;
  }
  return result;
}

template <int N, class Target>
Pack<N, Target> load(const double* from) {
  typename Pack<N, Target>::Values v;
  __builtin_memcpy(&v, from, sizeof v);
  return Pack<N, Target>(v);
}

template <int N, class Target>
void store(const Pack<N, Target>& v, double* to) {
  __builtin_memcpy(to, &v.values, sizeof v.values);
}

// F of the tets from the lane on, and where they are drawn. Returns a bit for each tet that is to be
// projected by itself.
template <int N, class Target>
std::uint8_t project_lanes(const Block& block, int lane) {
  using Value = Pack<N, Target>;
  const auto gather = [&](int corner, int c) {
    typename Value::Values v = {};
    for (int l = 0; l < N; ++l) v[l] = block.x[3 * block.corners[kBlock * corner + lane + l] + c];
    return Value(v);
  };
  Nine<Value> F;
  for (int c = 0; c < 3; ++c) {
    const Value x0 = gather(0, c);
    const Value e1 = gather(1, c) - x0, e2 = gather(2, c) - x0, e3 = gather(3, c) - x0;
    for (int k = 0; k < 3; ++k) {
      const auto g = [&](int corner) {
        return load<N, Target>(block.gradients + kBlock * (3 * corner + k) + lane);
      };
      F.m[3 * c + k] = e1 * g(0) + e2 * g(1) + e3 * g(2);
    }
  }
  const Projected<Value> R = find_rotation(F);
  auto is_done = R.is_done;
  Value weight = load<N, Target>(block.weights + lane);
  if (block.free_stretch >= 0) {
    Value strain(0);
    for (int i = 0; i < 9; ++i) strain = strain + (F.m[i] - R.P.m[i]) * (F.m[i] - R.P.m[i]);
    is_done = is_done & (strain <= Value(block.free_stretch * block.free_stretch));
  }
  Nine<Value> T;
  for (int i = 0; i < 9; ++i) T.m[i] = weight * R.P.m[i];
  if (block.free_stretch >= 0) {
    weight = load<N, Target>(block.weights + 2 * kBlock + lane);
    for (int i = 0; i < 9; ++i) T.m[i] = T.m[i] + weight * F.m[i];
  }
  weight = load<N, Target>(block.weights + kBlock + lane);
  if (is_any(weight > Value(0))) {
    const Projected<Value> D = find_volume(F);
    is_done = is_done & D.is_done;
    for (int i = 0; i < 9; ++i) T.m[i] = T.m[i] + weight * D.P.m[i];
  }
  for (int i = 0; i < 9; ++i) {
    store<N, Target>(F.m[i], block.F + kBlock * i + lane);
    store<N, Target>(T.m[i], block.T + kBlock * i + lane);
  }
  std::uint8_t singles = 0;
  for (int l = 0; l < N; ++l) {
    if (!is_done[l]) singles = static_cast<std::uint8_t>(singles | (1 << (lane + l)));
  }
  return singles;
}

template <int N, class Target>
std::uint8_t project_block(const Block& block) {
  std::uint8_t singles = 0;
  for (int lane = 0; lane < kBlock; lane += N) {
    singles = static_cast<std::uint8_t>(singles | project_lanes<N, Target>(block, lane));
  }
  return singles;
}

std::uint8_t project_portable(const Block& block);
std::uint8_t project_avx2(const Block& block);
std::uint8_t project_avx512(const Block& block);

}  // namespace marrow::local_step
