#include "sim/start/model_witness.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kinematics/joined.h"
#include "mesh/shapes.h"
#include "sim/start/gap.h"
#include "sim/terms/contact_terms.h"

namespace marrow {
namespace {

// Two unit boxes, the second moved along x; each soft, or an obstacle.
struct TwoBoxes {
  TwoBoxes(BodyKind first, BodyKind second, double shift) {
    add(first, 0);
    add(second, shift);
    model.contact.d_hat = 0.1;
  }

  void add(BodyKind kind, double shift) {
    Mesh mesh = build_shape(BoxShape{});
    for (Vec3& x : mesh.points) x.x() += shift;
    const Index first = model.kinematics.node_count;
    Points added = kind == BodyKind::Soft
                       ? add_soft_body("soft", std::move(mesh), 1000, MassKind::Lumped, 0, model.kinematics)
                       : add_obstacle("obstacle", std::move(mesh), model.kinematics);
    points.insert(points.end(), added.begin(), added.end());
    if (kind == BodyKind::Soft) return;
    PrescribedNodes group;
    for (Index i = first; i < model.kinematics.node_count; ++i) group.nodes.push_back(i);
    group.initial = added;
    model.prescribed.push_back(group);
  }

  WitnessCounts count() const {
    Witness witness = make_witness(model);
    witness.move_to(points);
    return witness.count();
  }

  Model model;
  Points points;
};

TEST(Witness, finds_soft_bodies_that_overlap_and_none_apart) {
  EXPECT_GT(TwoBoxes(BodyKind::Soft, BodyKind::Soft, 0.5).count().intersections, 0);
  EXPECT_GT(TwoBoxes(BodyKind::Soft, BodyKind::Obstacle, 0.5).count().intersections, 0);
  EXPECT_TRUE(TwoBoxes(BodyKind::Soft, BodyKind::Soft, 1.5).count().is_clean());
}

TEST(Witness, leaves_out_what_the_solver_leaves_out) {
  EXPECT_EQ(TwoBoxes(BodyKind::Obstacle, BodyKind::Obstacle, 0.5).count().intersections, 0);
  TwoBoxes boxes(BodyKind::Soft, BodyKind::Soft, 0.5);
  boxes.model.contact.ignored_bodies = {{0, 1}};
  EXPECT_EQ(boxes.count().intersections, 0);
  // A soft body counts even where all of it is prescribed.
  TwoBoxes held(BodyKind::Soft, BodyKind::Obstacle, 0.5);
  PrescribedNodes all = held.model.prescribed[0];
  for (Index& node : all.nodes) node -= held.model.kinematics.bodies[0].node_count;
  held.model.prescribed.push_back(all);
  EXPECT_GT(held.count().intersections, 0);
}

// Pairs of edges of different bodies that the solver looks at.
size_t count_solver_pairs(const TwoBoxes& boxes) {
  const CollisionMesh mesh = build_collision_mesh(boxes.model.kinematics);
  const Candidates found = compute_candidates(mesh, boxes.points, 0, make_candidate_filter(boxes.model));
  const std::vector<Index> bodies = list_bodies_of_points(boxes.model.kinematics);
  const auto body_of = [&](Index edge) {
    return bodies[static_cast<size_t>(mesh.edges[static_cast<size_t>(edge)][0])];
  };
  return static_cast<size_t>(
      std::count_if(found.edge_edge.begin(), found.edge_edge.end(),
                    [&](const IndexPair& pair) { return body_of(pair[0]) != body_of(pair[1]); }));
}

TEST(Witness, looks_at_two_bodies_where_the_solver_does_and_nowhere_else) {
  int looked_at = 0;
  for (const BodyKind first : {BodyKind::Soft, BodyKind::Obstacle}) {
    for (const BodyKind second : {BodyKind::Soft, BodyKind::Obstacle}) {
      for (const bool is_ignored : {false, true}) {
        TwoBoxes boxes(first, second, 0.5);
        if (is_ignored) boxes.model.contact.ignored_bodies = {{0, 1}};
        const bool is_seen = boxes.count().intersections > 0;
        EXPECT_EQ(is_seen, count_solver_pairs(boxes) > 0);
        looked_at += is_seen ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(looked_at, 3);
}

TEST(Witness, counts_no_intersections_where_contact_is_off) {
  TwoBoxes boxes(BodyKind::Soft, BodyKind::Soft, 0.5);
  boxes.model.contact.is_enabled = false;
  EXPECT_FALSE(boxes.count().intersections.has_value());
  EXPECT_EQ(boxes.count().inversions, 0);
  for (Vec3& x : boxes.points) x.y() = -x.y();
  EXPECT_GT(boxes.count().inversions, 0);
}

TEST(Witness, sees_radii) {
  TwoBoxes boxes(BodyKind::Soft, BodyKind::Soft, 1.5);
  for (double& r : boxes.model.kinematics.bodies[1].radii) r = 0.6;
  EXPECT_GT(boxes.count().intersections, 0);
}

TEST(Witness, sees_what_is_passed_through_between_clean_ends) {
  const TwoBoxes boxes(BodyKind::Soft, BodyKind::Soft, 1.5);
  Points end = boxes.points;
  for (size_t i = end.size() / 2; i < end.size(); ++i) end[i].x() -= 3;
  Witness witness = make_witness(boxes.model);
  witness.move_to(end);
  EXPECT_TRUE(witness.check().is_clean());
  witness.move_to(boxes.points);
  EXPECT_TRUE(witness.check().is_clean());
  const auto to_nodes = [](const Points& x) {
    return VecX(VecX::Map(x[0].data(), 3 * static_cast<Index>(x.size())));
  };
  EXPECT_GT(check_path(witness, boxes.model.kinematics, to_nodes(boxes.points), to_nodes(end)).intersections,
            0);
}

TEST(GapMeter, measures_the_gap_between_bodies) {
  const TwoBoxes near(BodyKind::Soft, BodyKind::Obstacle, 1.0625), far(BodyKind::Soft, BodyKind::Soft, 1.5);
  EXPECT_NEAR(GapMeter(near.model).measure(near.points).value_or(0), 0.0625, 1e-15);
  EXPECT_FALSE(GapMeter(far.model).measure(far.points).has_value());
  const TwoBoxes obstacles(BodyKind::Obstacle, BodyKind::Obstacle, 1.0625);
  EXPECT_FALSE(GapMeter(obstacles.model).measure(obstacles.points).has_value());
}

}  // namespace
}  // namespace marrow
