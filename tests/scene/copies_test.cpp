// Scattered bodies: never in each other, the same every time, refused where they do not fit.
#include <gtest/gtest.h>

#include "core/error.h"
#include "mesh/point_box.h"
#include "scene/copies/place_copies.h"
#include "scene/mesh_points.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

std::string scatter_scene(int count, int seed, const std::string& keys = "") {
  return R"({"bodies": [{"name": "b", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.1, 0.1]}, )" +
         keys + R"("copies": {"type": "scatter", "count": )" + std::to_string(count) + R"(, "seed": )" +
         std::to_string(seed) + R"(, "min": [0, 0, 0], "max": [1, 1, 1], "turned": true}}]})";
}

double smallest_distance(const Scene& scene) {
  double smallest = 1e300;
  std::vector<Points> placed;
  for (const BodyDescription& body : scene.bodies)
    placed.push_back(place_points(read_own_points(body, ""), body));
  for (size_t i = 0; i < placed.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const Vec3 a = compute_box(placed[i]).center(), b = compute_box(placed[k]).center();
      smallest = std::min(smallest, (a - b).norm());
    }
  }
  return smallest;
}

TEST(Scatter, spheres_around_bodies_keep_the_gap) {
  const Scene scene = parse_scene(scatter_scene(40, 1), "scene.json");
  ASSERT_EQ(scene.bodies.size(), 40u);
  const double diagonal = Vec3(0.2, 0.1, 0.1).norm();
  // A box turned about its middle keeps its middle; the spheres have its diagonal, the gap is a hundredth of
  // it.
  EXPECT_GE(smallest_distance(scene), 1.01 * diagonal - 1e-12);
  for (const BodyDescription& body : scene.bodies) {
    EXPECT_TRUE((body.position.array() >= 0).all() && (body.position.array() <= 1).all());
  }
}

TEST(Scatter, seed_decides) {
  const Scene a = parse_scene(scatter_scene(5, 7), "scene.json"),
              b = parse_scene(scatter_scene(5, 7), "scene.json");
  const Scene c = parse_scene(scatter_scene(5, 8), "scene.json");
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(a.bodies[i].position, b.bodies[i].position);
    EXPECT_EQ(a.bodies[i].rotation, b.bodies[i].rotation);
    EXPECT_NE(a.bodies[i].position, c.bodies[i].position);
    EXPECT_NE(a.bodies[i].rotation, c.bodies[i].rotation);
  }
  EXPECT_NE(a.bodies[0].rotation, a.bodies[1].rotation);
}

TEST(Scatter, what_does_not_fit_is_refused) {
  try {
    parse_scene(scatter_scene(400, 1), "scene.json");
    FAIL() << "400 spheres of 0.25 m in a cube of 1 m";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().json_path, "bodies[0].copies");
    EXPECT_NE(error.problem().find("of 400 copies found a place without touching others"), std::string::npos);
  }
}

TEST(Scatter, sizes_and_centres_count) {
  // The mesh's own origin plays no part, its size does.
  const Scene scene = parse_scene(
      scatter_scene(20, 1, R"-("size": "0.05 + 0.2 * random(i)", "center": true, )-"), "scene.json");
  double largest = 0;
  for (const BodyDescription& body : scene.bodies) largest = std::max(largest, body.scale.x() * 0.2);
  EXPECT_GT(largest, 0.15);
  EXPECT_FALSE(scene.bodies[0].size.has_value());
}

TEST(Scatter, groups_avoid_each_other) {
  const Scene scene = parse_scene(
      R"({"bodies": [
        {"kind": "rigid", "shape": {"type": "sphere", "radius": 0.1}, "copies": {"type": "scatter", "count": 10,
         "min": [0, 0, 0], "max": [0.8, 0.8, 0.8]}},
        {"kind": "rigid", "shape": {"type": "sphere", "radius": 0.1}, "copies": {"type": "scatter", "count": 10,
         "min": [0, 0, 0], "max": [0.8, 0.8, 0.8]}}]})",
      "scene.json");
  EXPECT_GE(smallest_distance(scene), 0.2);
}

// The number of tries in place_copies.cpp: below 25 % of the volume, no sphere is left over.
TEST(Scatter, a_quarter_of_the_volume_fits) {
  // Centres in a box of 1 m; the spheres reach beyond it by their radius.
  const double radius = 0.06;
  const int count =
      static_cast<int>(0.25 * std::pow(1 + 2 * radius, 3) / (4.0 / 3 * 3.14159265 * std::pow(radius, 3)));
  for (int seed = 1; seed <= 5; ++seed) {
    ScatterCopies scatter;
    scatter.max = Vec3::Ones();
    scatter.seed = seed;
    std::vector<CopySphere> spheres(static_cast<size_t>(count), {Vec3::Zero(), radius}), taken;
    EXPECT_EQ(scatter_spheres(scatter, Vec3::Zero(), 0, spheres, taken), spheres.size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace marrow
