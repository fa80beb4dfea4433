// From descriptions to models: sizes, selections, masses, initial motion, fingerprints.
#include "scene/build/build.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/temporary_folder.h"
#include "scene/read_scene.h"
#include "sim/terms/contact_terms.h"

namespace marrow {
namespace {

BuiltScene build(const std::string& text) { return build_scene(parse_scene(text, "test.json"), "test.json"); }

// Place and problem of what is refused.
std::string refuse(const std::string& text) {
  try {
    build(text);
  } catch (const InputError& error) {
    return error.where().json_path + ": " + error.problem();
  }
  return "no error";
}

}  // namespace

TEST(Build, the_size_is_that_of_the_smallest_body_that_is_no_obstacle) {
  const std::string beam = R"({"shape": {"type": "box", "size": [0.1, 0.02, 0.02]}})";
  const std::string ground =
      R"({"kind": "obstacle", "shape": {"type": "plate", "width": 1000, "depth": 1000}})";
  const double alone = build("{\"bodies\": [" + beam + "]}").model.size;
  EXPECT_NEAR(alone, std::sqrt(0.0108), 1e-12);
  EXPECT_EQ(build("{\"bodies\": [" + beam + "," + ground + "]}").model.size, alone);
  EXPECT_EQ(build("{\"bodies\": [" + ground + "]}").model.size, 1);
}

TEST(Build, in_a_large_scene_the_smallest_body_decides_what_is_close) {
  const auto length = [](int count) {
    std::string bodies;
    for (int k = 0; k < count; ++k) {
      bodies += (k > 0 ? "," : "") + (R"({"shape": {"type": "box", "size": [0.3, 0.4, 1.2]}, "position": [)" +
                                      std::to_string(k) + ", 0, 0]}");
    }
    return build("{\"bodies\": [" + bodies + "]}").model.contact;
  };
  EXPECT_NEAR(length(1).d_hat, 1e-3 * 1.3, 1e-12);
  EXPECT_NEAR(length(5).d_hat, 1e-3 * std::hypot(4.3, 0.4, 1.2), 1e-12);
  EXPECT_NEAR(length(40).d_hat, 1e-2 * 1.3, 1e-12);
  EXPECT_NEAR(length(40).epsilon_v, 1e-2 * 1.3, 1e-12);
}

TEST(Build, only_what_may_meet_is_kept_apart) {
  const auto keeps_apart = [](const std::string& bodies, const std::string& more = "") {
    return keeps_any_apart(build("{\"bodies\": [" + bodies + "]" + more + "}").model);
  };
  const std::string box = R"({"shape": {"type": "box"}, "name": "a", "position": [0, 5, 0]})",
                    aloof = R"({"shape": {"type": "box"}, "name": "b", "self_contact": false})",
                    ground = R"({"shape": {"type": "plate"}, "kind": "obstacle", "position": [0, -3, 0]})",
                    wall = R"({"shape": {"type": "plate"}, "kind": "obstacle", "position": [0, -6, 0]})";
  EXPECT_TRUE(keeps_apart(box));
  EXPECT_FALSE(keeps_apart(aloof));
  EXPECT_TRUE(keeps_apart(aloof + "," + box));
  EXPECT_TRUE(keeps_apart(aloof + "," + ground));
  EXPECT_FALSE(keeps_apart(ground + "," + wall));
  EXPECT_FALSE(keeps_apart(box, R"(, "contact": {"enabled": false})"));
  EXPECT_FALSE(keeps_apart(aloof + "," + R"({"shape": {"type": "box"}, "contact": false})"));
}

TEST(Build, a_radius_that_makes_a_body_touch_itself_is_refused) {
  const auto answer = [](const std::string& radius, const std::string& more = "") {
    try {
      build(R"({"bodies": [{"shape": {"type": "box"}, "radius": )" + radius + more + "}]}");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  // Cells of 0.25 m: the nearest that are no neighbours are half a diagonal apart.
  EXPECT_EQ(answer("0.08"), "no error");
  const std::string refusal = answer("0.1");
  EXPECT_NE(refusal.find("bodies[0].radius: with a radius of 0.1 m parts"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("below 0.0884 m"), std::string::npos) << refusal;
  EXPECT_EQ(answer("0.1", R"(, "self_contact": false)"), "no error");
}

TEST(Build, the_stopping_length_does_not_grow_with_huge_steps) {
  const auto stop = [](const char* step) {
    const BuiltScene built = build(std::string(R"({"time": {"duration": 1e5, "step": )") + step +
                                   R"(}, "bodies": [{"shape": {"type": "box"}}]})");
    return built.model.stop_length(built.model.time.step);
  };
  EXPECT_NEAR(stop("0.01") / stop("0.1"), 0.1, 1e-12);
  EXPECT_EQ(stop("1"), stop("10000"));
}

TEST(Build, bodies_spin_about_their_centre_of_mass) {
  const BuiltScene built = build(
      R"({"bodies": [{"shape": {"type": "sphere"}, "position": [5, 0, 0], "velocity": [1, 2, 3], "angular_velocity": [0, 0, 2]}]})");
  Vec3 momentum = Vec3::Zero();
  double mass = 0;
  for (Index i = 0; i < built.model.mass.rows(); ++i) {
    momentum += built.model.mass.values[i] * built.state.velocities.segment<3>(3 * i);
    mass += built.model.mass.values[i];
  }
  EXPECT_LE((momentum / mass - Vec3(1, 2, 3)).norm(), 1e-12);
}

TEST(Build, an_obstacle_keeps_its_surface_only_and_is_all_prescribed) {
  const BuiltScene built = build(R"({"bodies": [{"kind": "obstacle", "shape": {"type": "box"}}]})");
  const Body& body = built.model.kinematics.bodies[0];
  EXPECT_TRUE(body.rest.tets.empty());
  EXPECT_EQ(body.rest.points.size(), 98u);  // 5³ less the 27 inside
  ASSERT_EQ(built.model.prescribed.size(), 1u);
  EXPECT_EQ(built.model.prescribed[0].nodes.size(), 98u);
}

TEST(Build, selections_choose_what_they_say) {
  const auto count = [](const std::string& select) {
    return build(R"({"bodies": [{"shape": {"type": "box"}, "prescribed": [{"select": )" + select + "}]}]}")
        .model.prescribed[0]
        .nodes.size();
  };
  EXPECT_EQ(count(R"({"all": true})"), 125u);
  EXPECT_EQ(count(R"({"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}})"), 25u);
  EXPECT_EQ(count(R"({"box": {"min": [-0.5, -0.5, -0.5], "max": [0, 0, 0]}})"), 27u);
  EXPECT_EQ(count(R"({"sphere": {"center": [0, 0, 0], "radius": 0.3}})"), 7u);
  EXPECT_EQ(count(R"({"vertices": [3, 1, 3]})"), 2u);
}

TEST(Build, contact_lengths_scale_with_the_bodies_that_move) {
  const std::string box = R"({"shape": {"type": "box", "size": [3, 4, 12]}})";
  const std::string ground =
      R"({"kind": "obstacle", "shape": {"type": "plate", "width": 1000, "depth": 1000}})";
  const ContactModel contact = build("{\"bodies\": [" + box + "," + ground + "]}").model.contact;
  EXPECT_NEAR(contact.d_hat, 0.013, 1e-15);
  EXPECT_NEAR(contact.epsilon_v, 0.013, 1e-15);
  const ContactModel given =
      build(R"({"contact": {"d_hat": 0.5, "epsilon_v": 2, "kappa": 7}, "bodies": [)" + box + "]}")
          .model.contact;
  EXPECT_EQ(given.d_hat, 0.5);
  EXPECT_EQ(given.epsilon_v, 2);
  EXPECT_EQ(given.kappa, 7);
}

TEST(Build, friction_of_a_pair_follows_the_documented_order) {
  const ContactModel contact = build(R"({
    "contact": {"friction": 0.1, "pairs": [
      {"a": "dry", "b": "wall", "friction": 1.5}, {"a": "dry", "b": "body 2", "friction": 0}]},
    "bodies": [
      {"name": "rough", "shape": {"type": "box"}, "friction": 0.9, "group": "dry"},
      {"name": "smooth", "shape": {"type": "box"}, "friction": 0.4},
      {"shape": {"type": "box"}, "group": "dry"},
      {"name": "wall", "shape": {"type": "box"}, "kind": "obstacle"}]})")
                                   .model.contact;
  EXPECT_EQ(contact.friction_between(0, 3), 1.5);
  EXPECT_EQ(contact.friction_between(3, 2), 1.5);
  EXPECT_EQ(contact.friction_between(2, 0), 0);
  EXPECT_EQ(contact.friction_between(2, 2), 0);
  EXPECT_NEAR(contact.friction_between(0, 1), 0.6, 1e-15);
  EXPECT_EQ(contact.friction_between(3, 1), 0.4);
  EXPECT_EQ(contact.friction_between(3, 3), 0.1);
  EXPECT_TRUE(contact.has_friction());
  EXPECT_FALSE(build(R"({"bodies": [{"shape": {"type": "box"}}]})").model.contact.has_friction());
}

TEST(Build, bodies_ignore_each_other_as_told) {
  const std::vector<IndexPair> ignored = build(R"({
    "contact": {"pairs": [{"a": "g", "b": "g", "ignore": true}, {"a": "c", "b": "c", "ignore": true}]},
    "bodies": [
      {"shape": {"type": "box"}, "group": "g"},
      {"shape": {"type": "box"}, "group": "g", "self_contact": false},
      {"name": "c", "shape": {"type": "box"}},
      {"shape": {"type": "box"}, "contact": false}]})")
                                             .model.contact.ignored_bodies;
  const std::vector<IndexPair> expected = {{0, 1}, {0, 3}, {1, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 3}};
  EXPECT_EQ(ignored, expected);
}

TEST(Build, meshes_may_be_repeated_and_reduced) {
  const auto body = [](const std::string& rest) {
    return build(
               R"({"bodies": [{"kind": "obstacle", "shape": {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}, )" +
               rest + "}]}")
        .model.kinematics.bodies[0]
        .rest;
  };
  const Mesh rows =
      body(R"("repeat": {"count_x": 2, "count_z": 3, "step": [2, 5, 4]}, "position": [1, 0, 0])");
  EXPECT_EQ(rows.points.size(), 48u);
  EXPECT_EQ(rows.triangles.size(), 72u);
  EXPECT_EQ(rows.points.back() - rows.points.front(), Vec3(3, 1, 9));
  const Mesh wires = body(R"("mesh_part": "edges")");
  EXPECT_TRUE(wires.triangles.empty());
  EXPECT_EQ(wires.edges.size(), 18u);
  const Mesh points = body(R"("mesh_part": "points")");
  EXPECT_TRUE(points.triangles.empty() && points.edges.empty());
  EXPECT_EQ(points.points.size(), 8u);
  EXPECT_EQ(refuse(R"({"bodies": [{"shape": {"type": "box"}, "mesh_part": "edges"}]})"),
            "bodies[0].shape: it has no tetrahedra, and no thickness is given");
}

TEST(Build, forces_and_pressure_reach_the_nodes) {
  const Model model = build(R"({"bodies": [{
    "shape": {"type": "box"}, "pressure": "100*t",
    "forces": [{"select": {"all": true}, "acceleration": [0, "t", 0]},
               {"select": {"vertices": [3, 5]}, "force": [8, 0, 0]}]}]})")
                          .model;
  ASSERT_EQ(model.loads.size(), 2u);
  double mass = 0;
  for (const double weight : model.loads[0].weights) mass += weight;
  EXPECT_NEAR(mass, 1000, 1e-9);
  EXPECT_EQ(model.loads[1].nodes, (std::vector<Index>{3, 5}));
  EXPECT_EQ(model.loads[1].weights, (std::vector<double>{0.5, 0.5}));
  ASSERT_EQ(model.pressures.size(), 1u);
  EXPECT_EQ(model.pressures[0].value.evaluate(2), 200);
}

