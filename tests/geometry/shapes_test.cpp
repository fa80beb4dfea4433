#include "mesh/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

constexpr double kPi = std::numbers::pi;

// What must hold for a shape at its defaults.
struct Expectation {
  Shape shape;
  double volume;   // of the ideal body
  double quality;  // every tet is better
  int euler = 2;
  Vec3 size;  // of the bounding box
};

std::vector<Expectation> expectations() {
  const double link = 2 * (0.04 + kPi * 0.02) * kPi * 0.006 * 0.006;
  const double rod = kPi * 0.0025 * 0.9 + 4.0 / 3 * kPi * 0.000125;
  return {{BoxShape{}, 1, 0.75, 2, {1, 1, 1}},
          {SphereShape{}, kPi / 6, 0.65, 2, {1, 1, 1}},
          {CylinderShape{}, kPi / 4, 0.7, 2, {1, 1, 1}},
          {TorusShape{}, 2 * kPi * 0.4 * kPi * 0.0144, 0.6, 0, {1.04, 0.24, 1.04}},
          {ConeShape{}, kPi / 12, 0.45, 2, {1, 1, 1}},
          {PlateShape{}, 0.05, 0.7, 2, {1, 0.05, 1}},
          {RodShape{}, rod, 0.65, 2, {1, 0.1, 0.1}},
          {ChainLinkShape{}, link, 0.55, 0, {0.052, 0.092, 0.012}},
          {CardShape{}, 0.063 * 0.088 * 0.001, 0.4, 2, {0.063, 0.088, 0.001}},
          {WedgeShape{}, 0.5, 0.55, 2, {1, 1, 1}},
          {SpikeShape{}, 0.04 * 0.5 / 3, 0.2, 2, {0.2, 0.5, 0.2}}};
}

class ShapeTest : public testing::TestWithParam<Expectation> {};

INSTANTIATE_TEST_SUITE_P(AllShapes, ShapeTest, testing::ValuesIn(expectations()),
                         [](const auto& test) { return std::string(shape_name(test.param.shape)); });

// Doubles every count of cells.
struct Refine {
  void operator()(const char*, int& count, const Field&) { count *= 2; }
  void operator()(const char*, double&, const Field&) {}
  void operator()(const char*, Vec3&, const Field&) {}
};

// Every field says what it is.
struct DocCheck {
  template <class T>
  void operator()(const char* name, const T&, const Field& field) {
    EXPECT_NE(std::string(field.doc), "") << name;
  }
};

Shape refined(Shape shape) {
  Refine refine;
  std::visit([&](auto& s) { visit_fields(refine, s); }, shape);
  return shape;
}

TEST_P(ShapeTest, is_a_sound_body) {
  const Mesh mesh = build_shape(GetParam().shape);
  EXPECT_NO_THROW(check_tet_mesh(mesh, "shape"));
  EXPECT_NO_THROW(check_closed_surface(mesh, "shape"));
  EXPECT_EQ(mesh.triangles, extract_surface(mesh.tets));
  const MeshSummary summary = summarize(mesh);
  EXPECT_EQ(summary.components, 1);
  EXPECT_EQ(summary.euler_characteristic, GetParam().euler);
  EXPECT_TRUE(summary.closed && summary.manifold && summary.oriented);
  EXPECT_NEAR(compute_enclosed_volume(mesh.points, mesh.triangles), summary.volume, 1e-12 * summary.volume);
}

TEST_P(ShapeTest, quality_is_good_and_stays_so_when_refined) {
  EXPECT_GT(summarize(build_shape(GetParam().shape)).worst_tet_quality, GetParam().quality);
  if (std::holds_alternative<CardShape>(GetParam().shape)) return;  // always one cell thick
  EXPECT_GT(summarize(build_shape(refined(GetParam().shape))).worst_tet_quality, 0.9 * GetParam().quality);
}

TEST_P(ShapeTest, is_centred_and_of_the_right_size) {
  const MeshSummary summary = summarize(build_shape(GetParam().shape));
  const double scale = GetParam().size.norm();
  EXPECT_LT((summary.lower + summary.upper).norm(), 1e-12 * scale);
  EXPECT_LT((summary.upper - summary.lower - GetParam().size).norm(), 0.01 * scale);
}

TEST_P(ShapeTest, volume_converges) {
  const double coarse = summarize(build_shape(GetParam().shape)).volume;
  const double fine = summarize(build_shape(refined(GetParam().shape))).volume;
  const double ideal = GetParam().volume;
  EXPECT_NEAR(coarse, ideal, 0.12 * ideal);
  // Second order: halving the cells leaves a quarter of the error.
  EXPECT_LE(std::abs(fine - ideal), 0.3 * std::abs(coarse - ideal) + 1e-12 * ideal);
}

TEST_P(ShapeTest, fields_are_documented) {
  DocCheck check;
  Shape shape = GetParam().shape;
  std::visit([&](auto& s) { visit_fields(check, s); }, shape);
}

TEST(Shapes, coarsest_are_sound) {
  EXPECT_NO_THROW(check_tet_mesh(build_shape(SphereShape{.resolution = 1}), "sphere"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(ConeShape{.resolution = 1}), "cone"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(SpikeShape{.resolution = 1}), "spike"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(WedgeShape{.resolution = 1, .cells_z = 1}), "wedge"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(RodShape{.resolution = 1, .segments = 1}), "rod"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(TorusShape{.resolution = 1, .segments = 3}), "torus"));
  EXPECT_NO_THROW(check_tet_mesh(build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1}), "box"));
  const ChainLinkShape link{.resolution = 1, .bend_segments = 2, .straight_segments = 1};
  EXPECT_NO_THROW(check_tet_mesh(build_shape(link), "chain_link"));
}

std::string message(const Shape& shape) {
  try {
    build_shape(shape);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "no error";
}

TEST(Shapes, impossible_values_are_refused) {
  EXPECT_EQ(message(SphereShape{.radius = -1}), "sphere: radius must be above 0, is -1");
  EXPECT_EQ(message(BoxShape{.size = {1, 0, 1}}), "box: size must be above 0, is 0");
  EXPECT_EQ(message(BoxShape{.cells_x = 0}), "box: cells_x must be at least 1, is 0");
  EXPECT_EQ(message(SphereShape{.radius = NAN}), "sphere: radius must be a finite number, is nan");
  EXPECT_EQ(message(TorusShape{.ring_radius = 0.1, .tube_radius = 0.1}),
            "torus: ring_radius must be above tube_radius");
  EXPECT_EQ(message(RodShape{.length = 0.1}), "rod: length must be above twice the radius");
  EXPECT_EQ(message(SphereShape{.resolution = 1000}), "sphere: 48000 million tets are too many");
}

}  // namespace
}  // namespace marrow
