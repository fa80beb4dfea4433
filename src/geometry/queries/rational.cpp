#include "geometry/queries/rational.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace marrow {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

// A natural number: 32-bit digits, lowest first, without leading zeros.
using Natural = std::vector<std::uint32_t>;

void multiply_add(Natural& a, std::uint32_t factor, std::uint32_t summand) {
  std::uint64_t carry = summand;
  for (std::uint32_t& digit : a) {
    carry += static_cast<std::uint64_t>(digit) * factor;
    digit = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) a.push_back(static_cast<std::uint32_t>(carry));
}

Natural parse_natural(std::string_view digits) {
  Natural a;
  while (!digits.empty()) {
    const std::string_view part = digits.substr(0, std::min<size_t>(9, digits.size()));
    digits.remove_prefix(part.size());
    std::uint32_t value = 0, power = 1;
    for (const char digit : part) {
      value = 10 * value + static_cast<std::uint32_t>(digit - '0');
      power *= 10;
    }
    multiply_add(a, power, value);
  }
  return a;
}

int count_bits(const Natural& a) {
  return a.empty() ? 0 : static_cast<int>(32 * a.size()) - std::countl_zero(a.back());
}

Natural shift_left(const Natural& a, int bits) {
  Natural b(static_cast<size_t>(bits / 32), 0);
  b.insert(b.end(), a.begin(), a.end());
  if (!a.empty()) multiply_add(b, std::uint32_t{1} << (bits % 32), 0);
  return b;
}

// a = mantissa · 2^exponent · (1 + δ), |δ| < 2⁻⁶³; the mantissa has its highest bit set.
struct Leading {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

Leading take_leading(const Natural& a) {
  Leading leading;
  leading.exponent = count_bits(a) - 64;
  for (int bit = 0; bit < 64; ++bit) {
    const int position = leading.exponent + bit;
    if (position < 0) continue;
    const std::uint64_t value = a[static_cast<size_t>(position / 32)] >> (position % 32) & 1;
    leading.mantissa |= value << bit;
  }
  return leading;
}

// a · m for a 64-bit m.
Natural multiply(const Natural& a, std::uint64_t m) {
  Natural low = a, high = shift_left(a, 32);
  multiply_add(low, static_cast<std::uint32_t>(m), 0);
  multiply_add(high, static_cast<std::uint32_t>(m >> 32), 0);
  low.resize(std::max(low.size(), high.size()) + 1, 0);
  std::uint64_t carry = 0;
  for (size_t i = 0; i < low.size(); ++i) {
    carry += static_cast<std::uint64_t>(low[i]) + (i < high.size() ? high[i] : 0);
    low[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  while (!low.empty() && low.back() == 0) low.pop_back();
  return low;
}

}  // namespace

bool is_integer_text(std::string_view text) {
  text = without_sign(text);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_zero_text(std::string_view text) {
  text = without_sign(text);
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '0'; });
}

std::optional<double> compute_exact_quotient(std::string_view numerator, std::string_view denominator) {
  const Natural a = parse_natural(without_sign(numerator)), b = parse_natural(without_sign(denominator));
  if (a.empty()) return 0.0;

  // The leading bits give the quotient to 2⁻⁶¹, hence the double it must be if it is one.
  const Leading top = take_leading(a), bottom = take_leading(b);
  const long double guess =
      static_cast<long double>(top.mantissa) / static_cast<long double>(bottom.mantissa);
  const double q = static_cast<double>(std::ldexp(guess, top.exponent - bottom.exponent));
  if (q == 0 || !std::isfinite(q)) return {};

  // q = m · 2^e; is a = m · 2^e · b?
  int exponent = 0;
  const auto m = static_cast<std::uint64_t>(std::ldexp(std::frexp(q, &exponent), 53));
  exponent -= 53;
  const Natural product = multiply(b, m);
  const bool is_exact =
      exponent >= 0 ? a == shift_left(product, exponent) : shift_left(a, -exponent) == product;
  if (!is_exact) return {};
  return (numerator[0] == '-') != (denominator[0] == '-') ? -q : q;
}

}  // namespace marrow
