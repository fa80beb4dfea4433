#include "exact/polynomial.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/macros.h"

namespace marrow::exact {
namespace {

constexpr int kMaxDegree = 3;

// a = quotient · b + remainder, all times a power of b's leading coefficient.
struct Division {
  Polynomial quotient;
  Polynomial remainder;
};

Division pseudo_divide(const Polynomial& a, const Polynomial& b) {
  Polynomial quotient;
  Polynomial rest = a;
  const Polynomial leading({b[b.degree()]});
  while (rest.degree() >= b.degree()) {
    std::vector<ExactNumber> term(static_cast<size_t>(rest.degree() - b.degree() + 1));
    term.back() = rest[rest.degree()];
    const Polynomial factor(std::move(term));
    quotient = quotient * leading + factor;
    rest = rest * leading - factor * b;
  }
  return {quotient, rest};
}

ExactNumber middle_of(const ExactNumber& a, const ExactNumber& b) { return (a + b) * 0.5; }

// Bernstein coefficients on [lower, upper], up to a positive factor.
std::array<ExactNumber, kMaxDegree + 1> compute_bernstein(const Polynomial& p, const ExactNumber& lower,
                                                          const ExactNumber& upper) {
  const int n = p.degree();
  MARROW_ASSERT(n <= kMaxDegree);
  std::array<ExactNumber, kMaxDegree + 1> c;
  for (int k = 0; k <= n; ++k) c[static_cast<size_t>(k)] = p[k];
  // t = lower + s (Taylor shift by repeated Horner), then s = width · u.
  for (int i = 0; i < n; ++i) {
    for (int k = n - 1; k >= i; --k) {
      c[static_cast<size_t>(k)] = c[static_cast<size_t>(k)] + c[static_cast<size_t>(k + 1)] * lower;
    }
  }
  const ExactNumber width = upper - lower;
  ExactNumber power = 1.0;
  for (int k = 1; k <= n; ++k) {
    power = power * width;
    c[static_cast<size_t>(k)] = c[static_cast<size_t>(k)] * power;
  }
  // b_i = Σ_k C(i,k) / C(n,k) c_k, times 2 (n = 2) or 3 (n = 3) to stay among integers.
  static constexpr int kBinomial[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 2, 1, 0}, {1, 3, 3, 1}};
  const int common = std::max(n, 1);
  std::array<ExactNumber, kMaxDegree + 1> b;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= i; ++k) {
      const int weight = kBinomial[i][k] * (common / kBinomial[n][k]);
      b[static_cast<size_t>(i)] =
          b[static_cast<size_t>(i)] + c[static_cast<size_t>(k)] * static_cast<double>(weight);
    }
  }
  return b;
}

// p is square-free and not zero.
void isolate(const Polynomial& p, const ExactNumber& lower, const ExactNumber& upper,
             std::vector<Root>& roots) {
  const int changes = count_sign_changes(p, lower, upper);
  if (changes == 0) return;
  if (changes == 1) {
    roots.emplace_back(p, lower, upper);
    return;
  }
  const ExactNumber middle = middle_of(lower, upper);
  isolate(p, lower, middle, roots);
  if (p.at(middle).sign() == 0) roots.emplace_back(middle);
  isolate(p, middle, upper, roots);
}

}  // namespace

Polynomial::Polynomial(std::vector<ExactNumber> coefficients) : coefficients_(std::move(coefficients)) {
  while (!coefficients_.empty() && coefficients_.back().sign() == 0) coefficients_.pop_back();
}

ExactNumber Polynomial::at(const ExactNumber& t) const {
  ExactNumber value;
  for (size_t k = coefficients_.size(); k-- > 0;) value = value * t + coefficients_[k];
  return value;
}

