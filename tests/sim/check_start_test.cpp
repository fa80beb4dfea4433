// A model that is given a start by hand, as a user of the library would: what is refused, and why.
#include "sim/start/check_start.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

// Unit boxes in a row, each by where its centre is.
struct Row {
  void add(BodyKind kind, double x, const char* name) {
    Mesh mesh = build_shape(BoxShape{});
    for (Vec3& point : mesh.points) point.x() += x;
    const Points nodes = kind == BodyKind::Soft ? add_soft_body(name, std::move(mesh), 1000, MassKind::Lumped,
                                                                0, model.kinematics)
                                                : add_obstacle(name, std::move(mesh), model.kinematics);
    const auto first = state.nodes.size();
    state.nodes.conservativeResize(first + 3 * static_cast<Index>(nodes.size()));
    for (size_t i = 0; i < nodes.size(); ++i) {
      state.nodes.segment<3>(first + 3 * static_cast<Index>(i)) = nodes[i];
    }
  }

  std::string answer() const {
    try {
      require_start(check_start(model, state), model.kinematics, {"scene.json", 0, 0, {}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  Model model;
  State state;
};

Row make_row(BodyKind first, BodyKind second, double distance) {
  Row row;
  row.add(first, 0, "left");
  row.add(second, distance, "right");
  row.model.contact.is_enabled = true;
  row.model.contact.d_hat = 1e-3;
  row.model.contact.reference_length = 1;
  return row;
}

TEST(CheckStart, intersecting_bodies_are_named) {
  const std::string answer = make_row(BodyKind::Soft, BodyKind::Obstacle, 0.5).answer();
  EXPECT_EQ(answer.find("scene.json: at the start "), 0u) << answer;
  // The obstacle stays.
  EXPECT_NE(answer.find(
                "pairs of elements intersect\n    \"left\" and \"right\" overlap by 0.5 m: move \"left\" by "
                "[-0.501, 0, 0] m"),
            std::string::npos)
      << answer;
  EXPECT_NE(answer.find("must not touch or intersect at the start"), std::string::npos) << answer;
}

TEST(CheckStart, bodies_that_touch_are_told_apart_from_those_that_overlap) {
  const std::string touching = make_row(BodyKind::Soft, BodyKind::Soft, 1).answer();
  EXPECT_NE(touching.find("\"left\" and \"right\" touch: move \"right\" by [0.001, 0, 0] m"),
            std::string::npos)
      << touching;
  const std::string near = make_row(BodyKind::Soft, BodyKind::Soft, 1 + 1e-12).answer();
  EXPECT_NE(near.find("\"left\" and \"right\" nearly touch: move \"right\" by [0.001, 0, 0] m"),
            std::string::npos)
      << near;
}

TEST(CheckStart, the_move_of_a_body_that_is_mostly_inside_leads_out) {
  // Two thirds of it in the other: through that there would be no room.
  Row row = make_row(BodyKind::Obstacle, BodyKind::Soft, 0.34);
  const StartReport report = check_start(row.model, row.state);
  ASSERT_EQ(report.meeting.size(), 1u);
  EXPECT_NEAR(*report.meeting[0].depth, 0.66, 1e-9);
  EXPECT_NEAR(report.meeting[0].move.x(), 0.661, 1e-9);
}

TEST(CheckStart, no_run_starts_from_an_intersecting_state) {
  Row row = make_row(BodyKind::Soft, BodyKind::Obstacle, 0.5);
  EXPECT_THROW(simulate(row.model, row.state, {}), InputError);
  // Nor with what was said of another state.
  const Row apart = make_row(BodyKind::Soft, BodyKind::Obstacle, 1.5);
  const StartReport report = check_start(apart.model, apart.state);
  ASSERT_TRUE(report.can_start());
  EXPECT_THROW(simulate(row.model, row.state, report, {}), InputError);
  // Nor later on.
  row.state.step = 3;
  EXPECT_THROW(simulate(row.model, row.state, {}), InputError);
}

TEST(CheckStart, a_run_that_goes_on_may_have_smaller_gaps) {
  Row row = make_row(BodyKind::Soft, BodyKind::Obstacle, 1 + 1e-11);
  EXPECT_FALSE(check_start(row.model, row.state).can_start());
  row.state.step = 1;
  EXPECT_TRUE(check_start(row.model, row.state).can_start());
}

TEST(CheckStart, what_the_run_does_not_keep_apart_may_meet) {
  EXPECT_EQ(make_row(BodyKind::Obstacle, BodyKind::Obstacle, 0.5).answer(), "no error");
  Row off = make_row(BodyKind::Soft, BodyKind::Soft, 0.5);
  off.model.contact.is_enabled = false;
  EXPECT_EQ(off.answer(), "no error");
  Row ignored = make_row(BodyKind::Soft, BodyKind::Soft, 0.5);
  ignored.model.contact.ignored_bodies = {{0, 1}};
  EXPECT_EQ(ignored.answer(), "no error");
}

TEST(CheckStart, an_inverted_tet_is_refused_also_without_contact) {
  Row row = make_row(BodyKind::Soft, BodyKind::Soft, 3);
  row.model.contact.is_enabled = false;
  const Tet tet = row.model.kinematics.bodies[0].rest.tets[0];
  const Vec3 a = row.state.nodes.segment<3>(3 * tet[0]);
  row.state.nodes.segment<3>(3 * tet[0]) = row.state.nodes.segment<3>(3 * tet[1]);
  row.state.nodes.segment<3>(3 * tet[1]) = a;
  EXPECT_NE(row.answer().find("inverted"), std::string::npos) << row.answer();
}

TEST(CheckStart, little_more_than_rounding_is_no_room) {
  const Row row = make_row(BodyKind::Soft, BodyKind::Soft, 1 + 1e-12);
  EXPECT_NE(row.answer().find("leave at least 1e-09 m between them"), std::string::npos) << row.answer();
  EXPECT_FALSE(check_start(row.model, row.state).has_room());
}

TEST(CheckStart, a_start_that_is_not_quiet_is_told) {
  const Row near = make_row(BodyKind::Soft, BodyKind::Soft, 1 + 1e-4),
            far = make_row(BodyKind::Soft, BodyKind::Soft, 1 + 9e-4);
  EXPECT_EQ(near.answer(), "no error");
  const StartReport report = check_start(near.model, near.state);
  EXPECT_NEAR(*report.gap, 1e-4, 1e-12);
  const std::vector<std::string> notes = list_start_notes(report, near.model.kinematics);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("well within contact.d_hat"), std::string::npos);
  EXPECT_TRUE(list_start_notes(check_start(far.model, far.state), far.model.kinematics).empty());
}

}  // namespace
}  // namespace marrow
