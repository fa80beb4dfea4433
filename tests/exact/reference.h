// What the exact predicates are tested against: other methods, other arithmetic, no code in common.
//
//   BigInteger          schoolbook integers of 32-bit digits; doubles become integers by a shift of 1074 bits
//   hulls_meet          0 in the hull of all a − b, by Carathéodory: try every affinely independent subset
//   meet_beyond         all vertices of A∩B by solving for each pair of faces; is one outside the shared
//   part?
//
// The last two take small integer coordinates, for which 64-bit integers are exact.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/types.h"

namespace marrow::reference {

class BigInteger {
 public:
  BigInteger() = default;
  // value · 2^1074, an integer for every finite double.
  explicit BigInteger(double value) {
    int power = 0;
    auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(value), &power), 53));
    power += 1074 - 53;
    for (; power < 0; ++power) mantissa >>= 1;  // subnormal: these bits are 0
    negative_ = value < 0;
    digits_.assign(static_cast<size_t>(power) / 32 + 3, 0);
    for (int bit = 0; bit < 64; ++bit) {
      const int at = bit + power;
      if ((mantissa >> bit & 1) != 0) digits_[static_cast<size_t>(at) / 32] |= 1U << (at % 32);
    }
    trim();
  }

  int sign() const { return digits_.empty() ? 0 : negative_ ? -1 : 1; }

  friend BigInteger operator-(BigInteger a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b) {
    if (a.negative_ != b.negative_) return is_less(a, b) ? subtract(b, a) : subtract(a, b);
    BigInteger sum;
    sum.negative_ = a.negative_;
    std::uint64_t carry = 0;
    for (size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) + 1; ++i) {
      carry += std::uint64_t{a.digit(i)} + b.digit(i);
      sum.digits_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    sum.trim();
    return sum;
  }
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return a + (-b); }
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b) {
    BigInteger product;
    product.negative_ = a.negative_ != b.negative_;
    product.digits_.assign(a.digits_.size() + b.digits_.size() + 1, 0);
    for (size_t i = 0; i < a.digits_.size(); ++i) {
      std::uint64_t carry = 0;
      for (size_t j = 0; j <= b.digits_.size(); ++j) {
        carry += std::uint64_t{a.digits_[i]} * b.digit(j) + product.digits_[i + j];
        product.digits_[i + j] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    product.trim();
    return product;
  }

 private:
  std::uint32_t digit(size_t i) const { return i < digits_.size() ? digits_[i] : 0; }
  void trim() {
    while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  }
  // Of magnitudes.
  static bool is_less(const BigInteger& a, const BigInteger& b) {
    if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
    return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(),
                                        b.digits_.rend());
  }
  // Magnitude of a minus that of b, not negative; the sign is a's.
  static BigInteger subtract(const BigInteger& a, const BigInteger& b) {
    BigInteger difference = a;
    std::int64_t borrow = 0;
    for (size_t i = 0; i < a.digits_.size(); ++i) {
      const std::int64_t value = std::int64_t{a.digits_[i]} - b.digit(i) - borrow;
      borrow = value < 0 ? 1 : 0;
      difference.digits_[i] = static_cast<std::uint32_t>(value + (borrow << 32));
    }
    difference.trim();
    return difference;
  }

  bool negative_ = false;
  std::vector<std::uint32_t> digits_;  // lowest first
};

using IntVec = std::array<std::int64_t, 3>;