Polynomial Polynomial::derivative() const {
  std::vector<ExactNumber> c;
  for (size_t k = 1; k < coefficients_.size(); ++k) c.push_back(coefficients_[k] * static_cast<double>(k));
  return Polynomial(std::move(c));
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  if (a.degree() < b.degree()) return b + a;
  std::vector<ExactNumber> c;
  for (int k = 0; k <= a.degree(); ++k) c.push_back(k <= b.degree() ? a[k] + b[k] : a[k]);
  return Polynomial(std::move(c));
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Polynomial({-1.0}) * b; }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  std::vector<ExactNumber> c(static_cast<size_t>(a.degree() + b.degree() + 1));
  for (int i = 0; i <= a.degree(); ++i) {
    for (int j = 0; j <= b.degree(); ++j) {
      c[static_cast<size_t>(i + j)] = c[static_cast<size_t>(i + j)] + a[i] * b[j];
    }
  }
  return Polynomial(std::move(c));
}

Polynomial compute_gcd(const Polynomial& a, const Polynomial& b) {
  MARROW_ASSERT(!a.is_zero() || !b.is_zero());
  Polynomial larger = a.degree() >= b.degree() ? a : b;
  Polynomial smaller = a.degree() >= b.degree() ? b : a;
  while (!smaller.is_zero()) {
    if (smaller.degree() == 0) return smaller;
    Polynomial remainder = pseudo_divide(larger, smaller).remainder;
    larger = std::move(smaller);
    smaller = std::move(remainder);
  }
  return larger;
}

int count_sign_changes(const Polynomial& p, const ExactNumber& lower, const ExactNumber& upper) {
  const auto b = compute_bernstein(p, lower, upper);
  int changes = 0;
  int last = 0;
  for (int i = 0; i <= p.degree(); ++i) {
    const int sign = b[static_cast<size_t>(i)].sign();
    if (sign == 0) continue;
    if (sign == -last) ++changes;
    last = sign;
  }
  return changes;
}

Root::Root(Polynomial p, ExactNumber lower, ExactNumber upper)
    : polynomial_(std::move(p)), lower_(std::move(lower)), upper_(std::move(upper)) {}

Root::Root(ExactNumber value) : lower_(value), upper_(std::move(value)) {}

void Root::bisect() {
  const ExactNumber middle = middle_of(lower_, upper_);
  if (polynomial_.at(middle).sign() == 0) {
    *this = Root(middle);
  } else if (count_sign_changes(polynomial_, lower_, middle) % 2 == 1) {
    upper_ = middle;
  } else {
    lower_ = middle;
  }
}

int Root::sign_of(const Polynomial& q) {
  if (q.is_zero()) return 0;
  bool may_be_zero = true;
  while (!is_known()) {
    // No sign change and not zero: one sign inside the open interval, that of any non-zero coefficient.
    const auto b = compute_bernstein(q, lower_, upper_);
    int sign = 0;
    bool is_mixed = false;
    for (int i = 0; i <= q.degree(); ++i) {
      const int s = b[static_cast<size_t>(i)].sign();
      is_mixed = is_mixed || s * sign < 0;
      if (s != 0) sign = s;
    }
    if (!is_mixed) return sign;
    if (may_be_zero) {
      const Polynomial common = compute_gcd(polynomial_, q);
      if (common.degree() > 0 && count_sign_changes(common, lower_, upper_) % 2 == 1) return 0;
      may_be_zero = false;
    }
    bisect();
  }
  return q.at(lower_).sign();
}

double Root::approximate() const {
  Root narrowed = *this;
  // Until the interval is below the spacing of doubles there; roots at tiny times take more steps.
  while (!narrowed.is_known() && narrowed.lower_ * 0x1p-54 < narrowed.upper_ - narrowed.lower_ &&
         ExactNumber(0x1p-1000) < narrowed.upper_) {
    narrowed.bisect();
  }
  return narrowed.lower_.approximate();
}

std::vector<Root> find_roots(const Polynomial& p) {
  std::vector<Root> roots;
  const Polynomial repeated = p.degree() > 1 ? compute_gcd(p, p.derivative()) : Polynomial({1.0});
  const Polynomial square_free = repeated.degree() > 0 ? pseudo_divide(p, repeated).quotient : p;
  isolate(square_free, 0.0, 1.0, roots);
  return roots;
}

}  // namespace marrow::exact
