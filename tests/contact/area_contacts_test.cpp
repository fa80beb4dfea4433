// Contact weighted by area: pressure between plates does not depend on their meshes, and a surface counts
// once.
#include "contact/weighting/area_contacts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/distance/crossing.h"

namespace marrow {
namespace {

constexpr double kDHat = 0.01;

// A plate of cells × cells squares cut in two, corners moved at random, turned about its normal.
struct Plate {
  int cells = 4;
  double size = 1, height = 0, turn = 0;
  unsigned seed = 1;
};

void add_plate(const Plate& plate, Mesh& mesh) {
  std::mt19937 random(plate.seed);
  std::uniform_real_distribution<double> uniform(-0.3, 0.3);
  const auto first = static_cast<Index>(mesh.points.size());
  const int n = plate.cells;
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= n; ++k) {
      const bool is_border_i = i == 0 || i == n, is_border_k = k == 0 || k == n;
      const double u = (i + (is_border_i ? 0 : uniform(random))) / n - 0.5;
      const double v = (k + (is_border_k ? 0 : uniform(random))) / n - 0.5;
      const double c = std::cos(plate.turn), s = std::sin(plate.turn);
      mesh.points.emplace_back(plate.size * (c * u - s * v), plate.height, plate.size * (s * u + c * v));
    }
  }
  const auto at = [&](int i, int k) { return first + static_cast<Index>(i * (n + 1) + k); };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      if (random() % 2 == 0) {
        mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
        mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
      } else {
        mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i, k + 1)});
        mesh.triangles.push_back({at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)});
      }
    }
  }
}

struct TwoSurfaces {
  Mesh mesh;
  CollisionMesh collision;
  CandidateFilter filter;

  void finish(size_t first_of_second) {
    collision = build_collision_mesh(mesh);
    collision.has_vertex_wires = true;
    for (size_t i = 0; i < mesh.points.size(); ++i) collision.bodies.push_back(i < first_of_second ? 0 : 1);
  }
  std::vector<Contact> find(const Points& x, double d_hat = kDHat) const {
    PairStencils pairs;
    make_pair_stencils(collision, compute_candidates(collision, x, d_hat, filter), pairs);
    const AreaWeights weights(collision, filter, mesh.points, d_hat);
    return build_area_contacts({x, mesh.points, collision.radii, collision.bodies}, pairs, d_hat, weights);
  }
};

// The forces of vertices, and of edges that cross, over those of the continuum on an area of 1 m².
struct Pressure {
  double of_vertices = 0, of_edges = 0;
};

Pressure press(const Plate& below, const Plate& above) {
  TwoSurfaces scene;
  add_plate(below, scene.mesh);
  const size_t split = scene.mesh.points.size();
  add_plate(above, scene.mesh);
  scene.finish(split);
  const double x = above.height / kDHat;
  const double expected = -2 * x * compute_barrier_function(x * x).first;
  Pressure pressure;
  for (const Contact& contact : scene.find(scene.mesh.points)) {
    double force = -2 * contact.multiplicity * contact.barrier.first * contact.point.c.norm() / contact.s_hat;
    if (contact.is_crossing) {
      force *= compute_crossing(gather_balls(contact.vertices, 4, scene.mesh.points, {}), contact.threshold);
    }
    (contact.is_crossing ? pressure.of_edges : pressure.of_vertices) += force / expected;
  }
  return pressure;
}

TEST(AreaContacts, vertices_press_alike_whatever_the_meshes) {
  for (const int cells_below : {1, 3, 7, 16}) {
    for (const int cells_above : {1, 2, 5, 16}) {
      for (const double height : {0.1, 0.5, 0.9}) {
        const Pressure pressure = press({.cells = cells_below, .seed = 3},
                                        {.cells = cells_above, .height = height * kDHat, .seed = 4});
        EXPECT_NEAR(pressure.of_vertices, kAreaShares.vertices, 1e-12) << cells_below << " " << cells_above;
      }
    }
  }
}

