// Barrier and friction of contact that is weighted by area: derivatives.
#include <gtest/gtest.h>

#include <random>

#include "geometry/distance/crossing.h"
#include "mesh/surface.h"
#include "potential_battery.h"
#include "potentials/contact/barrier.h"
#include "potentials/contact/friction.h"

namespace marrow {
namespace {

constexpr double kDHat = 0.5;

// Two bumpy sheets of cells × cells squares, one above the other.
struct Sheets {
  Mesh mesh;
  std::vector<Index> bodies;
  std::unique_ptr<ContactFinder> finder;

  Sheets(double radius, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int body = 0; body < 2; ++body) {
      const auto first = static_cast<Index>(mesh.points.size());
      const int cells = 2 + body;
      for (int i = 0; i <= cells; ++i) {
        for (int k = 0; k <= cells; ++k) {
          mesh.points.emplace_back((i + 0.4 * uniform(random)) * 2 / cells,
                                   0.35 * body + 0.2 * uniform(random) + 4 * radius * body,
                                   (k + 0.4 * uniform(random)) * 2 / cells);
          bodies.push_back(body);
          mesh.radii.push_back(radius);
        }
      }
      const auto at = [&](int i, int k) { return first + static_cast<Index>(i * (cells + 1) + k); };
      for (int i = 0; i < cells; ++i) {
        for (int k = 0; k < cells; ++k) {
          mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
          mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
        }
      }
    }
    CollisionMesh collision = build_collision_mesh(mesh);
    collision.bodies = bodies;
    collision.has_vertex_wires = true;
    const auto count = static_cast<Index>(mesh.points.size());
    finder = std::make_unique<ContactFinder>(collision, CandidateFilter{}, NodeMap(build_identity(count)),
                                             mesh.points, kDHat, std::vector<CertifiedSurface>{}, true);
  }
  VecX nodes() const {
    VecX n(3 * static_cast<Index>(mesh.points.size()));
    for (size_t i = 0; i < mesh.points.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = mesh.points[i];
    return n;
  }
};

TEST(AreaBarrier, passes_the_battery_with_and_without_radii) {
  int crossings = 0, negatives = 0;
  for (const double radius : {0.0, 0.05}) {
    for (unsigned seed = 1; seed < 13; ++seed) {
      Sheets sheets(radius, seed);
      Barrier barrier(*sheets.finder);
      barrier.set_stiffness(3);
      const VecX n = sheets.nodes();
      const ContactsAt at = sheets.finder->find(n);
      for (const Contact& contact : at->contacts) {
        crossings += contact.is_crossing ? 1 : 0;
        negatives += contact.multiplicity < 0 ? 1 : 0;
      }
      const battery::Scale scale = {1e-3, 1e-5};
      battery::check_all(barrier, n, scale, false);
      battery::check_exact_hessian(barrier, n, scale);
    }
  }
  EXPECT_GT(crossings, 20);
  EXPECT_GT(negatives, 2);
}

TEST(AreaBarrier, crossing_edges_fade_at_their_ends) {
  PairBalls balls;
  balls.x = {Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0.2, 0.1, -1), Vec3(0.3, 0.1, 1)};
  const double threshold = compute_mollifier_threshold(balls);
  EXPECT_GT(compute_crossing(balls, threshold), 1);
  EXPECT_EQ(compute_crossing_derivatives(balls, threshold).value, compute_crossing(balls, threshold));
  for (Vec3* end : {&balls.x[2], &balls.x[3]}) end->x() += 0.7499;
  EXPECT_LT(compute_crossing(balls, threshold), 1e-5);
  for (Vec3* end : {&balls.x[2], &balls.x[3]}) end->x() += 0.0002;
  EXPECT_EQ(compute_crossing(balls, threshold), 0);
}

TEST(AreaFriction, passes_the_battery_and_no_normal_force_is_negative) {
  ContactModel model;
  model.friction = 0.5;
  model.body_friction.resize(2);
  for (unsigned seed = 1; seed < 4; ++seed) {
    Sheets sheets(0, seed);
    Friction friction(model, sheets.finder->map(), sheets.bodies);
    const VecX n = sheets.nodes();
    const ContactsAt at = sheets.finder->find(n);
    friction.set_start(n, 0.01);
    friction.set_contacts(*at, 3);
    double net = 0, strength = 0;
    for (const Contact& contact : at->contacts) net += compute_normal_force(contact, at->points(), 3);
    for (size_t k = 0; k < friction.contact_count(); ++k) {
      const Friction::ContactForce force = friction.compute_force(k, n);
      EXPECT_GE(force.strength, 0);
      strength += force.strength;
    }
    EXPECT_NEAR(strength, 0.5 * net, 1e-12 * net);
    const VecX moved = n + battery::random_vector(static_cast<Index>(n.size()), 0.05, 7);
    battery::check_all(friction, moved, {1e-3, 1e-5}, false);
  }
}

}  // namespace
}  // namespace marrow
