// The text of compute_svd3 (svd3.h) for several matrices at once, compiled once per instruction set. Every
// number takes the same operations in the same order as there, so it has the same bits. A matrix that needs
// no rotation in a sweep needs none in later ones, so nothing has to be held while others go on.
#pragma once

#include <cstddef>

#include "math/lanes.h"

namespace marrow::svd_batch {

// Column by column, as matrices are stored.
struct Arguments {
  size_t count;
  const double* F;        // 9 numbers each
  double* results;        // U, s, V: 21 numbers each
  unsigned char* is_bad;  // out: to be decomposed by itself
};

inline constexpr double kLargest = 1.7976931348623157e308;

template <class Mask, class T>
inline Triple<T> select3(Mask mask, const Triple<T>& a, const Triple<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

template <class T>
inline MaskOf<T> rotate(Triple<T>& Ap, Triple<T>& Aq, Triple<T>& Vp, Triple<T>& Vq) {
  const T one(1), zero(0);
  const T a = dot(Ap, Ap), b = dot(Aq, Aq), c = dot(Ap, Aq);
  const auto is_needed = !(((c <= zero) & (c >= zero)) | (c * c <= T(1e-32) * a * b));
  if (!is_any(is_needed)) return is_needed;
  const T zeta = (b - a) / (T(2) * c);
  const T t = select(zeta >= zero, one, T(-1)) / (magnitude(zeta) + square_root(one + zeta * zeta));
  const T cosine = one / square_root(one + t * t);
  const T sine = cosine * t;
  const Triple<T> ap = Ap, vp = Vp;
  Ap = select3(is_needed, cosine * ap - sine * Aq, ap);
  Aq = select3(is_needed, sine * ap + cosine * Aq, Aq);
  Vp = select3(is_needed, cosine * vp - sine * Vq, vp);
  Vq = select3(is_needed, sine * vp + cosine * Vq, Vq);
  return is_needed;
}

template <class T>
inline void sort(Triple<T>& Ap, Triple<T>& Aq, Triple<T>& Vp, Triple<T>& Vq) {
  const auto is_shorter = dot(Ap, Ap) < dot(Aq, Aq);
  const Triple<T> ap = Ap, vp = Vp;
  Ap = select3(is_shorter, Aq, ap);
  Aq = select3(is_shorter, -ap, Aq);
  Vp = select3(is_shorter, Vq, vp);
  Vq = select3(is_shorter, -vp, Vq);
}

template <int N, class T>
void decompose(const Arguments& args) {
  alignas(64) double rows[21][N];
  const auto load = [&](int k) {
    typename T::Values values;
    for (int lane = 0; lane < N; ++lane) values[lane] = rows[k][lane];
    return T(values);
  };
  const auto load3 = [&](int k) { return Triple<T>{load(k), load(k + 1), load(k + 2)}; };
  for (size_t first = 0; first < args.count; first += N) {
    const int count = args.count - first < N ? static_cast<int>(args.count - first) : N;
    for (int lane = 0; lane < N; ++lane) {
      const double* F = args.F + 9 * (first + static_cast<size_t>(lane < count ? lane : 0));
      for (int k = 0; k < 9; ++k) rows[k][lane] = F[k];
    }
    const T zero(0), one(1);
    T scale = zero;
    for (int k = 0; k < 9; ++k) scale = larger(scale, magnitude(load(k)));
    Triple<T> A[3], V[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
    for (int k = 0; k < 3; ++k) {
      const Triple<T> column = load3(3 * k);
      A[k] = {column.x / scale, column.y / scale, column.z / scale};
    }
    for (int sweep = 0; sweep < 12; ++sweep) {
      const auto rotated_01 = rotate(A[0], A[1], V[0], V[1]);
      const auto rotated_02 = rotate(A[0], A[2], V[0], V[2]);
      const auto rotated_12 = rotate(A[1], A[2], V[1], V[2]);
      if (!is_any(rotated_01 | rotated_02 | rotated_12)) break;
    }
    sort(A[0], A[1], V[0], V[1]);
    sort(A[1], A[2], V[1], V[2]);
    sort(A[0], A[1], V[0], V[1]);
    const T s0 = square_root(dot(A[0], A[0]));
    const Triple<T> u0 = {A[0].x / s0, A[0].y / s0, A[0].z / s0};
    const Triple<T> rest = A[1] - dot(u0, A[1]) * u0;
    const T s1 = square_root(dot(rest, rest));
    const Triple<T> u1 = {rest.x / s1, rest.y / s1, rest.z / s1};
    const Triple<T> u2 = cross(u0, u1);
    const T s2 = dot(u2, A[2]);
    // A matrix of zeros, of something that is no number, or without a second direction.
    const auto is_good = (scale > zero) & (scale <= T(kLargest)) & (s1 > T(1e-300));
    const T results[21] = {u0.x,   u0.y,   u0.z,       u1.x,       u1.y,       u1.z,   u2.x,
                           u2.y,   u2.z,   scale * s0, scale * s1, scale * s2, V[0].x, V[0].y,
                           V[0].z, V[1].x, V[1].y,     V[1].z,     V[2].x,     V[2].y, V[2].z};
    for (int k = 0; k < 21; ++k) {
      for (int lane = 0; lane < N; ++lane) rows[k][lane] = results[k][lane];
    }
    for (int lane = 0; lane < count; ++lane) {
      const size_t at = first + static_cast<size_t>(lane);
      for (size_t k = 0; k < 21; ++k) args.results[21 * at + k] = rows[k][lane];
      args.is_bad[at] = is_good[lane] ? 0 : 1;
    }
  }
}

void decompose_portable(const Arguments& args);
void decompose_avx2(const Arguments& args);
void decompose_avx512(const Arguments& args);

}  // namespace marrow::svd_batch
