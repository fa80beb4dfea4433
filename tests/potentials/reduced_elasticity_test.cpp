// Medial bodies: the kinematics of their handles, and the elastic energy pulled back to them.
#include "potentials/elastic/reduced_elasticity.h"

#include <gtest/gtest.h>

#include "medial_bar.h"
#include "potential_battery.h"

namespace marrow {
namespace {

VecX to_vector(const Points& points) {
  VecX v(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) v.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return v;
}

struct Bar {
  Kinematics kinematics;
  VecX nodes;
  std::vector<Material> materials = {make_material(MaterialModel::StableNeoHookean, 1e3, 0.3)};
  // Another body in front, so that numbers of nodes do not start at 0. kinds: of the handles; empty: affine.
  explicit Bar(const std::vector<HandleKind>& kinds = {}) {
    Points all = add_soft_body("box", build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1}), 1,
                               MassKind::Lumped, 0, kinematics);
    MedialShapeData shape = make_medial_bar();
    shape.kinds = kinds;
    const Points own = add_medial_body("bar", std::move(shape), 700, 0, kinematics);
    all.insert(all.end(), own.begin(), own.end());
    nodes = to_vector(all);
  }
};

TEST(MedialBody, points_start_where_the_mesh_is_and_follow_a_common_affine_map) {
  const Bar bar;
  const Body& body = bar.kinematics.bodies[1];
  EXPECT_EQ(body.node_count, 12);
  Mat3 A;
  A << 1, 0.2, 0.1, -0.3, 1.2, 0, 0.4, 0.1, 0.8;
  VecX moved = bar.nodes;
  for (Index i = 0; i < moved.size(); i += 3)
    moved.segment<3>(i) = A * bar.nodes.segment<3>(i) + Vec3(5, 6, 7);
  Points start, end;
  compute_points(bar.kinematics, bar.nodes, start);
  compute_points(bar.kinematics, moved, end);
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    const size_t point = static_cast<size_t>(body.first_point) + i;
    EXPECT_LE((start[point] - body.rest.points[i]).norm(), 1e-13);
    EXPECT_LE((end[point] - (A * body.rest.points[i] + Vec3(5, 6, 7))).norm(), 1e-12);
  }
}

// Affine and quadratic handles in one body.
const std::vector<std::vector<HandleKind>> kMixtures = {
    {HandleKind::Quadratic, HandleKind::Affine, HandleKind::Affine},
    {HandleKind::Affine, HandleKind::Quadratic, HandleKind::Affine},
    {HandleKind::Quadratic, HandleKind::Affine, HandleKind::Quadratic},
    {HandleKind::Quadratic, HandleKind::Quadratic, HandleKind::Quadratic}};

TEST(MedialBody, mixed_handles_follow_a_common_affine_map_and_keep_the_mass) {
  for (const auto& kinds : kMixtures) {
    const Bar bar(kinds);
    const Body& body = bar.kinematics.bodies[1];
    const auto quadratic = std::count(kinds.begin(), kinds.end(), HandleKind::Quadratic);
    EXPECT_EQ(body.node_count, 12 + 6 * quadratic);
    EXPECT_EQ(bar.kinematics.reduced[0].handle_nodes.back(), body.node_count);
    Mat3 A;
    A << 1, 0.2, 0.1, -0.3, 1.2, 0, 0.4, 0.1, 0.8;
    VecX moved = bar.nodes;
    for (Index i = 0; i < moved.size(); i += 3)
      moved.segment<3>(i) = A * bar.nodes.segment<3>(i) + Vec3(5, 6, 7);
    Points end;
    compute_points(bar.kinematics, moved, end);
    for (size_t i = 0; i < body.rest.points.size(); ++i) {
      const size_t point = static_cast<size_t>(body.first_point) + i;
      EXPECT_LE((end[point] - (A * body.rest.points[i] + Vec3(5, 6, 7))).norm(), 1e-12);
    }
    double total = 0;
    for (const double m : body.mass.values) total += m;
    EXPECT_NEAR(total, 700 * 2 * 0.4 * 0.4, 1e-9);
  }
}

