// The barrier: function, energy of contact sets, derivatives, projection.
#include "potentials/contact/barrier.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "exec/parallel.h"
#include "math/barrier_function.h"
#include "potentials/contact/barrier_ramp.h"

namespace marrow {
namespace {

constexpr double kActivation = 0.3;

// A small heap of loose triangles close to each other, with all pairs as candidates, and with pairs of their
// vertices with edges and vertices as those of wires and loose points are.
struct Soup {
  Points x;
  std::vector<double> radii;
  PairStencils pairs;

  Soup(int triangles, double radius, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int k = 0; k < 3 * triangles; ++k) {
      const int layer = k / 3;
      x.emplace_back(uniform(random), uniform(random), 0.25 * layer + 0.1 * uniform(random));
      radii.push_back(radius * uniform(random));
    }
    const auto vertex = [](int triangle, int corner) {
      return static_cast<Index>(3 * triangle + corner % 3);
    };
    for (int a = 0; a < triangles; ++a) {
      for (int b = 0; b < triangles; ++b) {
        if (a == b) continue;
        for (int i = 0; i < 3; ++i) {
          pairs.vertex_face.push_back({vertex(a, i), vertex(b, 0), vertex(b, 1), vertex(b, 2)});
          pairs.vertex_edge.push_back({vertex(a, i), vertex(b, i), vertex(b, i + 1), vertex(b, i + 1)});
          if (a < b) pairs.vertex_vertex.push_back({vertex(a, i), vertex(b, i), vertex(b, i), vertex(b, i)});
          for (int j = 0; j < 3 && a < b; ++j) {
            pairs.edge_edge.push_back({vertex(a, i), vertex(a, i + 1), vertex(b, j), vertex(b, j + 1)});
          }
        }
      }
    }
  }

  std::vector<Contact> contacts_at(const Points& at) const {
    return build_contact_set({at, x, radii}, pairs, kActivation);
  }
  double energy_at(const Points& at) const {
    return compute_barrier_energy(contacts_at(at), {at, x, radii}, 2.5);
  }

  StencilGroup derivatives_at(const Points& at) const {
    const std::vector<Contact> contacts = contacts_at(at);
    ContactStencils stencils;
    const NodeMap map(build_identity(static_cast<Index>(x.size())));
    set_barrier_stencils(contacts, map, stencils);
    update_barrier_gradients(contacts, {at, x, radii}, map, 2.5, stencils);
    update_barrier_hessians(contacts, {at, x, radii}, map, 2.5, stencils);
    return stencils.group;
  }
  VecX gradient_at(const Points& at) const {
    VecX g = VecX::Zero(3 * static_cast<Index>(x.size()));
    derivatives_at(at).add_gradient(g);
    return g;
  }
  MatX hessian_at(const Points& at) const {
    const StencilGroup group = derivatives_at(at);
    const StencilGroup* groups[] = {&group};
    BlockAssembler assembler;
    BlockMatrix H;
    assembler.assemble(groups, static_cast<Index>(x.size()), H);
    return to_dense(H);
  }
};

Points moved(const Points& x, Index k, double t) {
  Points y = x;
  y[static_cast<size_t>(k / 3)][k % 3] += t;
  return y;
}

}  // namespace

TEST(BarrierFunction, derivatives_by_differences_and_signs) {
  for (double x = 0.01; x < 1; x += 0.013) {
    const double h = 1e-5 * x;
    const auto b = [](double t) { return compute_barrier_function(t); };
    EXPECT_NEAR(b(x).first, (b(x + h).value - b(x - h).value) / (2 * h), 1e-7 * (1 + std::abs(b(x).first)));
    EXPECT_NEAR(b(x).second, (b(x + h).first - b(x - h).first) / (2 * h), 1e-7 * (1 + b(x).second));
    EXPECT_LT(b(x).first, 0);
    EXPECT_GT(b(x).second, 0);
    EXPECT_EQ(b(x).value, compute_barrier_value(x));
  }
  EXPECT_EQ(compute_barrier_value(1), 0);
  EXPECT_EQ(compute_barrier_value(7), 0);
  EXPECT_TRUE(std::isinf(compute_barrier_value(0)));
  EXPECT_TRUE(std::isinf(compute_barrier_value(-1e-300)));
}