TEST(Build, motions_know_their_times_and_formulas) {
  const Model model = build(R"({"bodies": [{"shape": {"type": "box"}, "prescribed": [{
    "select": {"vertices": [0]}, "translation": ["t", 0, 0], "start": 1, "end": 3, "release": 4}]}]})")
                          .model;
  ASSERT_EQ(model.prescribed.size(), 1u);
  const PrescribedNodes& group = model.prescribed[0];
  EXPECT_EQ(compute_positions(group, 9)[0] - group.initial[0], Vec3(2, 0, 0));
  EXPECT_FALSE(group.is_active(5));
  EXPECT_EQ(refuse(R"({"bodies": [{"shape": {"type": "box"}, "prescribed": [{
    "select": {"vertices": [0]}, "translation": ["1/t", 0, 0]}]}]})"),
            "bodies[0].prescribed[0]: the motion's formulas are not finite at time 0");
}

TEST(Build, a_scale_stays_above_zero_and_within_what_numbers_resolve) {
  const auto answer = [](const std::string& scale) {
    return refuse(R"({"time": {"step": 0.1, "duration": 2}, "bodies": [{"kind": "obstacle",
      "shape": {"type": "box"}, "prescribed": [{"select": {"all": true}, "scale": )" +
                  scale + "}]}]}");
  };
  const std::string place = "bodies[0].prescribed[0].scale: ";
  EXPECT_EQ(answer("\"1 - t\""), place + "the scale is 0 at t = 1 s");
  EXPECT_EQ(answer("\"0.95 - t\""), place + "the scale is -0.05 at t = 1 s");
  EXPECT_EQ(answer("1e308"), place + "the scale is 1e+308 at t = 0 s");
  EXPECT_EQ(answer("-1e308"), place + "the scale is -1e+308 at t = 0 s");
  EXPECT_EQ(answer("\"1 + 10^(9*t)\""), place + "the scale is 1.99526e+06 at t = 0.7 s");
  EXPECT_EQ(answer("\"max(1 - t, 0.01)\""), "no error");
  EXPECT_EQ(answer("\"1 + t\""), "no error");
  EXPECT_EQ(answer("\"1 - t\", \"end\": 0.5"), "no error");
}

TEST(Build, the_fingerprint_sees_what_decides_the_motion) {
  const auto print = [](const std::string& rest) {
    return build(R"({"bodies": [{"shape": {"type": "box"}}])" + rest + "}").fingerprint;
  };
  EXPECT_EQ(print(R"(, "time": {"duration": 2})"), print(R"(, "time": {"duration": 5, "frame_every": 3})"));
  EXPECT_EQ(print(""), print(R"(, "output": {"checkpoint_every": 7})"));
  EXPECT_NE(print(""), print(R"(, "gravity": [0, -9.8, 0])"));
  EXPECT_NE(print(""), print(R"(, "time": {"step": 0.02})"));
  EXPECT_NE(print(""), print(R"(, "time": {"integrator": "bdf2"})"));
  EXPECT_NE(print(""), print(R"(, "solver": {"linear_solver": "pcg"})"));
  EXPECT_NE(print(""), print(R"(, "solver": {"joint_rounds": 3})"));
  EXPECT_NE(print(""), print(R"(, "contact": {"kappa": 1e4})"));
}

// Files of a test, gone at its end.
class MeshFolder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    write_file(folder_ / name, text);
    return folder_ / name;
  }

 private:
  TemporaryFolder folder_;
};

