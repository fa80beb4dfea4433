// The stages from samples to an enclosing medial mesh, each by what it promises.
#include <gtest/gtest.h>

#include <random>

#include "mesh/surface.h"
#include "preprocess/medial/enclose_surface.h"
#include "preprocess/medial/fit_medial.h"
#include "preprocess/medial/measure_medial.h"
#include "preprocess/medial/medial_axis.h"
#include "preprocess/medial/medial_gates.h"
#include "preprocess/medial/simplify_medial.h"
#include "preprocess/solids.h"
#include "preprocess/volume/surface_samples.h"

namespace marrow {
namespace {

int euler_characteristic(const Mesh& medial) {
  return static_cast<int>(medial.points.size()) - static_cast<int>(medial.edges.size()) +
         static_cast<int>(medial.triangles.size());
}

struct Axis {
  Mesh surface;
  TriangleTree tree;
  Mesh axis;
  explicit Axis(Mesh s)
      : surface(std::move(s)),
        tree(surface.points, surface.triangles),
        axis(build_medial_axis(
            pair_thin_samples(sample_by_spacing(surface.points, surface.triangles, 0.06), tree), tree)) {}
  MedialSimplifier simplifier() const {
    return {axis, 1, [this](const Vec3& x) { return tree.is_inside(x); }};
  }
};

// One slab and a cone hanging on it.
Mesh make_medial() {
  Mesh medial;
  medial.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 2, 0.5)};
  medial.radii = {0.3, 0.2, 0.4, 0.1};
  medial.edges = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
  medial.triangles = {{0, 1, 2}};
  return medial;
}

TEST(MedialAxis, spheres_of_a_torus_lie_inside_and_touch_its_surface) {
  const Axis torus(make_surface(TorusShape{.resolution = 2, .segments = 36}));
  ASSERT_GT(torus.axis.points.size(), 100u);
  for (size_t i = 0; i < torus.axis.points.size(); ++i) {
    EXPECT_NEAR(torus.tree.compute_signed_distance(torus.axis.points[i]), -torus.axis.radii[i], 1e-12);
  }
}

TEST(ThinParts, samples_of_a_plate_have_partners_across_and_balls_in_its_middle) {
  const Mesh plate = make_surface(BoxShape{.size = {1, 1e-4, 1}, .cells_x = 3, .cells_y = 1, .cells_z = 3});
  const TriangleTree tree(plate.points, plate.triangles);
  const PairedSamples pairs = pair_thin_samples(sample_by_spacing(plate.points, plate.triangles, 0.06), tree);
  int count = 0;
  for (size_t i = 0; i < pairs.points.size(); ++i) {
    if (pairs.partners[i] == kNone || pairs.points[i].cwiseAbs().maxCoeff() > 0.499) continue;  // no rims
    const Vec3 &p = pairs.points[i], &q = pairs.points[pairs.partners[i]];
    EXPECT_LT(p[1] * q[1], 0);
    EXPECT_NEAR(pairs.centers[i][1], 0, 1e-9);
    ++count;
  }
  EXPECT_GT(count, 300);
  // A cube is not thin.
  const Mesh cube = make_surface(BoxShape{});
  const TriangleTree cube_tree(cube.points, cube.triangles);
  const PairedSamples alone =
      pair_thin_samples(sample_by_spacing(cube.points, cube.triangles, 0.06), cube_tree);
  for (const Index partner : alone.partners) EXPECT_EQ(partner, kNone);
}

TEST(SurfaceSamples, slivers_get_as_many_as_their_area_and_edges_need) {
  const Points points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1e-3, 0)};
  EXPECT_LT(sample_by_spacing(points, {{0, 1, 2}}, 0.01).size(), 250u);
  // A large triangle is covered.
  const Points large = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const std::vector<SpacedSample> samples = sample_by_spacing(large, {{0, 1, 2}}, 0.1);
  for (const SurfaceSample& x : sample_by_area(large, {{0, 1, 2}}, 500)) {
    double least = 1;
    for (const SpacedSample& s : samples) least = std::min(least, (s.point - x.point).norm());
    EXPECT_LT(least, 0.1);
  }
}