TEST(Barrier, gradient_is_the_derivative_of_the_energy) {
  for (const double radius : {0.0, 0.05}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      const Soup soup(4, radius, seed);
      const double energy = soup.energy_at(soup.x);
      if (!std::isfinite(energy) || energy == 0) continue;
      const VecX g = soup.gradient_at(soup.x);
      VecX difference(g.size());
      const double h = 1e-6;
      for (Index k = 0; k < g.size(); ++k) {
        difference[k] =
            (soup.energy_at(moved(soup.x, k, h)) - soup.energy_at(moved(soup.x, k, -h))) / (2 * h);
      }
      EXPECT_LE((g - difference).norm(), 2e-5 * g.norm()) << radius << " " << seed;
    }
  }
}

TEST(Barrier, hessian_is_positive_semi_definite_and_no_less_than_the_true_one) {
  int checked = 0;
  for (const double radius : {0.0, 0.05}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      const Soup soup(4, radius, seed);
      const double energy = soup.energy_at(soup.x);
      if (!std::isfinite(energy) || energy == 0) continue;
      ++checked;
      const MatX H = soup.hessian_at(soup.x);
      MatX exact(H.rows(), H.cols());
      const double h = 1e-6;
      for (Index k = 0; k < H.cols(); ++k) {
        exact.col(k) =
            (soup.gradient_at(moved(soup.x, k, h)) - soup.gradient_at(moved(soup.x, k, -h))) / (2 * h);
      }
      exact = (0.5 * (exact + exact.transpose())).eval();
      const Eigen::SelfAdjointEigenSolver<MatX> values(H), excess(H - exact);
      EXPECT_GE(values.eigenvalues().minCoeff(), -1e-12 * H.norm());
      // On the mollifier's ramp terms of the size of the angle are left out.
      EXPECT_GE(excess.eigenvalues().minCoeff(), -5e-3 * H.norm()) << radius << " " << seed;
      EXPECT_LE((H - exact).norm(), 0.8 * H.norm());
    }
  }
  EXPECT_GE(checked, 6);
}

TEST(Barrier, forces_and_torques_balance) {
  for (const double radius : {0.0, 0.05}) {
    const Soup soup(5, radius, 3);
    const VecX g = soup.gradient_at(soup.x);
    ASSERT_GT(g.norm(), 0);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (size_t i = 0; i < soup.x.size(); ++i) {
      const Vec3 f = g.segment<3>(3 * static_cast<Index>(i));
      force += f;
      torque += soup.x[i].cross(f);
    }
    EXPECT_LE(force.norm(), 1e-12 * g.norm());
    EXPECT_LE(torque.norm(), 1e-12 * g.norm());
  }
}

TEST(ContactSet, merged_contacts_have_the_energy_of_all_candidates) {
  for (const double radius : {0.0, 0.05}) {
    const Soup soup(6, radius, 5);
    double sum = 0;
    using List = std::vector<PairStencil> PairStencils::*;
    for (const List list : {&PairStencils::edge_edge, &PairStencils::vertex_face, &PairStencils::vertex_edge,
                            &PairStencils::vertex_vertex}) {
      for (const PairStencil& pair : soup.pairs.*list) {
        PairStencils one;
        (one.*list).push_back(pair);
        const ContactPoints points{soup.x, soup.x, soup.radii};
        const auto contacts = build_contact_set(points, one, kActivation);
        EXPECT_LE(contacts.size(), 1u);
        sum += compute_barrier_energy(contacts, points, 2.5);
      }
    }
    ASSERT_GT(sum, 0);
    EXPECT_NEAR(soup.energy_at(soup.x) / sum, 1, 1e-13);
    double multiplicity = 0;
    for (const Contact& contact : soup.contacts_at(soup.x))
      multiplicity = std::max(multiplicity, contact.multiplicity);
    EXPECT_GE(multiplicity, 2);
  }
}

