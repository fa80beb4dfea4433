// Barrier and friction as terms of an objective: the battery on touching tets, and what friction promises.
#include <gtest/gtest.h>

#include <memory>

#include "mesh/surface.h"
#include "potential_battery.h"
#include "potentials/contact/barrier.h"
#include "potentials/contact/friction.h"

namespace marrow {
namespace {

// Two tets, the tip of the upper one a little above the face of the lower one, and an edge nearby.
struct Pair {
  Points rest = {{0, 0, 0}, {1, 0.1, 0}, {0.1, 0, 1},       {0.3, -1, 0.3},
                 {1, 1, 0}, {0, 1, 0.9}, {0.3, 0.06, 0.25}, {0.1, 0.07, 0.9}};
  std::vector<Tet> tets = {{0, 1, 2, 3}, {4, 5, 6, 7}};

  std::unique_ptr<ContactFinder> make_finder() const {
    Mesh mesh;
    mesh.points = rest;
    mesh.tets = tets;
    mesh.triangles = extract_surface(tets);
    CollisionMesh collision = build_collision_mesh(mesh);
    collision.bodies = {0, 0, 0, 0, 1, 1, 1, 1};
    return std::make_unique<ContactFinder>(std::move(collision), CandidateFilter{},
                                           NodeMap(build_identity(8)), rest, 0.2);
  }
  VecX nodes() const {
    VecX n(3 * static_cast<Index>(rest.size()));
    for (size_t i = 0; i < rest.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = rest[i];
    return n;
  }
};

TEST(BarrierPotential, derivatives_and_projection) {
  const Pair pair;
  const std::unique_ptr<ContactFinder> finder = pair.make_finder();
  Barrier barrier(*finder);
  barrier.set_stiffness(3);
  const VecX n = pair.nodes();
  ASSERT_GE(finder->find(n)->contacts.size(), 3u);
  const VecX g = battery::gradient_of(barrier, n);
  for (unsigned seed = 0; seed < 5; ++seed) {
    const VecX direction = battery::random_vector(n.size(), 1, seed);
    EXPECT_NEAR(g.dot(direction), battery::slope_of(barrier, n, direction, 1e-5), 1e-5 * g.norm());
  }
  const MatX H = battery::hessian_of(barrier, n);
  const Eigen::SelfAdjointEigenSolver<MatX> values(H);
  EXPECT_GE(values.eigenvalues().minCoeff(), -1e-10 * H.norm());
  // Away from n, which is between two regions of the distance.
  battery::check_exact_hessian(barrier, n + battery::random_vector(n.size(), 0.003, 9), {1e-2, 1e-6});
}

TEST(BarrierPotential, steps_stop_before_contact) {
  const Pair pair;
  const std::unique_ptr<ContactFinder> finder = pair.make_finder();
  Barrier barrier(*finder);
  barrier.set_stiffness(3);
  const VecX n = pair.nodes();
  VecX direction = VecX::Zero(n.size());
  for (Index i = 4; i < 8; ++i) direction[3 * i + 1] = -5;
  const StepLimit limit = barrier.compute_step_limit({n, direction, {}});
  EXPECT_EQ(limit.cause, LimitCause::Collision);
  EXPECT_GT(limit.alpha, 0);
  EXPECT_LT(limit.alpha, 0.02);
  EXPECT_TRUE(std::isfinite(barrier.compute_value(n + limit.alpha * direction)));
  EXPECT_EQ(barrier.compute_step_limit({n, -direction, {}}).alpha, 1);
}

struct FrictionPair : Pair {
  ContactModel model;
  std::unique_ptr<ContactFinder> finder = make_finder();
  FrictionPair() {
    model.friction = 0.5;
    model.body_friction.resize(2);
  }
  Friction make_friction() {
    Friction friction(model, finder->map(), {0, 0, 0, 0, 1, 1, 1, 1});
    friction.set_start(nodes(), 0.01);
    friction.set_contacts(*finder->find(nodes()), 3);
    return friction;
  }
};

TEST(FrictionPotential, derivatives_while_sticking_and_sliding) {
  FrictionPair pair;
  Friction friction = pair.make_friction();
  for (const double sliding : {0.002, 0.05}) {
    const VecX n = pair.nodes() + battery::random_vector(24, sliding, 3);
    const VecX g = battery::gradient_of(friction, n);
    ASSERT_GT(g.norm(), 0);
    for (unsigned seed = 0; seed < 5; ++seed) {
      const VecX direction = battery::random_vector(24, 1, seed);
      EXPECT_NEAR(g.dot(direction), battery::slope_of(friction, n, direction, 1e-6), 1e-6 * g.norm());
    }
    // At least the true Hessian, and equal to it while sticking.
    const MatX H = battery::hessian_of(friction, n);
    const MatX excess = H - battery::difference_hessian(friction, n, 1e-6);
    if (sliding < 0.003) {
      EXPECT_LE(excess.norm(), 1e-5 * H.norm());
    }
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(excess).eigenvalues().minCoeff(), -1e-5 * H.norm());
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(H).eigenvalues().minCoeff(), -1e-12 * H.norm());
  }
}

TEST(FrictionPotential, sliding_feels_mu_times_the_normal_force) {
  FrictionPair pair;
  Friction friction = pair.make_friction();
  // The upper body slides far along x: every contact is beyond the smoothing.
  VecX n = pair.nodes();
  for (Index i = 4; i < 8; ++i) n[3 * i] += 10;
  double sum = 0;
  const ContactsAt at = pair.finder->find(pair.nodes());
  for (const Contact& contact : at->contacts) {
    const Vec3 normal = contact.point.c.normalized();
    const double along = std::sqrt(1 - normal.x() * normal.x());
    sum += 0.5 * compute_normal_force(contact, at->points(), 3) * along;
  }
  const VecX g = battery::gradient_of(friction, n);
  double force = 0;
  for (Index i = 4; i < 8; ++i) force += g[3 * i];
  EXPECT_NEAR(force, sum, 1e-10 * sum);
}

TEST(FrictionPotential, smoothing_joins_at_the_threshold) {
  const double e = 0.3;
  const FrictionFunction below = compute_friction_function(e * (1 - 1e-9), e);
  const FrictionFunction above = compute_friction_function(e, e);
  EXPECT_NEAR(below.value, above.value, 1e-8);
  EXPECT_NEAR(below.over_y, above.over_y, 1e-7);
  EXPECT_NEAR(below.second, above.second, 1e-7);
  EXPECT_EQ(compute_friction_function(0, e).over_y, 2 / e);
}

}  // namespace
}  // namespace marrow
