#include "witness/curved_tets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "core/macros.h"
#include "exact/number.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// Parts of a tet that are looked at before it counts as undecided. The solver keeps a tenth of the Jacobian
// in every step and needs at most three halvings for it; with exact numbers a part costs milliseconds.
// [safety net: a run's tets need a few parts]
constexpr int kMostParts = 4000;
constexpr int kMostExactParts = 200;

// λ0 to λ3 of each node times the order, as Gmsh's manual draws them.
constexpr std::array<std::string_view, 5> kNodePlaces = {
    "", "1000 0100 0010 0001", "2000 0200 0020 0002 1100 0110 1010 1001 0011 0101",
    "3000 0300 0030 0003 2100 1200 0210 0120 1020 2010 1002 2001 0012 0021 0102 0201 1110 1101 1011 0111",
    "4000 0400 0040 0004 3100 2200 1300 0310 0220 0130 1030 2020 3010 1003 2002 3001 0013 0022 0031 0103 "
    "0202 0301 2110 1120 1210 2101 1201 1102 2011 1012 1021 0112 0211 0121 1111"};

// The powers of the four λ in a monomial.
using Powers = std::array<int, 4>;

Powers operator+(const Powers& a, const Powers& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

// All monomials of a degree.
struct Monomials {
  explicit Monomials(int degree) {
    for (int a = degree; a >= 0; --a) {
      for (int b = degree - a; b >= 0; --b) {
        for (int c = degree - a - b; c >= 0; --c) {
          const Powers powers = {a, b, c, degree - a - b - c};
          numbers[powers] = list.size();
          list.push_back(powers);
        }
      }
    }
    for (size_t i = 0; i < 4; ++i) {
      Powers corner = {};
      corner[i] = degree;
      corners[i] = numbers.at(corner);
    }
  }

  std::vector<Powers> list;
  std::map<Powers, size_t> numbers;
  std::array<size_t, 4> corners;  // λ_i^n
};

// Coefficients by monomial; whole numbers.
using Polynomial = std::map<Powers, double>;

Polynomial multiply(const Polynomial& f, const Polynomial& g) {
  Polynomial product;
  for (const auto& [a, x] : f) {
    for (const auto& [b, y] : g) product[a + b] += x * y;
  }
  return product;
}

// A number that is known to lie within rad of mid.
struct Ball {
  Ball(double value = 0) : mid(value) {}  // NOLINT(google-explicit-constructor): formulas mix both
  Ball(double middle, double radius) : mid(middle), rad(radius) {}

  // Bounds of the rounding of one operation, and of that of the radius itself.
  static constexpr double kUnit = 0x1p-53, kUp = 1 + 0x1p-49, kTiny = 0x1p-1000;

  friend Ball operator+(const Ball& a, const Ball& b) {
    const double mid = a.mid + b.mid;
    return {mid, (a.rad + b.rad + std::abs(mid) * kUnit) * kUp};
  }
  friend Ball operator-(const Ball& a, const Ball& b) { return a + Ball(-b.mid, b.rad); }
  friend Ball operator*(const Ball& a, const Ball& b) {
    const double mid = a.mid * b.mid;
    return {mid, (std::abs(a.mid) * b.rad + a.rad * (std::abs(b.mid) + b.rad) + std::abs(mid) * kUnit) * kUp +
                     kTiny};
  }
  double mid, rad = 0;
};

bool is_positive(const Ball& x) { return x.mid > x.rad; }
bool is_not_positive(const Ball& x) { return x.mid <= -x.rad; }
bool is_positive(const ExactNumber& x) { return x.sign() > 0; }
bool is_not_positive(const ExactNumber& x) { return x.sign() <= 0; }

template <class Number>
using Vector = std::array<Number, 3>;

template <class Number>
Vector<Number> cross(const Vector<Number>& a, const Vector<Number>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

enum class Verdict { Positive, Inverted, Undecided };

struct Decision {
  Verdict verdict = Verdict::Positive;
  Vec4 place = Vec4::Zero();
};

// What is the same for all tets of an order.
class TurnDecider {
 public:
  explicit TurnDecider(int order)
      : slopes_of_(order - 1), crosses_of_(2 * (order - 1)), det_of_(3 * (order - 1)) {
    make_slopes(order);
    list_sums(slopes_of_, slopes_of_, crosses_of_, crosses_);
    list_sums(crosses_of_, slopes_of_, det_of_, dets_);
    if (order > 1) make_halves();
  }

  Decision decide(std::span<const Vec3> nodes) const {
    const Decision first = decide_with<Ball>(nodes, kMostParts);
    if (first.verdict != Verdict::Undecided) return first;
    return decide_with<ExactNumber>(nodes, kMostExactParts);
  }

 private:
  struct Entry {
    size_t row, column;
    double value;
  };
  struct Sum {
    size_t a, b, sum;
  };
  template <class Number>
  struct Part {
    std::vector<Number> coefficients;
    std::array<Vec4, 4> corners;
  };

  // p! w_k has whole coefficients: w_k = Π_i Π_{m < a_i} (p λ_i − m Σλ)/(m + 1). Its slope along ξ_j is
  // (∂/∂λ_j − ∂/∂λ_0) w_k.
  void make_slopes(int order) {
    const std::string_view places = kNodePlaces[static_cast<size_t>(order)];
    double factorial = 1;
    for (int m = 2; m <= order; ++m) factorial *= m;
    node_count_ = (places.size() + 1) / 5;
    for (size_t k = 0; k < node_count_; ++k) {
      double scale = factorial;
      Polynomial w = {{{0, 0, 0, 0}, 1.0}};
      for (size_t i = 0; i < 4; ++i) {
        for (int m = 0; m < places[5 * k + i] - '0'; ++m) {
          Polynomial factor;
          for (size_t j = 0; j < 4; ++j) {
            Powers one = {};
            one[j] = 1;
            factor[one] = (i == j ? order : 0) - m;
          }
          w = multiply(w, factor);
          scale /= m + 1;
        }
      }
      for (size_t j = 1; j < 4; ++j) add_slope(w, scale, k, j);
    }
  }

  void add_slope(const Polynomial& w, double scale, size_t node, size_t along) {
    std::map<size_t, double> slope;
    for (const auto& [powers, coefficient] : w) {
      for (const auto& [i, sign] : {std::pair<size_t, double>(along, 1), {0, -1}}) {
        if (powers[i] == 0) continue;
        Powers less = powers;
        --less[i];
        slope[slopes_of_.numbers.at(less)] += sign * scale * powers[i] * coefficient;
      }
    }
    for (const auto& [row, value] : slope) {
      if (value != 0) slopes_[along - 1].push_back({row, node, value});
    }
  }

  static void list_sums(const Monomials& f, const Monomials& g, const Monomials& product,
                        std::vector<Sum>& sums) {
    for (size_t a = 0; a < f.list.size(); ++a) {
      for (size_t b = 0; b < g.list.size(); ++b) {
        sums.push_back({a, b, product.numbers.at(f.list[a] + g.list[b])});
      }
    }
  }

  // λ = Σ μ_j corner_j turns a polynomial in λ into one in the coordinates μ of a part. Corners have halves;
  // 2λ is taken.
  void make_halves() {
    // At each corner a part; the rest, an octahedron, in four around its diagonal from 01 to 23.
    const auto at = [](size_t i, size_t j) { return std::array<size_t, 2>{i, j}; };
    const std::array<std::array<std::array<size_t, 2>, 4>, 8> parts = {
        {{at(0, 0), at(0, 1), at(0, 2), at(0, 3)},
         {at(0, 1), at(1, 1), at(1, 2), at(1, 3)},
         {at(0, 2), at(1, 2), at(2, 2), at(2, 3)},
         {at(0, 3), at(1, 3), at(2, 3), at(3, 3)},
         {at(0, 1), at(2, 3), at(0, 2), at(1, 2)},
         {at(0, 1), at(2, 3), at(1, 2), at(1, 3)},
         {at(0, 1), at(2, 3), at(1, 3), at(0, 3)},
         {at(0, 1), at(2, 3), at(0, 3), at(0, 2)}}};
    for (size_t part = 0; part < parts.size(); ++part) {
      std::array<Polynomial, 4> doubled;  // of each λ
      for (size_t j = 0; j < 4; ++j) {
        Powers one = {};
        one[j] = 1;
        for (const size_t i : parts[part][j]) doubled[i][one] += 1;
      }
      half_corners_[part] = parts[part];
      for (size_t column = 0; column < det_of_.list.size(); ++column) {
        Polynomial product = {{{0, 0, 0, 0}, 1.0}};
        for (size_t i = 0; i < 4; ++i) {
          for (int m = 0; m < det_of_.list[column][i]; ++m) product = multiply(product, doubled[i]);
        }
        for (const auto& [powers, value] : product) {
          if (value != 0) halves_[part].push_back({det_of_.numbers.at(powers), column, value});
        }
      }
    }
  }

  // The coefficients of J times a positive number.
  template <class Number>
  std::vector<Number> compute_coefficients(std::span<const Vec3> nodes) const {
    std::array<std::vector<Vector<Number>>, 3> slopes;
    for (size_t j = 0; j < 3; ++j) {
      slopes[j].resize(slopes_of_.list.size());
      for (const Entry& entry : slopes_[j]) {
        // The slopes of all shape functions add up to 0, so differences to the first node do as well.
        for (int c = 0; c < 3; ++c) {
          const Number difference = Number(nodes[entry.column][c]) - Number(nodes[0][c]);
          Number& sum = slopes[j][entry.row][static_cast<size_t>(c)];
          sum = sum + Number(entry.value) * difference;
        }
      }
    }
    std::vector<Vector<Number>> crosses(crosses_of_.list.size());
    for (const Sum& s : crosses_) {
      const Vector<Number> product = cross(slopes[0][s.a], slopes[1][s.b]);
      for (size_t c = 0; c < 3; ++c) crosses[s.sum][c] = crosses[s.sum][c] + product[c];
    }
    std::vector<Number> det(det_of_.list.size());
    for (const Sum& s : dets_) {
      for (size_t c = 0; c < 3; ++c) det[s.sum] = det[s.sum] + crosses[s.a][c] * slopes[2][s.b][c];
    }
    return det;
  }

  template <class Number>
  Decision decide_with(std::span<const Vec3> nodes, int most_parts) const {
    std::vector<Part<Number>> left(1);
    left[0].coefficients = compute_coefficients<Number>(nodes);
    for (int i = 0; i < 4; ++i) left[0].corners[static_cast<size_t>(i)] = Vec4::Unit(i);
    // Breadth first: what is turned over is found in a large part if it is in one.
    for (size_t next = 0; next < left.size(); ++next) {
      const std::vector<Number>& f = left[next].coefficients;
      bool is_doubtful = false;
      for (size_t i = 0; i < 4; ++i) {
        const Number& value = f[det_of_.corners[i]];
        if (is_not_positive(value)) return {Verdict::Inverted, left[next].corners[i]};
        is_doubtful = is_doubtful || !is_positive(value);
      }
      if (std::all_of(f.begin(), f.end(), [](const Number& c) { return is_positive(c); })) continue;
      // Where a value is in doubt, halving does not help.
      const bool is_full = left.size() + 8 > static_cast<size_t>(most_parts);
      if (is_doubtful || is_full || halves_[0].empty()) return {Verdict::Undecided, left[next].corners[0]};
      for (size_t part = 0; part < halves_.size(); ++part) left.push_back(halve(left[next], part));
      left[next].coefficients = {};
    }
    return {};
  }

  template <class Number>
  Part<Number> halve(const Part<Number>& whole, size_t part) const {
    Part<Number> half;
    half.coefficients.resize(whole.coefficients.size());
    for (const Entry& entry : halves_[part]) {
      Number& sum = half.coefficients[entry.row];
      sum = sum + Number(entry.value) * whole.coefficients[entry.column];
    }
    for (size_t j = 0; j < 4; ++j) {
      const auto& [a, b] = half_corners_[part][j];
      half.corners[j] = 0.5 * (whole.corners[a] + whole.corners[b]);
    }
    return half;
  }

  Monomials slopes_of_, crosses_of_, det_of_;
  size_t node_count_ = 0;
  std::array<std::vector<Entry>, 3> slopes_;  // from nodes, along each ξ_j
  std::vector<Sum> crosses_, dets_;
  std::array<std::vector<Entry>, 8> halves_;
  std::array<std::array<std::array<size_t, 2>, 4>, 8> half_corners_;
};

// Made once: the halving of order 4 has a hundred thousand entries.
template <int Order>
const TurnDecider& decider_of_order() {
  static const TurnDecider decider(Order);
  return decider;
}

const TurnDecider& decider_of(int order) {
  switch (order) {
    case 1:
      return decider_of_order<1>();
    case 2:
      return decider_of_order<2>();
    case 3:
      return decider_of_order<3>();
    default:
      return decider_of_order<4>();
  }
}

}  // namespace

std::vector<CurvedInversion> find_curved_inversions(const Points& nodes,
                                                    std::span<const CurvedTetList> lists) {
  std::vector<CurvedInversion> found;
  Index first = 0;
  for (const CurvedTetList& list : lists) {
    MARROW_ASSERT(list.order >= 1 && list.order <= 4);
    const TurnDecider& decider = decider_of(list.order);
    const auto count = static_cast<size_t>((list.order + 1) * (list.order + 2) * (list.order + 3) / 6);
    std::vector<Decision> decisions(list.nodes.size() / count);
    exec::parallel_for("witness.curved", decisions.size(), [&](size_t t) {
      std::array<Vec3, 35> places;
      bool is_finite = true;
      for (size_t k = 0; k < count; ++k) {
        places[k] = nodes[static_cast<size_t>(list.nodes[t * count + k])];
        is_finite = is_finite && places[k].allFinite();
      }
      decisions[t] = is_finite ? decider.decide({places.data(), count})
                               : Decision{Verdict::Inverted, Vec4::Constant(0.25)};
    });
    for (size_t t = 0; t < decisions.size(); ++t) {
      const auto& [verdict, place] = decisions[t];
      if (verdict == Verdict::Positive) continue;
      found.push_back({first + static_cast<Index>(t), place, verdict == Verdict::Undecided});
    }
    first += static_cast<Index>(decisions.size());
  }
  return found;
}

}  // namespace marrow