TEST(ContactSet, parts_of_one_body_begin_where_they_are_nearer_than_at_rest) {
  const auto place = [](double height) {
    return Points{{0.2, 0.2, height}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  };
  const Points rest = place(0.5 * kActivation);
  PairStencils pairs;
  pairs.vertex_face.push_back({0, 1, 2, 3});
  const std::vector<Index> one = {0, 0, 0, 0}, two = {0, 1, 1, 1};
  const auto count_at = [&](double height, const std::vector<Index>& bodies) {
    const Points x = place(height);
    return build_contact_set({x, rest, {}, bodies}, pairs, kActivation).size();
  };
  EXPECT_EQ(count_at(0.5 * kActivation, one), 0u);
  EXPECT_EQ(count_at(0.36 * kActivation, one), 0u);
  EXPECT_EQ(count_at(0.35 * kActivation, one), 1u);
  EXPECT_EQ(count_at(0.5 * kActivation, two), 1u);
}

TEST(ContactSet, same_contacts_on_any_number_of_threads) {
  const Soup soup(40, 0.02, 9);
  exec::set_thread_count(1);
  const auto one = soup.contacts_at(soup.x);
  exec::set_thread_count(3);
  const auto three = soup.contacts_at(soup.x);
  exec::set_thread_count(0);
  ASSERT_EQ(one.size(), three.size());
  for (size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].vertices, three[k].vertices);
    EXPECT_EQ(one[k].point.w, three[k].point.w);
    EXPECT_EQ(one[k].multiplicity, three[k].multiplicity);
  }
}

Mat12 multiply_out(const LocalFactor& factor) {
  Mat12 sum = Mat12::Zero();
  for (int k = 0; k < factor.count; ++k) {
    Vec12 r;
    for (int i = 0; i < 4; ++i)
      r.segment<3>(3 * i) = factor.r[static_cast<size_t>(k)][static_cast<size_t>(i)];
    sum += r * r.transpose();
  }
  return sum;
}

// The closed form of level radii against the projection by eigenvalues, which a taper of no account takes.
TEST(BarrierRamp, closed_form_is_close_to_the_projection) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&](double size) -> Vec3 {
    return size * Vec3(uniform(random), uniform(random), uniform(random));
  };
  int tried = 0;
  for (int k = 0; k < 400; ++k) {
    // Within two degrees of parallel; every tenth exactly so.
    const Vec3 along(1, 0, 0), other = k % 10 == 0 ? along : Vec3(along + draw(0.02));
    const Vec3 x2 = Vec3(0.3 * uniform(random), 0.1, 0) + draw(0.01);
    const Points x = {Vec3::Zero(), along, x2, x2 + other};
    PairStencils pairs;
    pairs.edge_edge.push_back({0, 1, 2, 3});
    const std::vector<double> level(4, 0.01), tapered = {0.01, 0.01 + 1e-9, 0.01, 0.01};
    const std::vector<Contact> contacts = build_contact_set({x, x, level}, pairs, kActivation);
    if (contacts.size() != 1 || !(contacts[0].threshold > 0)) continue;
    const auto factorize = [&](const std::vector<double>& radii) {
      return multiply_out(factorize_ramp(contacts[0], gather_balls(contacts[0].vertices, 4, x, radii), 2));
    };
    const Mat12 projected = factorize(tapered);
    EXPECT_LT((factorize(level) - projected).norm(), 0.15 * projected.norm()) << k;
    ++tried;
  }
  EXPECT_GT(tried, 100);
}

}  // namespace marrow
