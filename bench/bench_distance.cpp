// Errors of the distance derivatives against finite differences in quad precision, for every region of the
// closest points and every case of radii.
//
// f = |c|² − ρ² of random pairs; central differences of f with step 1e-9 (gradient) and 1e-8 (Hessian), all
// in quad precision, so that they are good to about 1e-16. Errors are the largest entry of the difference
// over the largest entry of the difference quotient: the median and the worst of all pairs of the region.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "geometry/distance/distance.h"

namespace marrow {
namespace {

constexpr int kPairs = 1500;  // of each kind and case of radii

struct QuadBalls {
  Quad x[12], r[4];
};

Quad compute_squared(PairKind kind, const QuadBalls& balls) {
  Stencil<Quad> s;
  for (int i = 0; i < 4; ++i) {
    s.x[i] = {balls.x[3 * i], balls.x[3 * i + 1], balls.x[3 * i + 2]};
    s.r[i] = balls.r[i];
  }
  const PairCoefficients<Quad> k = make_coefficients(kind, s);
  const Closest<Quad> p = find_closest(kind, k);
  return detail::medial_distance<Taper::Some>(k, p.u, p.v);
}

// f where two coordinates are moved.
Quad move(PairKind kind, QuadBalls balls, int i, Quad a, int j, Quad b) {
  balls.x[i] += a;
  balls.x[j] += b;
  return compute_squared(kind, balls);
}

struct Errors {
  double gradient, hessian;
};

Errors measure(PairKind kind, const PairBalls& balls, const PairPoint& point) {
  QuadBalls quad;
  for (int i = 0; i < 12; ++i) quad.x[i] = balls.x[i / 3][i % 3];
  for (int i = 0; i < 4; ++i) quad.r[i] = balls.r[i];
  Vec12 g;
  Mat12 H;
  const Quad h = 1e-9, k = 1e-8;
  for (int i = 0; i < 12; ++i) {
    g[i] = static_cast<double>((move(kind, quad, i, h, i, 0) - move(kind, quad, i, -h, i, 0)) / (2 * h));
    for (int j = 0; j <= i; ++j) {
      const Quad corners = move(kind, quad, i, k, j, k) - move(kind, quad, i, k, j, -k) -
                           move(kind, quad, i, -k, j, k) + move(kind, quad, i, -k, j, -k);
      H(i, j) = H(j, i) = static_cast<double>(corners / (4 * k * k));
    }
  }
  const SchurFactor schur = compute_schur_factor(point, make_directions(shape_of(kind), balls, point.region));
  const auto relative = [](const auto& a, const auto& b) {
    return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
  };
  return {relative(compute_squared_gradient(point), g), relative(compute_squared_hessian(point, schur), H)};
}

std::string describe(PairKind kind, Region region) {
  int count[2] = {0, 0};
  for (int i = 0; i < 4; ++i) count[i < front_count(kind) ? 0 : 1] += region >> i & 1;
  static constexpr const char* kNames[] = {"", "vertex", "edge", "triangle"};
  return fmt::format("{}–{}", kNames[count[0]], kNames[count[1]]);
}

PairBalls make_pair(std::mt19937& random, int radii) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0, 0.4);
  PairBalls balls;
  const double same = uniform(random);
  for (int i = 0; i < 4; ++i) {
    balls.x[i] = {normal(random), normal(random), normal(random)};
    balls.r[i] = radii == 0 ? 0 : radii == 1 ? same : uniform(random);
  }
  return balls;
}

void print_case(PairKind kind, int radii) {
  std::mt19937 random(11);
  std::map<std::string, std::vector<Errors>> regions;
  for (int k = 0; k < kPairs; ++k) {
    const PairBalls balls = make_pair(random, radii);
    const PairPoint point = find_closest(kind, balls);
    if (point.compute_squared() > 0)
      regions[describe(kind, point.region)].push_back(measure(kind, balls, point));
  }
  static constexpr const char* kRadii[] = {"zero", "equal", "all different"};
  for (auto& [name, errors] : regions) {
    const auto column = [&](double Errors::*which) {
      std::sort(errors.begin(), errors.end(),
                [&](const Errors& a, const Errors& b) { return a.*which < b.*which; });
      return fmt::format("{:.1e} | {:.1e}", errors[errors.size() / 2].*which, errors.back().*which);
    };
    fmt::print("| {} | {} | {} | {} | {} | {} |\n",
               kind == PairKind::EdgeEdge ? "edge–edge" : "point–triangle", name, kRadii[radii],
               errors.size(), column(&Errors::gradient), column(&Errors::hessian));
  }
}

}  // namespace
}  // namespace marrow

int main() {
  fmt::print(
      "| pair | region | radii | pairs | gradient: median | worst | Hessian: median | worst |\n"
      "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
  for (const auto kind : {marrow::PairKind::EdgeEdge, marrow::PairKind::PointTriangle}) {
    for (int radii = 0; radii < 3; ++radii) marrow::print_case(kind, radii);
  }
}
