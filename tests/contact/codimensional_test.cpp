// Wires and loose points: their stencils, contacts and step limit.
#include <gtest/gtest.h>

#include <random>

#include "contact/contact_set.h"
#include "contact/step_limit.h"
#include "geometry/distance/gap.h"

namespace marrow {
namespace {

// A wire along x, and loose points.
Mesh make_wire_and_points() {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0.5, 0.2, 0}, {2.1, 0, 0.1}, {0.5, 0.3, 0}};
  mesh.edges = {{0, 1}, {1, 2}};
  return mesh;
}

std::vector<Contact> find_contacts(const Mesh& mesh, double d_hat) {
  const CollisionMesh collision = build_collision_mesh(mesh);
  PairStencils pairs;
  make_pair_stencils(collision, compute_candidates(collision, mesh.points, d_hat), pairs);
  return build_contact_set({mesh.points, mesh.points, mesh.radii}, pairs, d_hat);
}

double smallest_distance(const std::vector<Contact>& contacts, int count) {
  double smallest = 1e300;
  for (const Contact& contact : contacts) {
    if (contact.shape.count == count) smallest = std::min(smallest, contact.point.compute_gap());
  }
  return smallest;
}

TEST(Codimensional, points_touch_wires_and_points) {
  const auto contacts = find_contacts(make_wire_and_points(), 0.25);
  // Point 3 over the first wire, point 4 off its end, points 3 and 5 beside each other.
  EXPECT_NEAR(smallest_distance(contacts, 3), 0.2, 1e-15);
  EXPECT_NEAR(smallest_distance(contacts, 2), 0.1, 1e-15);
  const ContactCounts counts = count_kinds(contacts);
  EXPECT_EQ(counts.edge_vertex, 1u);
  EXPECT_EQ(counts.vertex_vertex, 2u);
  EXPECT_EQ(contacts.size(), 3u);
}

TEST(Codimensional, radii_count) {
  Mesh mesh = make_wire_and_points();
  mesh.radii = {0.05, 0.05, 0.05, 0.01, 0.01, 0.02};
  const auto contacts = find_contacts(mesh, 0.25);
  EXPECT_NEAR(smallest_distance(contacts, 3), 0.14, 1e-15);
  EXPECT_NEAR(smallest_distance(contacts, 2), 0.07, 1e-15);
}

TEST(Codimensional, closest_point_of_a_tapered_edge_is_the_least_of_samples) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 300; ++trial) {
    PairBalls balls;
    for (int i = 0; i < 4; ++i) {
      balls.x[i] = {uniform(random), uniform(random), uniform(random)};
      balls.r[i] = trial % 2 == 0 ? 0 : 0.3 * (1 + uniform(random));
    }
    const PairPoint point = find_closest(kVertexEdge, balls);
    double least = 1e300;
    for (int k = 0; k <= 1000; ++k) {
      const double u = 1e-3 * k;
      const double rho = balls.r[0] + (1 - u) * balls.r[1] + u * balls.r[2];
      least = std::min(least, (balls.x[0] - (1 - u) * balls.x[1] - u * balls.x[2]).squaredNorm() - rho * rho);
    }
    EXPECT_LE(point.compute_squared(), least + 1e-14);
    EXPECT_GE(point.compute_squared(), least - 1e-5);
    EXPECT_EQ(point.region & 8, 0);
  }
}

// Two wires, or a wire and a triangle with edges as steep as spikes, with radii that taper or not.
Mesh make_two(bool has_triangle, double taper, double angle, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto along = [&] { return Vec3(1, angle * uniform(random), angle * uniform(random)); };
  Mesh mesh;
  mesh.points = {Vec3::Zero(), along()};
  mesh.edges = {{0, 1}};
  const Vec3 tip(0.5 * uniform(random), 0, 3);
  mesh.points.insert(mesh.points.end(), {tip, tip + along()});
  if (has_triangle) {
    mesh.points.push_back(tip + along());
    mesh.triangles = {{2, 3, 4}};
  } else {
    mesh.edges.push_back({2, 3});
  }
  for (size_t i = 0; i < mesh.points.size(); ++i) mesh.radii.push_back(0.3 + taper * uniform(random));
  return mesh;
}

