// A jet is a number with its first and second derivatives by N variables. Arithmetic on jets differentiates
// what it computes (automatic differentiation, forward).
#pragma once

#include <Eigen/Core>

namespace marrow {

template <int N>
struct Jet {
  using Vector = Eigen::Matrix<double, N, 1>;
  using Matrix = Eigen::Matrix<double, N, N>;

  double value = 0;
  Vector first = Vector::Zero();
  Matrix second = Matrix::Zero();

  Jet() = default;
  explicit Jet(double constant) : value(constant) {}
  // The variable of this number.
  static Jet make_variable(int number, double value) {
    Jet jet(value);
    jet.first[number] = 1;
    return jet;
  }

  friend Jet operator+(const Jet& a, const Jet& b) {
    return make(a.value + b.value, a.first + b.first, a.second + b.second);
  }
  friend Jet operator-(const Jet& a, const Jet& b) {
    return make(a.value - b.value, a.first - b.first, a.second - b.second);
  }
  friend Jet operator*(double s, const Jet& a) { return make(s * a.value, s * a.first, s * a.second); }
  friend Jet operator*(const Jet& a, const Jet& b) {
    const Matrix cross = a.first * b.first.transpose();
    return make(a.value * b.value, a.value * b.first + b.value * a.first,
                a.value * b.second + b.value * a.second + cross + cross.transpose());
  }
  // a q = n: q' = (n' − q a')/a, and once more.
  friend Jet operator/(const Jet& n, const Jet& a) {
    Jet q;
    q.value = n.value / a.value;
    q.first = (n.first - q.value * a.first) / a.value;
    const Matrix cross = q.first * a.first.transpose();
    q.second = (n.second - q.value * a.second - cross - cross.transpose()) / a.value;
    return q;
  }

 private:
  static Jet make(double value, const Vector& first, const Matrix& second) {
    Jet jet(value);
    jet.first = first;
    jet.second = second;
    return jet;
  }
};

}  // namespace marrow