// The same points with other elements are another mesh; the same mesh in another file is not.
TEST(Build, the_fingerprint_sees_the_elements_of_every_kind_of_body) {
  const MeshFolder folder;
  const std::string points = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const std::string one = folder.write("one.obj", points + "f 1 2 3\nf 1 3 4\n"),
                    other = folder.write("other.obj", points + "f 1 2 4\nf 2 3 4\n"),
                    copy = folder.write("copy.obj", points + "f 1 2 3\nf 1 3 4\n"),
                    wire = folder.write("wire.obj", points + "l 1 2\nl 2 3\nl 3 4\n"),
                    loop = folder.write("loop.obj", points + "l 1 2\nl 2 3\nl 1 4\n");
  const auto print = [](const std::string& mesh, const std::string& rest) {
    return build("{\"bodies\": [{\"mesh\": \"" + mesh + "\", " + rest + "}]}").fingerprint;
  };
  for (const char* rest : {R"("kind": "obstacle")", R"("thickness": 0.01)", R"("kind": "rigid")"}) {
    EXPECT_NE(print(one, rest), print(other, rest)) << rest;
    EXPECT_EQ(print(one, rest), print(copy, rest)) << rest;
  }
  for (const char* rest : {R"("kind": "obstacle")", R"("thickness": 0.01)"}) {
    EXPECT_NE(print(wire, rest), print(loop, rest)) << rest;
  }
}

TEST(Build, the_fingerprint_sees_where_a_sequence_leads) {
  const MeshFolder folder;
  const std::string faces = "f 1 2 3\n", near = "v 0 0 1\nv 1 0 1\nv 1 1 1\n",
                    far = "v 0 0 2\nv 1 0 2\nv 1 1 2\n";
  const std::string rest = folder.write("rest.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\n" + faces),
                    one = folder.write("one.obj", near + faces),
                    copy = folder.write("copy.obj", near + faces),
                    other = folder.write("other.obj", far + faces);
  const auto print = [&](const std::string& mesh) {
    return build(R"({"bodies": [{"kind": "obstacle", "mesh": ")" + rest +
                 R"(", "prescribed": [{"select": {"all": true}, "sequence": {"meshes": [")" + mesh +
                 R"("]}}]}]})")
        .fingerprint;
  };
  EXPECT_EQ(print(one), print(copy));
  EXPECT_NE(print(one), print(other));
}

}  // namespace marrow