inline IntVec to_integers(const Vec3& v) {
  return {static_cast<std::int64_t>(v[0]), static_cast<std::int64_t>(v[1]), static_cast<std::int64_t>(v[2])};
}
inline IntVec minus(const IntVec& a, const IntVec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline IntVec cross(const IntVec& a, const IntVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline std::int64_t dot(const IntVec& a, const IntVec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline bool is_zero(const IntVec& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

inline bool has_origin(const IntVec& p, const IntVec& q) { return is_zero(cross(p, q)) && dot(p, q) <= 0; }

inline bool has_origin(const IntVec& p, const IntVec& q, const IntVec& r) {
  const IntVec n = cross(minus(q, p), minus(r, p));
  if (is_zero(n) || dot(n, p) != 0) return false;
  return dot(cross(p, q), n) >= 0 && dot(cross(q, r), n) >= 0 && dot(cross(r, p), n) >= 0;
}

inline bool has_origin(const IntVec& p, const IntVec& q, const IntVec& r, const IntVec& s) {
  const std::int64_t all = dot(cross(minus(q, p), minus(r, p)), minus(s, p));
  if (all == 0) return false;
  const std::int64_t turn = all > 0 ? 1 : -1;
  return turn * dot(cross(q, r), s) >= 0 && turn * dot(cross(p, r), s) <= 0 &&
         turn * dot(cross(p, q), s) >= 0 && turn * dot(cross(p, q), r) <= 0;
}

// Whether the hulls of the points a and of the points b have a point in common.
inline bool hulls_meet(const std::vector<IntVec>& a, const std::vector<IntVec>& b) {
  std::vector<IntVec> c;
  for (const IntVec& p : a) {
    for (const IntVec& q : b) c.push_back(minus(p, q));
  }
  for (size_t i = 0; i < c.size(); ++i) {
    if (is_zero(c[i])) return true;
    for (size_t j = i + 1; j < c.size(); ++j) {
      if (has_origin(c[i], c[j])) return true;
      for (size_t k = j + 1; k < c.size(); ++k) {
        if (has_origin(c[i], c[j], c[k])) return true;
        for (size_t l = k + 1; l < c.size(); ++l) {
          if (has_origin(c[i], c[j], c[k], c[l])) return true;
        }
      }
    }
  }
  return false;
}

// Solves M x = y in integers: x = numerators / denominator. M has 5 rows. False if not uniquely solvable.
struct Solution {
  std::array<std::int64_t, 6> numerators = {};
  std::int64_t denominator = 1;
};

inline bool solve(std::array<std::array<std::int64_t, 7>, 5> m, size_t unknowns, Solution& solution) {
  // Bareiss: fraction-free elimination to diagonal form.
  std::int64_t previous = 1;
  for (size_t k = 0; k < unknowns; ++k) {
    size_t pivot = k;
    while (pivot < 5 && m[pivot][k] == 0) ++pivot;
    if (pivot == 5) return false;
    std::swap(m[k], m[pivot]);
    for (size_t i = 0; i < 5; ++i) {
      if (i == k) continue;
      const std::int64_t factor = m[i][k];
      for (size_t j = 0; j <= unknowns; ++j) {
        m[i][j] = (m[i][j] * m[k][k] - factor * m[k][j]) / previous;
      }
    }
    previous = m[k][k];
  }
  for (size_t i = unknowns; i < 5; ++i) {
    if (m[i][unknowns] != 0) return false;
  }
  solution.denominator = previous;
  for (size_t k = 0; k < unknowns; ++k) solution.numerators[k] = m[k][unknowns];
  return true;
}

// Whether x / w lies in the hull of the shared points: none, one or two.
inline bool is_in_shared(const IntVec& x, std::int64_t w, const std::vector<IntVec>& shared) {
  if (shared.empty()) return false;
  const auto scaled = [&](const IntVec& p) { return IntVec{p[0] * w, p[1] * w, p[2] * w}; };
  const IntVec to_first = minus(x, scaled(shared[0]));
  if (shared.size() == 1) return is_zero(to_first);
  return has_origin(to_first, minus(x, scaled(shared[1])));
}

// Whether the hulls have a point in common outside the hull of the shared points.
inline bool meet_beyond(const std::vector<IntVec>& a, const std::vector<IntVec>& b,
                        const std::vector<IntVec>& shared) {
  for (unsigned face_a = 1; face_a < 1U << a.size(); ++face_a) {
    for (unsigned face_b = 1; face_b < 1U << b.size(); ++face_b) {
      // Weights l of the corners of one face, m of the other: Σ l a − Σ m b = 0, Σ l = 1, Σ m = 1.
      std::array<std::array<std::int64_t, 7>, 5> m = {};
      std::vector<IntVec> corners;
      size_t unknowns = 0;
      const auto add = [&](const std::vector<IntVec>& points, unsigned face, std::int64_t sign,
                           size_t sum_row) {
        for (size_t i = 0; i < points.size(); ++i) {
          if ((face >> i & 1) == 0) continue;
          for (size_t k = 0; k < 3; ++k) m[k][unknowns] = sign * points[i][k];
          m[sum_row][unknowns++] = 1;
          if (sign > 0) corners.push_back(points[i]);
        }
      };
      add(a, face_a, 1, 3);
      add(b, face_b, -1, 4);
      m[3][unknowns] = m[4][unknowns] = 1;
      Solution solution;
      if (unknowns > 5 || !solve(m, unknowns, solution)) continue;
      const std::int64_t turn = solution.denominator > 0 ? 1 : -1;
      bool is_inside = true;
      IntVec x = {0, 0, 0};
      for (size_t k = 0; k < unknowns; ++k) is_inside = is_inside && turn * solution.numerators[k] >= 0;
      if (!is_inside) continue;
      for (size_t i = 0; i < corners.size(); ++i) {
        for (size_t k = 0; k < 3; ++k) x[k] += turn * solution.numerators[i] * corners[i][k];
      }
      if (!is_in_shared(x, turn * solution.denominator, shared)) return true;
    }
  }
  return false;
}

}  // namespace marrow::reference
