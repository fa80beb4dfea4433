// Exact arithmetic on what doubles can make by sums and products.
//
// Problem: the sign of a polynomial in doubles, without any rounding and for every finite input, subnormal
// and huge ones included.
//
// A number is ±m·2^(64·e) with m a natural number of any length, kept as 64-bit limbs, lowest first. A double
// has at most two limbs; sums and products stay in the set, so they are exact, and no exponent can run out
// (|e| < 2³¹ is far beyond what a bounded number of operations reaches). Because exponents count whole limbs,
// aligning two numbers is a matter of an offset.
//
// Why not expansions of doubles (Shewchuk 1997): their exponent range is that of double, so a product of
// three tiny differences underflows unnoticed, and the sign of a cubic at a bisected time needs more
// components than they handle well. The floating filter in front (predicates.h) is his.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace marrow {

class ExactNumber {
 public:
  ExactNumber() = default;
  // Every finite double, exactly. Implicit: formulas mix both.
  ExactNumber(double value);  // NOLINT(google-explicit-constructor)

  // −1, 0 or 1.
  int sign() const { return sign_; }

  ExactNumber operator-() const;
  friend ExactNumber operator+(const ExactNumber& a, const ExactNumber& b);
  friend ExactNumber operator-(const ExactNumber& a, const ExactNumber& b);
  friend ExactNumber operator*(const ExactNumber& a, const ExactNumber& b);

  // A double within three units in the last place, or ±infinity or 0 beyond the range of double. For
  // proposals and messages only.
  double approximate() const;

  // The number of limbs; how much work it is to compute with.
  size_t limb_count() const { return size_; }

 private:
  using Limb = std::uint64_t;
  static constexpr size_t kInline = 10;

  const Limb* limbs() const { return size_ <= kInline ? small_.data() : large_.data(); }
  Limb* resize(size_t size);
  // The limb worth 2^(64·position), 0 outside.
  Limb limb_at(int position) const;
  int end() const { return exponent_ + static_cast<int>(size_); }
  // Drops zero limbs at both ends.
  void trim();

  static int compare_magnitudes(const ExactNumber& a, const ExactNumber& b);
  static ExactNumber add_magnitudes(const ExactNumber& a, const ExactNumber& b);
  static ExactNumber subtract_magnitudes(const ExactNumber& a, const ExactNumber& b);  // |a| ≥ |b|

  int sign_ = 0;
  int exponent_ = 0;  // e
  size_t size_ = 0;
  std::array<Limb, kInline> small_;  // the first size_ are set, if they are at most kInline
  std::vector<Limb> large_;          // all limbs, if they are more
};

inline bool operator==(const ExactNumber& a, const ExactNumber& b) { return (a - b).sign() == 0; }
inline bool operator<(const ExactNumber& a, const ExactNumber& b) { return (a - b).sign() < 0; }
inline bool operator<=(const ExactNumber& a, const ExactNumber& b) { return (a - b).sign() <= 0; }

}  // namespace marrow
