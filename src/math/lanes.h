// One text for one number and for several at once. Kernels are templates over a number type T:
//
//   double            one query, on host and device
//   Pack<N, Target>   N queries side by side
//   DoubleDouble      one query with 31 digits, where double precision cannot decide (double_double.h)
//   Quad              the last resort: 113 bits in software (host only)
//
// A comparison gives a mask, select(mask, a, b) picks by it; the mask of one number is a bool.
//
// Target is a type of the file that uses the pack. Files compiled for different instruction sets use
// different targets, so that the linker never takes code for one from the other.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/macros.h"

namespace marrow {

MARROW_HD inline double select(bool mask, double a, double b) { return mask ? a : b; }
MARROW_HD inline double square_root(double a) { return std::sqrt(a); }
MARROW_HD inline bool is_any(bool mask) { return mask; }

#if !defined(MARROW_DEVICE_COMPILER)

using Quad = __float128;

inline Quad select(bool mask, Quad a, Quad b) { return mask ? a : b; }

// Two Newton steps double the digits of the double result twice.
inline Quad square_root(Quad a) {
  if (!(a > 0)) return 0;
  Quad x = std::sqrt(static_cast<double>(a));
  if (!(x > 0)) return 0;
  for (int i = 0; i < 3; ++i) x = (x + a / x) / 2;
  return x;
}

// N doubles and N masks in registers (GCC and clang vector types; the size must be a literal).
template <int N>
struct Registers;
template <>
struct Registers<2> {
  typedef double Values __attribute__((vector_size(16)));
  typedef std::int64_t Bits __attribute__((vector_size(16)));
};
template <>
struct Registers<4> {
  typedef double Values __attribute__((vector_size(32)));
  typedef std::int64_t Bits __attribute__((vector_size(32)));
};
template <>
struct Registers<8> {
  typedef double Values __attribute__((vector_size(64)));
  typedef std::int64_t Bits __attribute__((vector_size(64)));
};

template <int N, class Target>
struct Pack {
  using Values = typename Registers<N>::Values;
  using Bits = typename Registers<N>::Bits;

  struct Mask {
    Bits bits;
    friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
    friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
    friend Mask operator!(Mask a) { return {~a.bits}; }
    bool operator[](int i) const { return bits[i] != 0; }
  };

  Values values;

  Pack() = default;
  Pack(double a) : values(Values{} + a) {}  // NOLINT: numbers mix with packs as they do with doubles
  explicit Pack(Values v) : values(v) {}

  double operator[](int i) const { return values[i]; }

  friend Pack operator+(Pack a, Pack b) { return Pack(a.values + b.values); }
  friend Pack operator-(Pack a, Pack b) { return Pack(a.values - b.values); }
  friend Pack operator*(Pack a, Pack b) { return Pack(a.values * b.values); }
  friend Pack operator/(Pack a, Pack b) { return Pack(a.values / b.values); }
  friend Pack operator-(Pack a) { return Pack(-a.values); }
  friend Mask operator<(Pack a, Pack b) { return {a.values < b.values}; }
  friend Mask operator>(Pack a, Pack b) { return {a.values > b.values}; }
  friend Mask operator<=(Pack a, Pack b) { return {a.values <= b.values}; }
  friend Mask operator>=(Pack a, Pack b) { return {a.values >= b.values}; }

  friend Pack select(Mask mask, Pack a, Pack b) { return Pack(mask.bits ? a.values : b.values); }
  friend Pack square_root(Pack a) {
    for (int i = 0; i < N; ++i) a.values[i] = std::sqrt(a.values[i]);
    return a;
  }
  friend bool is_any(Mask mask) {
    std::int64_t any = 0;
    for (int i = 0; i < N; ++i) any |= mask.bits[i];
    return any != 0;
  }
};

#endif

template <class T>
using MaskOf = decltype(T(0) < T(0));

template <class T>
MARROW_HD T smaller(T a, T b) {
  return select(b < a, b, a);
}
template <class T>
MARROW_HD T larger(T a, T b) {
  return select(a < b, b, a);
}
template <class T>
MARROW_HD T magnitude(T a) {
  return larger(a, -a);
}

// A point or direction over any number type.
template <class T>
struct Triple {
  T x, y, z;

  friend MARROW_HD Triple operator+(Triple a, Triple b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend MARROW_HD Triple operator-(Triple a, Triple b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend MARROW_HD Triple operator-(Triple a) { return {-a.x, -a.y, -a.z}; }
  friend MARROW_HD Triple operator*(T s, Triple a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class T>
MARROW_HD T dot(const Triple<T>& a, const Triple<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
MARROW_HD Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
MARROW_HD T largest_coordinate(const Triple<T>& a) {
  return larger(magnitude(a.x), larger(magnitude(a.y), magnitude(a.z)));
}

}  // namespace marrow
