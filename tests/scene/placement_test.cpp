// Bodies put where their size and what is below them say.
#include <gtest/gtest.h>

#include "core/error.h"
#include "mesh/point_box.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

BuiltScene build_placed(const std::string& text) {
  return build_scene(parse_scene(text, "test.json"), "test.json");
}

std::string refusal_of(const std::string& text) {
  try {
    build_placed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

Eigen::AlignedBox3d box_of(const BuiltScene& built, size_t body) {
  return compute_box(built.model.kinematics.bodies.at(body).rest.points);
}

TEST(Placement, size_and_centre_come_before_rotation_and_position) {
  const BuiltScene built = build_placed(
      R"({"bodies": [{"kind": "rigid", "shape": {"type": "cone", "radius": 0.5, "height": 4}, "scale": [1, 2, 1],
                      "size": 2, "center": true, "rotation": [0, 0, 90], "position": [1, 2, 3]}]})");
  const Eigen::AlignedBox3d box = box_of(built, 0);
  EXPECT_LT((box.center() - Vec3(1, 2, 3)).norm(), 1e-14);
  EXPECT_NEAR(box.sizes().x(), 2, 1e-14);
  EXPECT_NEAR(box.sizes().y(), 2 * 1.0 / 8, 1e-14);
}

TEST(Placement, bodies_rest_d_hat_above_each_other) {
  for (const std::string kind : {"soft", "rigid", "affine"}) {
    const BuiltScene built = build_placed(
        R"({"ground": {"height": 0.25}, "bodies": [
          {"name": "c", "kind": ")" +
        kind + R"(", "shape": {"type": "sphere"}, "position": [0.2, 9, 0], "rest_on": "b"},
          {"name": "b", "kind": ")" +
        kind + R"(", "shape": {"type": "box"}, "rotation": [20, 0, 30], "rest_on": "a"},
          {"name": "a", "kind": ")" +
        kind + R"(", "shape": {"type": "box"}, "position": [0, -7, 0], "rest_on": "ground"}]})");
    const double d_hat = built.model.contact.d_hat;
    EXPECT_NEAR(box_of(built, 2).min().y(), 0.25 + d_hat, 1e-9 * d_hat);
    EXPECT_NEAR(box_of(built, 1).min().y(), box_of(built, 2).max().y() + d_hat, 1e-9 * d_hat);
    EXPECT_GT(box_of(built, 0).min().y(), box_of(built, 1).min().y() + 0.5);
  }
}

TEST(Placement, the_gap_and_the_radius_count) {
  const BuiltScene built = build_placed(
      R"({"ground": {}, "bodies": [{"kind": "rigid", "shape": {"type": "box"}, "radius": 0.1, "self_contact": false,
          "rest_on": "ground", "gap": 0.02},
         {"kind": "rigid", "shape": {"type": "box"}, "position": [3, 0, 0], "rest_on": 5, "gap": 0.5}]})");
  EXPECT_NEAR(box_of(built, 0).min().y(), 0.12, 1e-15);
  EXPECT_NEAR(box_of(built, 1).min().y(), 5.5, 1e-15);
}

// The spheres, cones and slabs of a medial collider stand, and carry, not the surface that they enclose.
TEST(Placement, medial_colliders_rest_by_their_spheres) {
  const std::string body =
      R"("kind": "medial", "collider": "medial", "handles": 6, "cells": 8, "shape": {"type": "box",
      "size": [1, 0.4, 0.4], "cells_x": 6, "cells_y": 3, "cells_z": 3})";
  const BuiltScene built = build_placed(
      R"({"ground": {}, "bodies": [
          {"name": "top", "kind": "rigid", "shape": {"type": "sphere", "radius": 0.2}, "rest_on": "bar", "gap": 0.02},
          {"name": "bar", )" +
      body + R"(, "rotation": [0, 0, 20], "rest_on": "ground", "gap": 0.01}]})");
  const Body& bar = built.model.kinematics.bodies.at(1);
  ASSERT_TRUE(bar.has_collider());
  double lowest = 1e300, highest = -1e300;
  for (size_t i = 0; i < bar.collider.points.size(); ++i) {
    lowest = std::min(lowest, bar.collider.points[i].y() - bar.collider.radii[i]);
    highest = std::max(highest, bar.collider.points[i].y() + bar.collider.radii[i]);
  }
  EXPECT_NEAR(lowest, 0.01, 1e-12);
  const double bottom = box_of(built, 0).min().y();
  EXPECT_LE(bottom, highest + 0.02 + 1e-12);
  EXPECT_GT(bottom, box_of(built, 1).min().y() + 0.2);
  // With d_hat as the gap they neither push each other away nor fall first.
  const BuiltScene plain =
      build_placed(R"({"ground": {}, "bodies": [{)" + body + R"(, "rest_on": "ground"}]})");
  const Mesh& collider = plain.model.kinematics.bodies.at(0).collider;
  lowest = 1e300;
  for (size_t i = 0; i < collider.points.size(); ++i)
    lowest = std::min(lowest, collider.points[i].y() - collider.radii[i]);
  EXPECT_NEAR(lowest, plain.model.contact.d_hat, 1e-9 * plain.model.contact.d_hat);
  EXPECT_NE(
      refusal_of(
          R"({"ground": {}, "bodies": [{)" + body +
          R"(, "rest_on": "ground", "prescribed": [{"select": {"box": {"min": [-1, -1, -1], "max": [0, 1, 1]}}}]}]})")
          .find("a region of the world selects points before rest_on moves the body"),
      std::string::npos);
}