TEST(ReducedElasticity, battery_of_mixed_handles) {
  for (const auto& kinds : kMixtures) {
    const Bar bar(kinds);
    ReducedElasticity elasticity(bar.kinematics.reduced[0], bar.materials, bar.kinematics.node_count);
    battery::check_all(elasticity, bar.nodes + battery::random_vector(bar.nodes.size(), 0.003, 1),
                       {0.1, 1e-6}, false);
    battery::check_all(elasticity, 1.05 * bar.nodes, {0.1, 1e-6}, true);
  }
}

TEST(MedialBody, mass_is_that_of_the_filled_volume) {
  MedialShapeData half = make_medial_bar();
  std::fill(half.fills.begin(), half.fills.end(), 0.5);
  Kinematics kinematics;
  add_medial_body("bar", half, 700, 0, kinematics);
  double total = 0;
  for (const double m : kinematics.bodies[0].mass.values) total += m;
  EXPECT_NEAR(total, 0.5 * 700 * 2 * 0.4 * 0.4, 1e-9);
}

TEST(ReducedElasticity, battery) {
  const Bar bar;
  ReducedElasticity elasticity(bar.kinematics.reduced[0], bar.materials, bar.kinematics.node_count);
  const Index size = static_cast<Index>(bar.nodes.size());
  battery::check_all(elasticity, bar.nodes + battery::random_vector(size, 0.005, 1), {0.1, 1e-6}, false);
  battery::check_all(elasticity, 1.05 * bar.nodes, {0.1, 1e-6}, true);
}

TEST(ReducedElasticity, battery_where_tets_without_stiffness_hang_on) {
  MedialShapeData shape = make_medial_bar();
  for (size_t t = 0; t < shape.fills.size(); ++t) {
    const Tet& v = shape.volume.tets[t];
    if (shape.volume.points[v[0]][0] + shape.volume.points[v[3]][0] > 0.6) shape.fills[t] = 0;
  }
  Kinematics kinematics;
  const VecX nodes = to_vector(add_medial_body("bar", shape, 700, 0, kinematics));
  const std::vector<Material> materials = {make_material(MaterialModel::StableNeoHookean, 1e3, 0.3)};
  ReducedElasticity elasticity(kinematics.reduced[0], materials, kinematics.node_count);
  battery::check_all(elasticity, 1.05 * nodes, {0.1, 1e-6}, true);
}

TEST(ReducedElasticity, is_that_of_the_tets_at_the_points_the_handles_give) {
  const Bar bar;
  const VecX n = bar.nodes + battery::random_vector(static_cast<Index>(bar.nodes.size()), 0.02, 3);
  Points x;
  compute_points(bar.kinematics, n, x);
  const Body& body = bar.kinematics.bodies[1];
  const Points own(x.begin() + body.first_point, x.end());
  Kinematics soft;
  add_soft_body("bar", make_medial_bar().volume, 700, MassKind::Lumped, 0, soft);
  const double expected = compute_elastic_energy(soft.elements, bar.materials, to_vector(own));
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(compute_elastic_energy(bar.kinematics.reduced[0], bar.materials, n), expected,
              1e-10 * expected);
}

TEST(ReducedElasticity, common_motion_of_all_handles_costs_nothing) {
  const Bar bar;
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  VecX moved = bar.nodes;
  for (Index i = 0; i < moved.size(); i += 3)
    moved.segment<3>(i) = R * bar.nodes.segment<3>(i) + Vec3(1, 2, 3);
  ReducedElasticity elasticity(bar.kinematics.reduced[0], bar.materials, bar.kinematics.node_count);
  EXPECT_LE(battery::gradient_of(elasticity, moved).norm(), 1e-10);
}

}  // namespace
}  // namespace marrow
