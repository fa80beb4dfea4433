// Polynomials of low degree with exact coefficients, and their roots in (0, 1) as exact numbers.
//
// A root is an algebraic number, held as a square-free polynomial and an open interval with dyadic ends in
// which it is the only root. The sign of any other polynomial at a root is decided exactly:
//
//   Q(r) = 0  ⇔  gcd(P, Q) has a root in the interval of r;   otherwise bisect until Q has one sign there.
//
// Roots are counted by the sign changes of the Bernstein coefficients on an interval (Descartes' rule):
// 0 changes: no root inside; 1: exactly one; in general as many roots, or fewer by an even number. For
// square-free polynomials bisection reaches 0 or 1 after finitely many steps (Collins and Akritas 1976; Basu,
// Pollack, Roy, "Algorithms in Real Algebraic Geometry", section 10.2).
#pragma once

#include <vector>

#include "exact/number.h"

namespace marrow::exact {

// Σ c_k t^k; trimmed: the last coefficient is not 0, the zero polynomial has none.
class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<ExactNumber> coefficients);

  bool is_zero() const { return coefficients_.empty(); }
  int degree() const { return static_cast<int>(coefficients_.size()) - 1; }  // −1: zero
  const ExactNumber& operator[](int k) const { return coefficients_[static_cast<size_t>(k)]; }
  ExactNumber at(const ExactNumber& t) const;
  Polynomial derivative() const;

 private:
  std::vector<ExactNumber> coefficients_;
};

Polynomial operator+(const Polynomial& a, const Polynomial& b);
Polynomial operator-(const Polynomial& a, const Polynomial& b);
Polynomial operator*(const Polynomial& a, const Polynomial& b);

// A greatest common divisor, up to a constant factor; degree 0 if there is none. Not both zero.
Polynomial compute_gcd(const Polynomial& a, const Polynomial& b);

// The number of sign changes of the Bernstein coefficients on [lower, upper]. Degree at most 3.
int count_sign_changes(const Polynomial& p, const ExactNumber& lower, const ExactNumber& upper);

class Root {
 public:
  // The root r of a square-free P that is alone in (lower, upper).
  Root(Polynomial p, ExactNumber lower, ExactNumber upper);
  // A number that is known exactly.
  explicit Root(ExactNumber value);

  // The sign of Q(r), exactly. Degree of Q at most 3. Narrows the interval as far as it needs.
  int sign_of(const Polynomial& q);

  double approximate() const;

 private:
  bool is_known() const { return polynomial_.is_zero(); }
  void bisect();

  Polynomial polynomial_;
  ExactNumber lower_;  // r itself if known
  ExactNumber upper_;
};

// All roots in the open interval (0, 1), in increasing order, each once. p is not zero, degree at most 3.
std::vector<Root> find_roots(const Polynomial& p);

}  // namespace marrow::exact