// Edges have their share in the mean over directions; with the vertices they are within 3 % in each case.
TEST(AreaContacts, edges_that_cross_have_their_share_in_the_mean) {
  const double share = 1 - kAreaShares.vertices;
  for (const auto& [below, above] : {std::pair(12, 12), std::pair(10, 24), std::pair(24, 10)}) {
    double sum = 0;
    constexpr int kTurns = 24;
    for (int k = 0; k < kTurns; ++k) {
      const double turn = 2 * std::numbers::pi * (k + 0.37) / kTurns;
      const Pressure pressure =
          press({.cells = 2 * below, .size = 2, .turn = turn, .seed = static_cast<unsigned>(k)},
                {.cells = above, .height = 0.5 * kDHat, .seed = static_cast<unsigned>(100 + k)});
      EXPECT_NEAR(kAreaShares.vertices + pressure.of_edges, 1, 0.03);
      sum += pressure.of_edges / kTurns;
    }
    EXPECT_NEAR(sum / share, 1, 0.03) << below << " " << above;
  }
}

// The coefficients that a vertex sees over a flat surface add up to one barrier, wherever it is.
TEST(AreaContacts, a_surface_counts_once_above_faces_edges_and_points) {
  for (const auto& [x, z] : {std::pair(0.1, 0.03), std::pair(0.0, 0.0), std::pair(0.125, 0.25),
                             std::pair(0.5, 0.1), std::pair(0.5, 0.5), std::pair(-0.25, 0.25)}) {
    TwoSurfaces scene;
    add_plate({.cells = 8, .seed = 9}, scene.mesh);
    for (size_t i = 0; i < scene.mesh.points.size(); ++i) {  // an even grid
      scene.mesh.points[i] =
          Vec3(static_cast<double>(i / 9) / 8 - 0.5, 0, static_cast<double>(i % 9) / 8 - 0.5);
    }
    const size_t split = scene.mesh.points.size();
    scene.mesh.points.emplace_back(x, 0.4 * kDHat, z);
    scene.finish(split);
    double count = 0;
    const AreaWeights weights(scene.collision, {}, scene.mesh.points, kDHat);
    for (const Contact& contact : scene.find(scene.mesh.points)) {
      EXPECT_EQ(contact.vertices[0], static_cast<Index>(split));
      count += contact.multiplicity / contact.weight;
    }
    EXPECT_EQ(count, 1) << x << " " << z;
  }
}

// In a valley both sides act, less their common edge; two wires that meet count once at their point.
TEST(AreaContacts, valleys_and_wires) {
  TwoSurfaces valley;
  valley.mesh.points = {{0, 0, -1}, {0, 0, 1}, {-1, 1, 0}, {1, 1, 0}, {0, 0.3 * kDHat, 0}};
  valley.mesh.triangles = {{0, 1, 3}, {1, 0, 2}};
  valley.finish(4);
  int positive = 0, negative = 0;
  for (const Contact& contact : valley.find(valley.mesh.points)) {
    EXPECT_EQ(contact.shape.count, contact.multiplicity > 0 ? 4 : 3);
    ++(contact.multiplicity > 0 ? positive : negative);
  }
  EXPECT_EQ(positive, 2);
  EXPECT_EQ(negative, 1);

  TwoSurfaces wires;
  wires.mesh.points = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0.3 * kDHat, 0}};
  wires.mesh.edges = {{0, 1}, {1, 2}};
  wires.finish(3);
  const std::vector<Contact> contacts = wires.find(wires.mesh.points);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_EQ(contacts[0].shape.count, 2);
  EXPECT_EQ(contacts[0].multiplicity, contacts[0].weight);
}

// A mesh finer than d̂, and a fold: at rest nothing acts.
TEST(AreaContacts, parts_of_one_body_do_not_act_at_rest) {
  TwoSurfaces scene;
  add_plate({.cells = 40, .size = 0.1, .seed = 5}, scene.mesh);  // elements of a quarter of d̂
  for (Vec3& p : scene.mesh.points) {
    if (p.x() > 0.02) p = Vec3(0.04 - p.x(), 0.3 * kDHat, p.z());  // folded back
  }
  scene.finish(scene.mesh.points.size());
  EXPECT_TRUE(scene.find(scene.mesh.points).empty());
  // Pressed flat, the sides of the fold act, and nothing else would at rest.
  Points x = scene.mesh.points;
  for (Vec3& p : x) p.y() *= 0.2;
  EXPECT_GT(scene.find(x).size(), 20u);
}

}  // namespace
}  // namespace marrow
