#include "geometry/curved/lagrange.h"

namespace marrow {
namespace {

struct Factor {
  double value = 1, slope = 0;
};

// Π_{m < a} (p x − m)/(m + 1) and its derivative.
Factor compute_factor(int order, int a, double x) {
  Factor f;
  for (int m = 0; m < a; ++m) {
    const double term = (order * x - m) / (m + 1);
    f.slope = f.slope * term + f.value * order / (m + 1);
    f.value *= term;
  }
  return f;
}

std::array<Factor, 4> compute_factors(int order, const LatticePoint4& a, const Vec4& lambda) {
  std::array<Factor, 4> factors;
  for (size_t i = 0; i < 4; ++i) factors[i] = compute_factor(order, a[i], lambda[static_cast<Index>(i)]);
  return factors;
}

}  // namespace

Vec4 LagrangeBasis::place_of(size_t node) const {
  Vec4 lambda;
  for (size_t i = 0; i < 4; ++i)
    lambda[static_cast<Index>(i)] = static_cast<double>(nodes_[node][i]) / order_;
  return lambda;
}

VecX LagrangeBasis::weights(const Vec4& lambda) const {
  VecX w(static_cast<Index>(size()));
  for (size_t k = 0; k < size(); ++k) {
    const std::array<Factor, 4> f = compute_factors(order_, nodes_[k], lambda);
    w[static_cast<Index>(k)] = f[0].value * f[1].value * f[2].value * f[3].value;
  }
  return w;
}

Eigen::Matrix<double, Eigen::Dynamic, 3> LagrangeBasis::gradients(const Vec4& lambda) const {
  Eigen::Matrix<double, Eigen::Dynamic, 3> g(static_cast<Index>(size()), 3);
  for (size_t k = 0; k < size(); ++k) {
    const std::array<Factor, 4> f = compute_factors(order_, nodes_[k], lambda);
    std::array<double, 4> slopes;
    for (size_t i = 0; i < 4; ++i) {
      slopes[i] = f[i].slope;
      for (size_t j = 0; j < 4; ++j) {
        if (j != i) slopes[i] *= f[j].value;
      }
    }
    for (size_t j = 1; j < 4; ++j) {
      g(static_cast<Index>(k), static_cast<Index>(j) - 1) = slopes[j] - slopes[0];
    }
  }
  return g;
}

}  // namespace marrow
