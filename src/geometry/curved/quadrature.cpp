#include "geometry/curved/quadrature.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

namespace marrow {
namespace {

using Rule = std::vector<QuadraturePoint>;

// All different permutations of four coordinates, each with this weight.
void add_orbit(double weight, std::array<double, 4> lambda, Rule& rule) {
  std::sort(lambda.begin(), lambda.end());
  do {
    rule.push_back({Vec4(lambda[0], lambda[1], lambda[2], lambda[3]), weight});
  } while (std::next_permutation(lambda.begin(), lambda.end()));
}

void add_31(double weight, double s, Rule& rule) { add_orbit(weight, {s, s, s, 1 - 3 * s}, rule); }
void add_22(double weight, double s, Rule& rule) { add_orbit(weight, {s, s, 0.5 - s, 0.5 - s}, rule); }
void add_211(double weight, double s, double t, Rule& rule) {
  add_orbit(weight, {s, s, t, 1 - 2 * s - t}, rule);
}

Rule make_symmetric(int degree) {
  Rule rule;
  if (degree == 1) {
    add_orbit(1, {0.25, 0.25, 0.25, 0.25}, rule);
  } else if (degree == 2) {
    add_31(0.25, 0.1381966011250105, rule);
  } else if (degree == 3) {
    add_31(0.181413209796071, 0.3280458298805383, rule);
    add_31(0.06858679020392901, 0.0783855730148534, rule);
  } else if (degree == 5) {
    add_31(0.07349304311636201, 0.09273525031089125, rule);
    add_31(0.1126879257180162, 0.3108859192633006, rule);
    add_22(0.04254602077708122, 0.04550370412564931, rule);
  } else if (degree == 6) {
    add_31(0.03992275025816691, 0.2146028712591525, rule);
    add_31(0.05535718154365523, 0.3223378901422753, rule);
    add_31(0.0100772110553206, 0.04067395853461122, rule);
    add_211(0.04821428571428577, 0.06366100187501754, 0.2696723314583157, rule);
  } else if (degree == 7) {
    add_orbit(0.09548528946413024, {0.25, 0.25, 0.25, 0.25}, rule);
    add_31(0.04232958120996778, 0.3157011497782026, rule);
    add_22(0.03189692783285761, 0.0504898225983964, rule);
    add_211(0.03720713072833452, 0.1888338310260005, 0.04716070036099768, rule);
    add_211(0.008110770829903238, 0.02126547254148289, 0.1466388138184848, rule);
  }
  return rule;
}

struct LinePoint {
  double x, weight;
};

// The rule of n points on [0, 1] for the weight (1 − x)^power, weights of sum 1, by the eigenvalues of the
// Jacobi matrix (Golub and Welsch 1969) of the Jacobi polynomials with α = power, β = 0.
std::vector<LinePoint> make_jacobi_rule(int n, int power) {
  MatX jacobi = MatX::Zero(n, n);
  const double alpha = power;
  for (int k = 0; k < n; ++k) {
    const double sum = 2 * k + alpha;
    jacobi(k, k) = sum == 0 ? 0 : -alpha * alpha / (sum * (sum + 2));
    if (k == 0) continue;
    const double square = 4 * k * k * (k + alpha) * (k + alpha) / (sum * sum * (sum * sum - 1));
    jacobi(k, k - 1) = jacobi(k - 1, k) = std::sqrt(square);
  }
  const Eigen::SelfAdjointEigenSolver<MatX> solver(jacobi);
  std::vector<LinePoint> rule;
  for (int k = 0; k < n; ++k) {
    const double first = solver.eigenvectors()(0, k);
    rule.push_back({(1 + solver.eigenvalues()[k]) / 2, first * first});
  }
  return rule;
}

Rule make_collapsed(int degree) {
  const int n = degree / 2 + 1;
  Rule rule;
  const auto outer = make_jacobi_rule(n, 2), middle = make_jacobi_rule(n, 1), inner = make_jacobi_rule(n, 0);
  for (const LinePoint& a : outer) {
    for (const LinePoint& b : middle) {
      for (const LinePoint& c : inner) {
        const double x = a.x, y = (1 - a.x) * b.x, z = (1 - a.x) * (1 - b.x) * c.x;
        rule.push_back({Vec4(1 - x - y - z, x, y, z), a.weight * b.weight * c.weight});
      }
    }
  }
  return rule;
}

}  // namespace

std::vector<QuadraturePoint> make_tet_quadrature(int degree) {
  if (degree <= 7) return make_symmetric(degree == 4 ? 5 : std::max(degree, 1));
  return make_collapsed(degree);
}

}  // namespace marrow
