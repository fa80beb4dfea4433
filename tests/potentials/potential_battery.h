// The battery of every potential: derivatives along the gradient and in random directions, a positive
// semi-definite projected Hessian that bounds the true one from above, and the same bits on any number of
// threads.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <string>

#include "exec/parallel.h"
#include "potentials/potential.h"

namespace marrow::battery {

inline VecX random_vector(Index size, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  VecX v(size);
  for (Index i = 0; i < size; ++i) v[i] = scale * normal(random);
  return v;
}

inline VecX gradient_of(Potential& potential, const VecX& n) {
  VecX g = VecX::Zero(n.size());
  potential.add_gradient(n, 1, g);
  return g;
}

inline MatX assemble(const StencilGroup* group, const VecX& n) {
  const Index nodes = static_cast<Index>(n.size()) / 3;
  if (group == nullptr) return MatX::Zero(n.size(), n.size());
  BlockMatrix H;
  BlockAssembler assembler;
  const StencilGroup* groups[] = {group};
  assembler.assemble(groups, nodes, H);
  return to_dense(H);
}

inline MatX hessian_of(Potential& potential, const VecX& n) {
  return assemble(potential.update_hessian(n, 1), n);
}

// ∂E along direction, by a fourth-order difference.
inline double slope_of(const Potential& potential, const VecX& n, const VecX& direction, double h) {
  const auto E = [&](double t) { return potential.compute_value(n + t * direction); };
  return (8 * (E(h) - E(-h)) - (E(2 * h) - E(-2 * h))) / (12 * h);
}

// The exact Hessian, by fourth-order differences of the gradient.
inline MatX difference_hessian(Potential& potential, const VecX& n, double h) {
  MatX H(n.size(), n.size());
  for (Index k = 0; k < n.size(); ++k) {
    const auto g = [&](double t) {
      VecX moved = n;
      moved[k] += t;
      return gradient_of(potential, moved);
    };
    H.col(k) = (8 * (g(h) - g(-h)) - (g(2 * h) - g(-2 * h))) / (12 * h);
  }
  return H;
}

struct Scale {
  double length = 1;        // of the body [m]: sets the step of differences
  double tolerance = 1e-7;  // relative, of derivatives
};

inline void check_gradient(Potential& potential, const VecX& n, const Scale& scale) {
  const VecX g = gradient_of(potential, n);
  const double h = 1e-3 * scale.length;
  std::vector<VecX> directions = {random_vector(static_cast<Index>(n.size()), 1, 1).normalized(),
                                  random_vector(static_cast<Index>(n.size()), 1, 2).normalized()};
  if (g.norm() > 0) directions.push_back(g.normalized());
  for (const VecX& direction : directions) {
    EXPECT_NEAR(slope_of(potential, n, direction, h), g.dot(direction), scale.tolerance * (g.norm() + 1e-12))
        << potential.name();
  }
}

// is_exact: at this state nothing is projected away, so the Hessian must be the true one.
inline void check_hessian(Potential& potential, const VecX& n, const Scale& scale, bool is_exact) {
  const MatX H = hessian_of(potential, n);
  const MatX exact = difference_hessian(potential, n, 1e-3 * scale.length);
  const double size = std::max(exact.norm(), 1e-12);
  EXPECT_LE((H - H.transpose()).norm(), 1e-13 * size);
  const Eigen::SelfAdjointEigenSolver<MatX> values(H), excess(H - exact);
  EXPECT_GE(values.eigenvalues().minCoeff(), -1e-12 * size) << potential.name() << ": not PSD";
  EXPECT_GE(excess.eigenvalues().minCoeff(), -10 * scale.tolerance * size)
      << potential.name() << ": below the true one";
  if (is_exact) {
    EXPECT_LE((H - exact).norm(), 10 * scale.tolerance * size) << potential.name();
  }
}

// Of potentials that offer their Hessian as it is.
inline void check_exact_hessian(Potential& potential, const VecX& n, const Scale& scale) {
  const MatX H = assemble(potential.update_exact_hessian(n, 1), n);
  const MatX exact = difference_hessian(potential, n, 1e-3 * scale.length);
  EXPECT_LE((H - exact).norm(), 10 * scale.tolerance * exact.norm()) << potential.name();
}

inline void check_threads(Potential& potential, const VecX& n) {
  exec::set_thread_count(1);
  const double value = potential.compute_value(n);
  const VecX g = gradient_of(potential, n);
  exec::set_thread_count(3);
  EXPECT_EQ(potential.compute_value(n), value);
  EXPECT_EQ(gradient_of(potential, n), g);
  exec::set_thread_count(0);
}

inline void check_all(Potential& potential, const VecX& n, const Scale& scale, bool is_exact) {
  check_gradient(potential, n, scale);
  check_hessian(potential, n, scale, is_exact);
  check_threads(potential, n);
}

}  // namespace marrow::battery