TEST(Placement, only_what_is_below_counts) {
  // An L of two boxes in one mesh: a low and a high part. The ball rests on the low one.
  const std::string text = R"({"bodies": [
      {"name": "low", "kind": "obstacle", "shape": {"type": "wedge", "width": 2, "height": 1, "depth": 1}},
      {"name": "ball", "kind": "rigid", "shape": {"type": "sphere", "radius": 0.1}, "position": [0.8, 0, 0],
       "rest_on": "low", "gap": 0.001}]})";
  // The wedge's surface falls from 0.5 at x = 0 to -0.5 at x = 1; the ball's box begins at x = 0.7.
  EXPECT_NEAR(box_of(build_placed(text), 1).min().y(), 0.5 - 0.7 + 0.001, 1e-9);
  EXPECT_NE(refusal_of(R"({"bodies": [
      {"name": "low", "kind": "obstacle", "shape": {"type": "box"}},
      {"kind": "rigid", "shape": {"type": "sphere"}, "position": [8, 0, 0], "rest_on": "low"}]})")
                .find("low is not below the body, seen from above"),
            std::string::npos);
}

TEST(Placement, up_is_against_gravity) {
  const BuiltScene built = build_placed(
      R"({"gravity": [0, 0, -9.81], "ground": {"normal": [0, 0, 1]},
          "bodies": [{"kind": "rigid", "shape": {"type": "box"}, "rest_on": "ground", "gap": 0.01}]})");
  EXPECT_NEAR(box_of(built, 0).min().z(), 0.01, 1e-15);
  EXPECT_EQ(box_of(built, 0).center().y(), 0);
}

TEST(Placement, slopes_are_planes_too) {
  const BuiltScene built = build_placed(
      R"({"ground": {"normal": [0.6, 0.8, 0]},
          "bodies": [{"kind": "rigid", "shape": {"type": "sphere"}, "position": [1, 0, 0], "rest_on": "ground",
                      "gap": 0.01}]})");
  double nearest = 1e300;
  for (const Vec3& x : built.model.kinematics.bodies[0].rest.points)
    nearest = std::min(nearest, x.dot(Vec3(0.6, 0.8, 0)));
  EXPECT_NEAR(nearest, 0.01, 1e-14);
  EXPECT_NE(refusal_of(R"({"ground": {"normal": [1, 0, 0]},
                           "bodies": [{"kind": "rigid", "shape": {"type": "sphere"}, "rest_on": "ground"}]})")
                .find("it does not face upwards"),
            std::string::npos);
}

TEST(Ground, changes_no_reference_lengths_and_is_marked) {
  const std::string bodies =
      R"("bodies": [{"kind": "rigid", "shape": {"type": "box"}, "position": [3, 2, 1]}])";
  const BuiltScene with = build_placed("{\"ground\": {}, " + bodies + "}"),
                   without = build_placed("{" + bodies + "}");
  EXPECT_EQ(with.model.contact.d_hat, without.model.contact.d_hat);
  EXPECT_EQ(with.model.contact.reference_length, without.model.contact.reference_length);
  EXPECT_EQ(with.model.size, without.model.size);
  const Body& ground = with.model.kinematics.bodies[1];
  EXPECT_TRUE(ground.is_ground);
  EXPECT_FALSE(with.model.kinematics.bodies[0].is_ground);
  for (const Vec3& x : ground.rest.points) EXPECT_EQ(x.y(), 0);
  // The body stands far inside of the first triangle, and all faces look up.
  const auto& [a, b, c] = ground.rest.triangles[0];
  for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
    const Vec3 side = ground.rest.points[q] - ground.rest.points[p];
    const Vec3 inwards = Vec3::UnitY().cross(side).normalized();
    EXPECT_GT(inwards.dot(Vec3(3, 0, 1) - ground.rest.points[p]), 20 * std::sqrt(3));
  }
  for (const Triangle& t : ground.rest.triangles) {
    const Vec3 normal = (ground.rest.points[t[1]] - ground.rest.points[t[0]])
                            .cross(ground.rest.points[t[2]] - ground.rest.points[t[0]]);
    EXPECT_GT(normal.y(), 0);
  }
}

TEST(Placement, errors_of_copies_name_the_line_that_says_them) {
  const std::string answer = refusal_of(
      "{\"bodies\": [\n {\"shape\": {\"type\": \"box\"}},\n {\"shape\": {\"type\": "
      "\"rod\", \"length\": 0.1}, \"copies\": 2, \"position\": [\"5 * i\", 5, 0]}]}");
  EXPECT_EQ(answer.find("test.json, at bodies[1].shape: rod: length must be above twice the radius"), 0u)
      << answer;
}

}  // namespace
}  // namespace marrow