TEST(MedialSimplifier, keeps_the_loop_of_a_torus_and_finds_its_circle) {
  const Axis torus(make_surface(TorusShape{.resolution = 2, .segments = 36}));
  MedialSimplifier simplifier = torus.simplifier();
  simplifier.collapse_to(16);
  EXPECT_EQ(simplifier.vertex_count(), 16);
  const Mesh medial = simplifier.take_mesh();
  EXPECT_EQ(euler_characteristic(medial), 0);
  for (size_t i = 0; i < medial.points.size(); ++i) {
    const Vec3& c = medial.points[i];
    EXPECT_NEAR(std::hypot(std::hypot(c[0], c[2]) - 0.4, c[1]), 0, 0.03);
    EXPECT_NEAR(medial.radii[i], 0.12, 0.03);
  }
  // A loop needs three vertices.
  simplifier.collapse_to(1);
  EXPECT_EQ(euler_characteristic(simplifier.take_mesh()), 0);
  EXPECT_EQ(simplifier.vertex_count(), 3);
}

TEST(MedialSimplifier, ball_becomes_one_sphere) {
  const Axis ball(make_surface(SphereShape{.radius = 0.5, .resolution = 4}));
  MedialSimplifier simplifier = ball.simplifier();
  simplifier.collapse_to(1);
  const Mesh medial = simplifier.take_mesh();
  ASSERT_EQ(medial.points.size(), 1u);
  EXPECT_LT(medial.points[0].norm(), 0.03);
  EXPECT_NEAR(medial.radii[0], 0.5, 0.03);
}

TEST(MedialSimplifier, parts_stay_apart) {
  const Mesh box = make_surface(BoxShape{});
  const Axis pair(join(box, box, Vec3(1.5, 0, 0)));
  MedialSimplifier simplifier = pair.simplifier();
  simplifier.collapse_to(1);
  EXPECT_EQ(simplifier.vertex_count(), 2);
}

TEST(SlabNormals, planes_touch_all_three_balls) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> coordinate(-1, 1), radius(0.1, 0.5);
  int found = 0;
  for (int i = 0; i < 200; ++i) {
    std::array<Vec4, 3> balls;
    for (Vec4& b : balls) b << coordinate(random), coordinate(random), coordinate(random), radius(random);
    std::array<Vec3, 2> normals;
    if (!find_slab_normals(balls, normals)) continue;
    ++found;
    for (const Vec3& n : normals) {
      EXPECT_NEAR(n.norm(), 1, 1e-12);
      for (const Vec4& b : balls) {
        EXPECT_NEAR(n.dot((b - balls[0]).head<3>()) + b[3] - balls[0][3], 0, 1e-11);
      }
    }
  }
  EXPECT_GT(found, 100);
}

TEST(MedialShape, gap_is_the_least_over_all_interpolated_balls) {
  const Mesh medial = make_medial();
  const MedialShape shape(medial);
  ASSERT_EQ(shape.primitives().size(), 2u);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> coordinate(-1, 2.5);
  for (int i = 0; i < 100; ++i) {
    const Vec3 x(coordinate(random), coordinate(random), coordinate(random));
    double sampled = INFINITY;
    const auto consider = [&](const Vec3& c, double r) { sampled = std::min(sampled, (x - c).norm() - r); };
    constexpr int kSteps = 60;
    for (int a = 0; a <= kSteps; ++a) {
      const double s = static_cast<double>(a) / kSteps;
      consider((1 - s) * medial.points[2] + s * medial.points[3], (1 - s) * 0.4 + s * 0.1);
      for (int b = 0; a + b <= kSteps; ++b) {
        const double t = static_cast<double>(b) / kSteps;
        consider((1 - s - t) * medial.points[0] + s * medial.points[1] + t * medial.points[2],
                 (1 - s - t) * 0.3 + s * 0.2 + t * 0.4);
      }
    }
    const double gap = shape.find_nearest(x).gap;
    EXPECT_LE(gap, sampled + 1e-12);
    EXPECT_GE(gap, sampled - 0.02);
  }
}

