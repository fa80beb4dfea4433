// Bodies of curved tets: mass, motions that cost nothing, derivatives, orders of convergence, inversion.
#include "kinematics/elements/curved_elements.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <numbers>

#include "geometry/curved/quadrature.h"
#include "mesh/mesh_summary.h"
#include "mesh/shapes.h"
#include "potential_battery.h"
#include "potentials/elastic/curved_tets.h"
#include "potentials/elastic/elasticity.h"

namespace marrow {
namespace {

// A cube from 0 to 1 of n³ cells.
Mesh make_cube(int n) {
  Mesh mesh = build_shape(BoxShape{.size = Vec3::Ones(), .cells_x = n, .cells_y = n, .cells_z = n});
  for (Vec3& x : mesh.points) x += Vec3::Constant(0.5);
  return mesh;
}

VecX to_vector(const Points& points) {
  VecX v(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) v.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return v;
}

struct CurvedBody {
  CurvedMesh mesh;
  Kinematics kinematics;
  VecX nodes;
  std::vector<Material> materials;

  CurvedBody(const Mesh& straight, int order, const Material& material, bool is_bent = false)
      : mesh(raise_order(straight.points, straight.tets, order)), materials{material} {
    if (is_bent) {
      for (Vec3& x : mesh.nodes) x = (1 + 0.2 * x.squaredNorm()) * x + Vec3(0, 0.05 * std::sin(2 * x.z()), 0);
    }
    nodes = to_vector(add_curved_body("body", make_curved_shape(mesh, order, !is_bent), 1000, 0, kinematics));
  }
};

TEST(CurvedBody, has_the_mass_and_the_centre_of_its_shape) {
  const Mesh cube = make_cube(2);
  for (int order = 1; order <= kMostOrder; ++order) {
    for (const bool is_bent : {false, true}) {
      const CurvedBody body(cube, order, make_material(MaterialModel::NeoHookean, 1e5, 0.3), is_bent);
      const ScalarMatrix& mass = body.kinematics.bodies[0].mass;
      double total = 0, volume = 0;
      Vec3 moment = Vec3::Zero();
      for (Index i = 0; i < mass.rows(); ++i) {
        for (Index k = mass.offsets[static_cast<size_t>(i)]; k < mass.offsets[static_cast<size_t>(i) + 1];
             ++k) {
          total += mass.values[static_cast<size_t>(k)];
          moment += mass.values[static_cast<size_t>(k)] *
                    body.nodes.segment<3>(3 * mass.indices[static_cast<size_t>(k)]);
        }
      }
      for (const double v : body.kinematics.elements.volumes) volume += v;
      EXPECT_NEAR(total, 1000 * volume, 1e-9 * total) << order;
      if (is_bent) continue;
      EXPECT_NEAR(volume, 1, 1e-12);
      EXPECT_LT((moment / total - Vec3::Constant(0.5)).norm(), 1e-12);
    }
  }
}

// The volume of a bent body by quadrature is that of its boundary cut ever finer.
TEST(CurvedBody, encloses_its_volume) {
  for (int order = 2; order <= kMostOrder; ++order) {
    const CurvedBody body(make_cube(1), order, make_material(MaterialModel::NeoHookean, 1e5, 0.3), true);
    double volume = 0;
    for (const double v : body.kinematics.elements.volumes) volume += v;
    const auto error = [&](int cells) {
      const CurvedShape cut = make_curved_shape(body.mesh, cells, false);
      return std::abs(compute_enclosed_volume(cut.surface.points, cut.surface.triangles) - volume);
    };
    EXPECT_LT(error(16), 2e-3);
    EXPECT_NEAR(std::log2(error(8) / error(16)), 2, 0.1) << order;
  }
}

TEST(CurvedBody, moves_rigidly_and_strains_evenly_to_rounding) {
  Mat3 A;
  A << 1.1, 0.2, 0, -0.1, 0.9, 0.1, 0, 0.3, 1.2;
  const Mat3 R = Eigen::AngleAxisd(2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (int order = 1; order <= kMostOrder; ++order) {
    for (const bool is_bent : {false, true}) {
      const CurvedBody body(make_cube(1), order, make_material(MaterialModel::NeoHookean, 1, 0.3), is_bent);
      const Elements& elements = body.kinematics.elements;
      for (const Mat3& F : {A, R}) {
        VecX moved = body.nodes;
        for (Index i = 0; i < moved.size(); i += 3)
          moved.segment<3>(i) = F * body.nodes.segment<3>(i) + Vec3(3, -2, 1);
        for (size_t e = 0; e < elements.count(); ++e) {
          EXPECT_LT((compute_deformation_gradient(elements, e, moved) - F).cwiseAbs().maxCoeff(), 1e-12);
        }
      }
      Elasticity elasticity(elements, body.materials, body.kinematics.node_count);
      VecX turned = body.nodes;
      for (Index i = 0; i < turned.size(); i += 3) turned.segment<3>(i) = R * body.nodes.segment<3>(i);
      EXPECT_NEAR(elasticity.compute_value(turned), 0, 1e-20);
      EXPECT_LT(battery::gradient_of(elasticity, turned).norm(), 1e-12);
    }
  }
}

// No motion but the six rigid ones is free.
TEST(CurvedBody, has_full_rank) {
  for (int order = 1; order <= kMostOrder; ++order) {
    Mesh tet;
    tet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tet.tets = {{0, 1, 2, 3}};
    const CurvedBody body(tet, order, make_material(MaterialModel::NeoHookean, 1, 0.3));
    Elasticity elasticity(body.kinematics.elements, body.materials, body.kinematics.node_count);
    const Eigen::SelfAdjointEigenSolver<MatX> solver(battery::hessian_of(elasticity, body.nodes));
    const VecX& values = solver.eigenvalues();
    EXPECT_LT(std::abs(values[5]), 1e-12 * values[values.size() - 1]);
    EXPECT_GT(values[6], 1e-4 * values[values.size() - 1]) << order;
  }
}

TEST(CurvedBody, passes_the_battery) {
  for (int order = 2; order <= kMostOrder; ++order) {
    const CurvedBody body(make_cube(1), order, make_material(MaterialModel::StableNeoHookean, 1, 0.3), true);
    Elasticity elasticity(body.kinematics.elements, body.materials, body.kinematics.node_count);
    const VecX n = body.nodes + battery::random_vector(static_cast<Index>(body.nodes.size()), 0.01, 3);
    battery::check_gradient(elasticity, n, {});
    const MatX exact = battery::assemble(elasticity.update_exact_hessian(n, 1), n);
    EXPECT_LT((exact - battery::difference_hessian(elasticity, n, 1e-3)).norm(), 1e-6 * exact.norm());
  }
}

// x = X + a (sin πY, sin πZ, sin πX), and the force per rest volume that holds a neo-Hookean cube there.
struct Wave {
  static constexpr double a = 0.1, pi = std::numbers::pi, k = a * pi;
  double mu, lambda;

  static Vec3 place(const Vec3& X) {
    return X + a * Vec3(std::sin(pi * X.y()), std::sin(pi * X.z()), std::sin(pi * X.x()));
  }

  Vec3 force(const Vec3& X) const {
    const Vec3 s(std::sin(pi * X.x()), std::sin(pi * X.y()), std::sin(pi * X.z()));
    const Vec3 c(std::cos(pi * X.x()), std::cos(pi * X.y()), std::cos(pi * X.z()));
    const double al = k * c.y(), be = k * c.z(), ga = k * c.x(), J = 1 + al * be * ga;
    Mat3 cof;
    cof << 1, be * ga, -ga, -al, 1, al * ga, al * be, -be, 1;
    const Vec3 grad =
        -k * k * k * pi * Vec3(s.x() * c.y() * c.z(), c.x() * s.y() * c.z(), c.x() * c.y() * s.z());
    const double slope = (mu + lambda - lambda * std::log(J)) / (J * J);
    return mu * a * pi * pi * Vec3(s.y(), s.z(), s.x()) - slope * cof * grad;
  }
};

// Calls visit(weight · volume, weights, nodes, place at rest) at points that integrate degree 2p + 4.
template <class Visit>
void integrate(const CurvedMesh& mesh, const Visit& visit) {
  const LagrangeBasis basis(mesh.order);
  for (const QuadraturePoint& point : make_tet_quadrature(2 * mesh.order + 4)) {
    const VecX w = basis.weights(point.lambda);
    for (size_t t = 0; t < mesh.tet_count(); ++t) {
      const std::span<const Index> nodes = mesh.nodes_of(t);
      const auto at = [&](size_t c) { return mesh.nodes[static_cast<size_t>(nodes[c])]; };
      Vec3 X = Vec3::Zero();
      for (size_t c = 0; c < 4; ++c) X += point.lambda[static_cast<Index>(c)] * at(c);
      visit(point.weight * compute_tet_volume(at(0), at(1), at(2), at(3)), w, nodes, X);
    }
  }
}

// Equilibrium with the wave's force, its places kept on the border; the L² error.
double solve_wave(int order, int n) {
  const Material material = make_material(MaterialModel::NeoHookean, 1, 0.3);
  CurvedBody body(make_cube(n), order, material);
  const Wave wave{material.lame_mu, material.lame_lambda};
  VecX load = VecX::Zero(body.nodes.size());
  integrate(body.mesh, [&](double weight, const VecX& w, std::span<const Index> nodes, const Vec3& X) {
    const Vec3 force = weight * wave.force(X);
    for (size_t k = 0; k < nodes.size(); ++k)
      load.segment<3>(3 * nodes[k]) += w[static_cast<Index>(k)] * force;
  });
  Elasticity elasticity(body.kinematics.elements, body.materials, body.kinematics.node_count);
  VecX x = body.nodes;
  std::vector<Index> number(static_cast<size_t>(x.size()), kNone);
  Index unknowns = 0;
  for (Index i = 0; i < x.size(); i += 3) {
    const Vec3 X = body.nodes.segment<3>(i);
    x.segment<3>(i) = Wave::place(X);  // a start, and what stays on the border
    if (X.minCoeff() < 1e-9 || X.maxCoeff() > 1 - 1e-9) continue;
    for (Index c = 0; c < 3; ++c) number[static_cast<size_t>(i + c)] = unknowns++;
  }
  for (int iteration = 0; iteration < 12; ++iteration) {
    const VecX residual = battery::gradient_of(elasticity, x) - load;
    VecX right(unknowns);
    for (Index i = 0; i < x.size(); ++i) {
      if (number[static_cast<size_t>(i)] != kNone) right[number[static_cast<size_t>(i)]] = residual[i];
    }
    if (right.norm() < 1e-14) break;
    std::vector<Eigen::Triplet<double>> entries;
    const StencilGroup& group = *elasticity.update_exact_hessian(x, 1);
    for (size_t s = 0; s < group.stencil_count(); ++s) {
      const auto nodes = group.nodes_of(s);
      group.for_each_block(s, [&](size_t a, size_t b, size_t k) {
        for (Index r = 0; r < 3; ++r) {
          for (Index c = 0; c < 3; ++c) {
            const Index i = number[static_cast<size_t>(3 * nodes[a] + r)],
                        j = number[static_cast<size_t>(3 * nodes[b] + c)];
            if (i == kNone || j == kNone) continue;
            entries.emplace_back(i, j, group.blocks[k](r, c));
            if (a != b) entries.emplace_back(j, i, group.blocks[k](r, c));
          }
        }
      });
    }
    Eigen::SparseMatrix<double> H(unknowns, unknowns);
    H.setFromTriplets(entries.begin(), entries.end());
    const VecX move = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(H).solve(right);
    for (Index i = 0; i < x.size(); ++i) {
      if (number[static_cast<size_t>(i)] != kNone) x[i] -= move[number[static_cast<size_t>(i)]];
    }
  }
  double squared = 0;
  integrate(body.mesh, [&](double weight, const VecX& w, std::span<const Index> nodes, const Vec3& X) {
    Vec3 error = -Wave::place(X);
    for (size_t k = 0; k < nodes.size(); ++k) error += w[static_cast<Index>(k)] * x.segment<3>(3 * nodes[k]);
    squared += weight * error.squaredNorm();
  });
  return std::sqrt(squared);
}

// Errors in L² fall with order p + 1 under refinement: at least p + 0.8 is asked for.
TEST(CurvedBody, converges_with_its_order) {
  const std::array<std::array<int, 2>, 4> sizes = {{{4, 8}, {3, 6}, {2, 4}, {2, 3}}};
  std::array<double, 4> coarse, fine;
  for (int order = 1; order <= kMostOrder; ++order) {
    const auto& [few, many] = sizes[static_cast<size_t>(order) - 1];
    coarse[static_cast<size_t>(order) - 1] = solve_wave(order, few);
    fine[static_cast<size_t>(order) - 1] = solve_wave(order, many);
    const double slope =
        std::log(coarse[static_cast<size_t>(order) - 1] / fine[static_cast<size_t>(order) - 1]) /
        std::log(static_cast<double>(many) / few);
    EXPECT_GT(slope, order + 0.8) << "order " << order;
    EXPECT_LT(slope, order + 1.5) << "order " << order;
    RecordProperty("slope_" + std::to_string(order), std::to_string(slope));
    RecordProperty("error_" + std::to_string(order), std::to_string(fine[static_cast<size_t>(order) - 1]));
  }
}

// Errors fall with the order on one mesh.
TEST(CurvedBody, converges_under_p) {
  double last = 1;
  for (int order = 1; order <= kMostOrder; ++order) {
    const double error = solve_wave(order, 2);
    EXPECT_LT(error, 0.3 * last) << order;
    last = error;
  }
}

// A path that turns a corner over between the points of quadrature is cut before it.
TEST(CurvedTetGuard, sees_what_quadrature_does_not) {
  Mesh tet;
  tet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tet.tets = {{0, 1, 2, 3}};
  const CurvedBody body(tet, 2, make_material(MaterialModel::StableNeoHookean, 1, 0.3));
  Elasticity elasticity(body.kinematics.elements, body.materials, body.kinematics.node_count);
  ASSERT_EQ(body.kinematics.curved.size(), 1u);
  const CurvedTetGuard limit(body.kinematics.curved[0], body.materials, body.kinematics.node_count);
  // The node in the middle of the edge from the first to the second corner moves along the edge, past a
  // quarter.
  VecX direction = VecX::Zero(body.nodes.size());
  direction[3 * 4] = -0.3;
  const NodePath path{body.nodes, direction, {}};
  const StepLimit seen = elasticity.compute_step_limit(path);
  const StepLimit certified = limit.compute_step_limit(path);
  EXPECT_GE(seen.alpha, 1);
  // ∂x/∂ξ₁ at the first corner is 1 + 4 (−0.3 t): a tenth is left at t = 0.75.
  EXPECT_NEAR(certified.alpha, 0.75, 2e-3);
  EXPECT_EQ(certified.cause, LimitCause::Inversion);
}

// The guard is 0 in a healthy tet, and passes the battery where it acts.
TEST(CurvedTetGuard, acts_where_a_corner_is_nearly_flat) {
  for (int order = 2; order <= kMostOrder; ++order) {
    CurvedBody body(make_cube(1), order, make_material(MaterialModel::StableNeoHookean, 1, 0.3));
    CurvedTetGuard guard(body.kinematics.curved[0], body.materials, body.kinematics.node_count);
    EXPECT_EQ(guard.compute_value(body.nodes), 0);
    VecX flat = body.nodes;
    for (Index i = 0; i < flat.size(); i += 3) flat[i] *= 0.05;
    flat += battery::random_vector(static_cast<Index>(flat.size()), 1e-3 / order, 3);
    const double value = guard.compute_value(flat);
    EXPECT_GT(value, 0);
    ASSERT_TRUE(std::isfinite(value));
    battery::check_gradient(guard, flat, {1e-3, 1e-5});
    const MatX H = battery::hessian_of(guard, flat);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(H).eigenvalues()[0], -1e-9 * H.norm());
    for (Index i = 0; i < flat.size(); i += 3) flat[i] = -body.nodes[i];
    EXPECT_EQ(guard.compute_value(flat), std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace marrow