// The least gap between the wire and the rest.
PairPoint find_two_gap(const Mesh& mesh) {
  PairPoint least;
  const auto look_at = [&](PairKind kind, const PairStencil& vertices) {
    const PairPoint point = find_gap(kind, gather_balls(vertices, 4, mesh.points, mesh.radii));
    if (least.region == 0 || point.compute_gap() < least.compute_gap()) least = point;
  };
  look_at(PairKind::EdgeEdge, {0, 1, 2, 3});
  if (mesh.triangles.empty()) return least;
  look_at(PairKind::EdgeEdge, {0, 1, 3, 4});
  look_at(PairKind::EdgeEdge, {0, 1, 2, 4});
  for (const Index i : {0, 1}) look_at(PairKind::PointTriangle, {i, 2, 3, 4});
  return least;
}

// Edge–edge contact vanishes between edges that are parallel or within the angle of their taper; something
// must act there in full, or the step limit stops Newton at a contact that nothing pushes apart.
TEST(Codimensional, whatever_comes_close_acts_in_full) {
  std::mt19937 random(11);
  constexpr double kGap = 1e-3, kDistance = 0.1;
  for (int trial = 0; trial < 2000; ++trial) {
    const double angle = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 0.02 : 0.4;
    Mesh mesh = make_two(trial % 2 == 0, trial % 5 == 0 ? 0 : 0.29, angle, random);
    const PairPoint apart = find_two_gap(mesh);
    ASSERT_GT(apart.compute_gap(), kGap);
    // Along the direction of the gap, which then shrinks by just as much.
    for (size_t i = 2; i < mesh.points.size(); ++i) {
      mesh.points[i] += (apart.compute_gap() - kGap) * apart.c.normalized();
    }
    ASSERT_NEAR(find_two_gap(mesh).compute_gap(), kGap, 1e-12);
    double nearest = 1e300, nearest_full = 1e300;
    for (const Contact& contact : find_contacts(mesh, kDistance)) {
      const double gap = contact.point.compute_gap();
      nearest = std::min(nearest, gap);
      if (contact.threshold == 0) nearest_full = std::min(nearest_full, gap);
    }
    EXPECT_LT(nearest, 1.5 * kGap) << trial;
    EXPECT_LT(nearest_full, 0.5 * kDistance) << trial;
  }
}

// The limit of a motion whose swept candidates are searched as the solver does.
StepLimit limit_of(const Mesh& mesh, const Points& end) {
  const CollisionMesh collision = build_collision_mesh(mesh);
  PairStencils pairs;
  make_pair_stencils(collision, compute_swept_candidates(collision, mesh.points, end, 0), pairs);
  return compute_collision_limit({mesh.points, end, mesh.radii}, pairs, 0);
}

TEST(Codimensional, step_stops_before_a_point_passes_a_wire) {
  const Mesh mesh = make_wire_and_points();
  Points end = mesh.points;
  end[3][1] = -0.2;  // through the wire at half time
  const StepLimit limit = limit_of(mesh, end);
  EXPECT_EQ(limit.cause, LimitCause::Collision);
  EXPECT_LT(limit.alpha, 0.5);
  EXPECT_GT(limit.alpha, 0.4);
}

TEST(Codimensional, step_stops_before_balls_meet) {
  Mesh mesh = make_wire_and_points();
  mesh.radii = {0, 0, 0, 0.01, 0, 0.03};
  Points end = mesh.points;
  end[5] += Vec3(0, -0.12, 0);  // meets point 3 after half of it
  const StepLimit limit = limit_of(mesh, end);
  EXPECT_EQ(limit.cause, LimitCause::Collision);
  EXPECT_LT(limit.alpha, 0.5);
  EXPECT_GT(limit.alpha, 0.4);
  end[5] = mesh.points[5] + Vec3(0, 0.1, 0);
  EXPECT_EQ(limit_of(mesh, end).cause, LimitCause::None);
}

}  // namespace
}  // namespace marrow