TEST(MedialFit, sphere_off_centre_finds_its_ball) {
  const Mesh ball = make_surface(SphereShape{.radius = 0.5, .resolution = 6});
  Mesh medial;
  medial.points = {Vec3(0.1, -0.05, 0.08)};
  medial.radii = {0.3};
  const auto samples = sample_by_area(ball.points, ball.triangles, 3000);
  fit_medial(samples, {.iterations = 20, .outside_weight = 1}, medial);
  EXPECT_LT(medial.points[0].norm(), 0.005);
  EXPECT_NEAR(medial.radii[0], 0.5, 0.01);
}

TEST(Enclosure, every_triangle_is_in_one_primitive_and_no_sphere_shrinks) {
  const Axis rod(make_surface(RodShape{.length = 1, .radius = 0.1, .resolution = 3, .segments = 20}));
  MedialSimplifier simplifier = rod.simplifier();
  simplifier.collapse_to(6);
  Mesh medial = simplifier.take_mesh();
  const std::vector<double> before = medial.radii;
  enclose_surface(rod.surface, medial);
  for (size_t i = 0; i < before.size(); ++i) EXPECT_GE(medial.radii[i], before[i]);
  const Enclosure enclosure = measure_enclosure(rod.surface, medial);
  EXPECT_EQ(enclosure.vertices, 1);
  EXPECT_EQ(enclosure.triangles, 1);
  // So is every point of every triangle.
  const MedialShape shape(medial);
  for (const SurfaceSample& sample : sample_by_area(rod.surface.points, rod.surface.triangles, 2000, 4)) {
    EXPECT_LE(shape.find_nearest(sample.point).gap, 1e-12);
  }
}

TEST(MedialGates, steep_slabs_become_cones_and_steep_cones_spheres) {
  Mesh medial = make_medial();
  EXPECT_EQ(apply_gates(medial).slabs, 0);
  medial.radii[2] = 1.29;  // slope 0.99 against vertex 0: slab and cone go, vertex 0 lies in the large ball
  const GateReport report = apply_gates(medial);
  EXPECT_EQ(report.slabs, 1);
  EXPECT_GE(report.cones, 1);
  EXPECT_TRUE(medial.triangles.empty());
  for (const Edge& e : medial.edges) {
    EXPECT_LE(std::abs(medial.radii[e[0]] - medial.radii[e[1]]),
              kMaxConeSlope * (medial.points[e[0]] - medial.points[e[1]]).norm());
  }
}

TEST(MedialGates, of_spheres_at_the_same_place_the_largest_stays) {
  // A line of spheres a hundredth of a radius apart, and a far one; the second is the largest.
  Mesh medial;
  for (Index i = 0; i < 10; ++i) {
    medial.points.push_back(Vec3(i < 9 ? 0.01 * i : 5, 0, 0));
    medial.radii.push_back(i == 1 ? 1.01 : 1);
    if (i > 0) medial.edges.push_back({i - 1, i});
  }
  medial.triangles = {{0, 1, 9}, {1, 8, 9}};
  merge_spheres(medial);
  ASSERT_EQ(medial.points.size(), 4u);  // at 0.01, 0.04, 0.07 and 5
  EXPECT_EQ(medial.points[0], Vec3(0.01, 0, 0));
  EXPECT_EQ(medial.radii[0], 1.01);
  EXPECT_EQ(medial.edges, (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(medial.triangles, (std::vector<Triangle>{{0, 2, 3}}));
}

TEST(MedialError, of_a_ball_against_a_larger_one_is_the_difference_of_radii) {
  const Mesh ball = make_surface(SphereShape{.radius = 0.5, .resolution = 8});
  const TriangleTree tree(ball.points, ball.triangles);
  Mesh medial;
  medial.points = {Vec3::Zero()};
  medial.radii = {0.6};
  const MedialError error = measure_medial(ball, tree, medial, 0.02);
  EXPECT_NEAR(error.mean, 0.1, 0.01);
  EXPECT_NEAR(error.max, 0.1, 0.02);
  EXPECT_EQ(measure_enclosure(ball, medial).vertices, 1);
  medial.radii = {0.4};
  EXPECT_EQ(measure_enclosure(ball, medial).vertices, 0);
}

}  // namespace
}  // namespace marrow
