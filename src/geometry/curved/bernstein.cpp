#include "geometry/curved/bernstein.h"

#include <Eigen/Dense>
#include <cmath>

#include "geometry/curved/lagrange.h"

namespace marrow {
namespace {

double multinomial(const LatticePoint4& a) {
  double value = 1;
  int total = 0;
  for (const int part : a) {
    for (int k = 1; k <= part; ++k) value = value * ++total / k;  // a binomial at every full turn
  }
  return std::round(value);
}

LatticePoint4 add(const LatticePoint4& a, const LatticePoint4& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

Index at(int i) { return static_cast<Index>(i); }

// The product of linear forms: coefficients of its monomials, by degree.
VecX multiply_forms(const std::vector<Vec4>& forms) {
  VecX product = VecX::Ones(1);
  for (int degree = 0; degree < static_cast<int>(forms.size()); ++degree) {
    const LatticeNumbers next_numbers(degree + 1);
    VecX next = VecX::Zero(count_lattice(degree + 1));
    const std::vector<LatticePoint4> lattice = list_lattice(degree);
    for (size_t k = 0; k < lattice.size(); ++k) {
      for (size_t j = 0; j < 4; ++j) {
        LatticePoint4 up = lattice[k];
        ++up[j];
        next[next_numbers[up]] +=
            product[static_cast<Index>(k)] * forms[static_cast<size_t>(degree)][static_cast<Index>(j)];
      }
    }
    product = std::move(next);
  }
  return product;
}

// The corners of the eight parts in barycentric coordinates: one at each corner, and the four around the
// diagonal of the octahedron between them.
std::array<std::array<Vec4, 4>, 8> list_parts() {
  const auto corner = [](int i) { return Vec4(Vec4::Unit(i)); };
  const auto middle = [](int i, int j) { return Vec4(0.5 * (Vec4::Unit(i) + Vec4::Unit(j))); };
  return {{{corner(0), middle(0, 1), middle(0, 2), middle(0, 3)},
           {middle(0, 1), corner(1), middle(1, 2), middle(1, 3)},
           {middle(0, 2), middle(1, 2), corner(2), middle(2, 3)},
           {middle(0, 3), middle(1, 3), middle(2, 3), corner(3)},
           {middle(0, 1), middle(0, 2), middle(0, 3), middle(1, 3)},
           {middle(0, 1), middle(1, 2), middle(0, 2), middle(1, 3)},
           {middle(0, 2), middle(0, 3), middle(1, 3), middle(2, 3)},
           {middle(0, 2), middle(1, 3), middle(1, 2), middle(2, 3)}}};
}

}  // namespace

std::vector<BernsteinProduct> list_products(int m, int n) {
  const std::vector<LatticePoint4> first = list_lattice(m), second = list_lattice(n);
  const LatticeNumbers numbers(m + n);
  std::vector<BernsteinProduct> products;
  for (size_t a = 0; a < first.size(); ++a) {
    for (size_t b = 0; b < second.size(); ++b) {
      const LatticePoint4 sum = add(first[a], second[b]);
      products.push_back({static_cast<int>(a), static_cast<int>(b), numbers[sum],
                          multinomial(first[a]) * multinomial(second[b]) / multinomial(sum)});
    }
  }
  return products;
}

MatX make_control_matrix(int order) {
  const std::vector<LatticePoint4> lattice = list_lattice(order);
  const auto count = static_cast<Index>(lattice.size());
  MatX values(count, count);
  for (Index k = 0; k < count; ++k) {
    for (Index a = 0; a < count; ++a) {
      double value = multinomial(lattice[static_cast<size_t>(a)]);
      for (size_t i = 0; i < 4; ++i) {
        const double lambda = static_cast<double>(lattice[static_cast<size_t>(k)][i]) / order;
        value *= std::pow(lambda, lattice[static_cast<size_t>(a)][i]);
      }
      values(k, a) = value;
    }
  }
  // The least common denominators of the inverses.
  constexpr std::array<double, 5> kDenominators = {1, 1, 2, 36, 36};
  const double denominator = kDenominators[static_cast<size_t>(order)];
  const MatX inverse = values.inverse();
  return (denominator * inverse).array().round() / denominator;
}

std::array<MatX, 8> make_halving_matrices(int degree) {
  const std::vector<LatticePoint4> lattice = list_lattice(degree);
  const auto parts = list_parts();
  std::array<MatX, 8> matrices;
  for (size_t part = 0; part < parts.size(); ++part) {
    matrices[part].resize(at(count_lattice(degree)), at(count_lattice(degree)));
    for (size_t a = 0; a < lattice.size(); ++a) {
      std::vector<Vec4> forms;
      for (size_t i = 0; i < 4; ++i)
        forms.insert(forms.end(), static_cast<size_t>(lattice[a][i]), parts[part][i]);
      matrices[part].row(static_cast<Index>(a)) = multiply_forms(forms).transpose();
    }
  }
  return matrices;
}

}  // namespace marrow
