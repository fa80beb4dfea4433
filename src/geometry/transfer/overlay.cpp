#include "geometry/transfer/overlay.h"

#include <array>
#include <cmath>

namespace marrow {
namespace {

// The volume of the simplex with unit edges along the axes.
template <int D>
constexpr double kUnitVolume = D == 2 ? 1.0 / 2 : 1.0 / 6;

template <int D>
struct Corner {
  SimplexWeights<D> fresh, old;
};

template <int D>
using Piece = std::array<Corner<D>, D + 1>;

// Where the way from a to b leaves the half-space weight k ≥ 0 of the old simplex.
template <int D>
Corner<D> cross(const Corner<D>& a, const Corner<D>& b, int k) {
  const double t = a.old[k] / (a.old[k] - b.old[k]);
  Corner<D> c{a.fresh + t * (b.fresh - a.fresh), a.old + t * (b.old - a.old)};
  c.old[k] = 0;
  return c;
}

// The integrals over the part of a piece where the old weights k, k+1, … are not negative.
template <int D>
class Cutter {
 public:
  explicit Cutter(double volume) : volume_(volume) {}

  void add(const Piece<D>& piece, int k) {
    if (k > D) return integrate(piece);
    std::array<int, D + 1> inside{}, outside{};
    int inside_count = 0, outside_count = 0;
    for (int c = 0; c <= D; ++c) {
      if (piece[at(c)].old[k] >= 0) {
        inside[at(inside_count++)] = c;
      } else {
        outside[at(outside_count++)] = c;
      }
    }
    if (outside_count == 0) return add(piece, k + 1);
    if (inside_count == 0) return;
    add_cut(piece, {inside.data(), at(inside_count)}, {outside.data(), at(outside_count)}, k);
  }

  const Overlap<D>& overlap() const { return overlap_; }

 private:
  static size_t at(int i) { return static_cast<size_t>(i); }

  // The part inside is the staircase of the corners inside and of the crossings: for each way from the first
  // to the last pair (i, j) that goes up in i or in j by one at a time, a simplex of the corners it passes.
  // With one corner outside, or one inside, that are D or one pieces; with two and two, a prism of three.
  void add_cut(const Piece<D>& piece, std::span<const int> inside, std::span<const int> outside, int k) {
    const auto crossing = [&](int i, int o) { return cross<D>(piece[at(i)], piece[at(o)], k); };
    const size_t m = inside.size();
    if (m == 1) {
      Piece<D> tip;
      tip[0] = piece[at(inside[0])];
      for (size_t o = 0; o < outside.size(); ++o) tip[o + 1] = crossing(inside[0], outside[o]);
      return add(tip, k + 1);
    }
    if (outside.size() == 1) {
      // A prism between the face inside and its picture on the plane: piece n has the first n+1 … corners.
      for (size_t n = 0; n < m; ++n) {
        Piece<D> part;
        size_t count = 0;
        for (size_t i = n; i < m; ++i) part[count++] = piece[at(inside[i])];
        for (size_t i = 0; i <= n; ++i) part[count++] = crossing(inside[i], outside[0]);
        add(part, k + 1);
      }
      return;
    }
    if constexpr (D == 3) {
      // Two and two: a prism with the triangles (p, p→r, p→s) and (q, q→r, q→s).
      const std::array<Corner<3>, 3> a{piece[at(inside[0])], crossing(inside[0], outside[0]),
                                       crossing(inside[0], outside[1])};
      const std::array<Corner<3>, 3> b{piece[at(inside[1])], crossing(inside[1], outside[0]),
                                       crossing(inside[1], outside[1])};
      add({a[0], a[1], a[2], b[0]}, k + 1);
      add({a[1], a[2], b[0], b[1]}, k + 1);
      add({a[2], b[0], b[1], b[2]}, k + 1);
    }
  }

  void integrate(const Piece<D>& piece) {
    CornerMatrix<D> fresh, old;
    for (int c = 0; c <= D; ++c) {
      fresh.col(c) = piece[at(c)].fresh;
      old.col(c) = piece[at(c)].old;
    }
    const double volume = volume_ * std::abs(fresh.determinant());
    const SimplexWeights<D> fresh_sum = fresh.rowwise().sum();
    const SimplexWeights<D> old_sum = old.rowwise().sum();
    overlap_.volume += volume;
    const double share = volume / ((D + 1) * (D + 2));
    overlap_.products.noalias() += share * (fresh_sum * old_sum.transpose() + fresh * old.transpose());
    overlap_.own.noalias() += share * (fresh_sum * fresh_sum.transpose() + fresh * fresh.transpose());
    ++overlap_.piece_count;
  }

  double volume_;
  Overlap<D> overlap_;
};

}  // namespace

template <int D>
PlacedSimplex<D> place_simplex(const std::array<Vec3, D + 1>& corners) {
  PlacedSimplex<D> placed;
  for (int c = 0; c <= D; ++c) {
    placed.corners(0, c) = 1;
    placed.corners.col(c).template tail<D>() = corners[static_cast<size_t>(c)].template head<D>();
  }
  placed.volume = kUnitVolume<D> * placed.corners.determinant();
  placed.inverse = placed.corners.inverse();
  return placed;
}

template <int D>
Overlap<D> compute_overlap(const PlacedSimplex<D>& fresh, const PlacedSimplex<D>& old) {
  const CornerMatrix<D> old_weights = old.inverse * fresh.corners;  // a column per corner of the new simplex
  for (int k = 0; k <= D; ++k) {
    if ((old_weights.row(k).array() < 0).all()) return {};
  }
  const CornerMatrix<D> fresh_weights = fresh.inverse * old.corners;
  for (int k = 0; k <= D; ++k) {
    if ((fresh_weights.row(k).array() < 0).all()) return {};
  }
  Piece<D> whole;
  for (int c = 0; c <= D; ++c) {
    whole[static_cast<size_t>(c)] = {SimplexWeights<D>::Unit(c), old_weights.col(c)};
  }
  Cutter<D> cutter(std::abs(fresh.volume));
  cutter.add(whole, 0);
  return cutter.overlap();
}

template PlacedSimplex<2> place_simplex<2>(const std::array<Vec3, 3>& corners);
template PlacedSimplex<3> place_simplex<3>(const std::array<Vec3, 4>& corners);
template Overlap<2> compute_overlap<2>(const PlacedSimplex<2>& fresh, const PlacedSimplex<2>& old);
template Overlap<3> compute_overlap<3>(const PlacedSimplex<3>& fresh, const PlacedSimplex<3>& old);

}  // namespace marrow
