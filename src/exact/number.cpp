#include "exact/number.h"

#include <algorithm>
#include <cmath>

#include "core/macros.h"

namespace marrow {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kLimbBits = 64;

}  // namespace

ExactNumber::ExactNumber(double value) {
  MARROW_ASSERT(std::isfinite(value));
  if (value == 0) return;
  sign_ = value < 0 ? -1 : 1;
  // |value| = mantissa · 2^power with an integer mantissa of 53 bits.
  int power = 0;
  const double fraction = std::frexp(std::abs(value), &power);
  const Limb mantissa = static_cast<Limb>(std::ldexp(fraction, 53));
  power -= 53;
  // Shift so that the rest of the power is a whole number of limbs (floor division).
  exponent_ = power >= 0 ? power / kLimbBits : -((-power + kLimbBits - 1) / kLimbBits);
  const Wide shifted = static_cast<Wide>(mantissa) << (power - exponent_ * kLimbBits);
  size_ = 2;
  small_[0] = static_cast<Limb>(shifted);
  small_[1] = static_cast<Limb>(shifted >> kLimbBits);
  trim();
}

ExactNumber::Limb* ExactNumber::resize(size_t size) {
  size_ = size;
  if (size <= kInline) return small_.data();
  large_.assign(size, 0);
  return large_.data();
}

ExactNumber::Limb ExactNumber::limb_at(int position) const {
  return position < exponent_ || position >= end() ? 0 : limbs()[position - exponent_];
}

void ExactNumber::trim() {
  const Limb* from = limbs();
  size_t low = 0;
  size_t high = size_;
  while (high > 0 && from[high - 1] == 0) --high;
  while (low < high && from[low] == 0) ++low;
  if (low == 0 && high == size_) return;
  const size_t size = high - low;
  if (size <= kInline) {
    std::copy(from + low, from + high, small_.data());
    large_.clear();
  } else {
    std::copy(from + low, from + high, large_.data());
    large_.resize(size);
  }
  size_ = size;
  exponent_ = size == 0 ? 0 : exponent_ + static_cast<int>(low);
  if (size == 0) sign_ = 0;
}

int ExactNumber::compare_magnitudes(const ExactNumber& a, const ExactNumber& b) {
  // Both are trimmed: the top limb is not zero.
  if (a.size_ == 0 || b.size_ == 0) return static_cast<int>(a.size_ > 0) - static_cast<int>(b.size_ > 0);
  if (a.end() != b.end()) return a.end() < b.end() ? -1 : 1;
  const int bottom = std::min(a.exponent_, b.exponent_);
  for (int i = a.end() - 1; i >= bottom; --i) {
    const Limb x = a.limb_at(i);
    const Limb y = b.limb_at(i);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

ExactNumber ExactNumber::add_magnitudes(const ExactNumber& a, const ExactNumber& b) {
  ExactNumber sum;
  sum.sign_ = 1;
  sum.exponent_ = std::min(a.exponent_, b.exponent_);
  const size_t size = static_cast<size_t>(std::max(a.end(), b.end()) - sum.exponent_) + 1;
  Limb* to = sum.resize(size);
  Wide carry = 0;
  for (size_t i = 0; i < size; ++i) {
    const int position = sum.exponent_ + static_cast<int>(i);
    carry += static_cast<Wide>(a.limb_at(position)) + b.limb_at(position);
    to[i] = static_cast<Limb>(carry);
    carry >>= kLimbBits;
  }
  sum.trim();
  return sum;
}

ExactNumber ExactNumber::subtract_magnitudes(const ExactNumber& a, const ExactNumber& b) {
  ExactNumber difference;
  difference.sign_ = 1;
  difference.exponent_ = std::min(a.exponent_, b.exponent_);
  const size_t size = static_cast<size_t>(a.end() - difference.exponent_);
  Limb* to = difference.resize(size);
  Limb borrow = 0;
  for (size_t i = 0; i < size; ++i) {
    const int position = difference.exponent_ + static_cast<int>(i);
    const Wide take = static_cast<Wide>(b.limb_at(position)) + borrow;
    const Limb from = a.limb_at(position);
    to[i] = from - static_cast<Limb>(take);
    borrow = from < take ? 1 : 0;
  }
  difference.trim();
  return difference;
}

ExactNumber ExactNumber::operator-() const {
  ExactNumber result = *this;
  result.sign_ = -sign_;
  return result;
}

ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) {
  if (a.sign_ == 0) return b;
  if (b.sign_ == 0) return a;
  if (a.sign_ == b.sign_) {
    ExactNumber sum = ExactNumber::add_magnitudes(a, b);
    sum.sign_ = a.sign_;
    return sum;
  }
  const int order = ExactNumber::compare_magnitudes(a, b);
  if (order == 0) return {};
  ExactNumber sum =
      order > 0 ? ExactNumber::subtract_magnitudes(a, b) : ExactNumber::subtract_magnitudes(b, a);
  sum.sign_ = order > 0 ? a.sign_ : b.sign_;
  return sum;
}

ExactNumber operator-(const ExactNumber& a, const ExactNumber& b) { return a + (-b); }

ExactNumber operator*(const ExactNumber& a, const ExactNumber& b) {
  if (a.sign_ == 0 || b.sign_ == 0) return {};
  ExactNumber product;
  product.sign_ = a.sign_ * b.sign_;
  product.exponent_ = a.exponent_ + b.exponent_;
  ExactNumber::Limb* to = product.resize(a.size_ + b.size_);
  std::fill(to, to + product.size_, 0);
  // Schoolbook multiplication.
  const ExactNumber::Limb* x = a.limbs();
  const ExactNumber::Limb* y = b.limbs();
  for (size_t i = 0; i < a.size_; ++i) {
    Wide carry = 0;
    for (size_t j = 0; j < b.size_; ++j) {
      carry += static_cast<Wide>(x[i]) * y[j] + to[i + j];
      to[i + j] = static_cast<ExactNumber::Limb>(carry);
      carry >>= kLimbBits;
    }
    to[i + b.size_] = static_cast<ExactNumber::Limb>(carry);
  }
  product.trim();
  return product;
}

double ExactNumber::approximate() const {
  if (sign_ == 0) return 0;
  // The top two limbs hold at least 65 bits.
  double value = 0;
  const int first = std::max(0, static_cast<int>(size_) - 2);
  for (int i = static_cast<int>(size_) - 1; i >= first; --i) {
    value += std::ldexp(static_cast<double>(limbs()[i]), kLimbBits * (i - first));
  }
  return sign_ * std::ldexp(value, kLimbBits * (exponent_ + first));
}

}  // namespace marrow
