// PolyFEM scenes: what becomes of each entry, what is told of what is ignored, what is refused, and every
// public scene.
#include "scene/polyfem/polyfem_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "core/file.h"
#include "core/temporary_folder.h"
#include "mesh/io/mesh_file.h"
#include "mesh/shapes.h"
#include "scene/build/build.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/polyfem/polyfem_expression.h"
#include "scene/polyfem/polyfem_file.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRod = R"({"mesh": "meshes/cube.msh", "volume_selection": 1})";
constexpr const char* kSteel = R"([{"id": 1, "type": "NeoHookean", "E": 1e6, "nu": 0.3, "rho": 500}])";

class Polyfem : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path + "/meshes");
    BoxShape box;  // the unit cube about the origin
    box.cells_x = box.cells_y = box.cells_z = 2;
    write_mesh(folder_.path + "/meshes/cube.msh", build_shape(Shape(box)));
    write_file(folder_.path + "/meshes/floor.obj",
               "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n");
  }

  std::string path(const std::string& name = "scene.json") const { return folder_.path + "/" + name; }

  // geometry: the list; rest: further members of the root, each with a comma before it.
  PolyfemScene convert(const std::string& geometry, const std::string& rest = {},
                       const std::string& materials = kSteel) {
    write_file(path(), "{\"geometry\": [" + geometry + "], \"materials\": " + materials + rest + "}");
    return read_polyfem_scene(path(), path());
  }

  static std::string problem_of(const std::function<void()>& call) {
    try {
      call();
    } catch (const InputError& error) {
      return error.problem();
    }
    return "no error";
  }
  std::string answer_to(const std::string& geometry, const std::string& rest = {},
                        const std::string& materials = kSteel) {
    return problem_of([&] { convert(geometry, rest, materials); });
  }

  // What is converted is read and built like any scene.
  BuiltScene build(const PolyfemScene& scene) {
    return build_scene(parse_scene(describe_scene(scene.scene), path()), path());
  }

  TemporaryFolder folder_;
};

bool tells(const PolyfemScene& scene, const std::string& words) {
  return std::any_of(scene.notices.begin(), scene.notices.end(),
                     [&](const std::string& notice) { return notice.find(words) != std::string::npos; });
}

TEST_F(Polyfem, a_body_has_its_place_material_and_mass) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1,
          "transformation": {"translation": [1, 2, 3], "rotation": [0, 0, 90], "scale": [2, 1, 1]}})",
      R"(, "solver": {"advanced": {"lump_mass_matrix": true}})");
  const BodyDescription& body = converted.scene.bodies.at(0);
  EXPECT_EQ(body.kind, BodyKind::Soft);
  EXPECT_EQ(body.position, Vec3(1, 2, 3));
  EXPECT_EQ(body.material.model, MaterialModel::NeoHookean);
  EXPECT_EQ(body.material.density, 500);
  EXPECT_EQ(body.material.youngs_modulus, 1e6);
  EXPECT_EQ(body.mass, MassKind::Lumped);
  const BuiltScene built = build(converted);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : built.model.kinematics.bodies[0].rest.points) box.extend(x);
  EXPECT_TRUE(box.min().isApprox(Vec3(0.5, 1, 2.5)));  // twice as long along y after the turn
  EXPECT_TRUE(box.max().isApprox(Vec3(1.5, 3, 3.5)));
}

TEST_F(Polyfem, the_order_of_rotations_and_the_dimensions) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1,
          "transformation": {"rotation": [90, 90, 0], "rotation_mode": "zyx", "dimensions": [4, 2, 1]}})");
  const BuiltScene built = build(converted);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : built.model.kinematics.bodies[0].rest.points) box.extend(x);
  // About y first: x to −z; then about x: z to −y.
  EXPECT_TRUE(box.sizes().isApprox(Vec3(1, 4, 2))) << box.sizes().transpose();
}

TEST_F(Polyfem, without_lumping_the_mass_is_consistent) {
  EXPECT_EQ(convert(kRod).scene.bodies.at(0).mass, MassKind::Consistent);
}

TEST_F(Polyfem, the_common_file_lies_under_the_scene_and_the_patch_over_both) {
  fs::create_directories(folder_.path + "/deep");
  write_file(path("common.json"),
             R"({"contact": {"enabled": true, "dhat": 0.002}, "time": {"tend": 1, "dt": 0.1},
                                      "geometry": [{"mesh": "absent.msh", "volume_selection": 1}]})");
  write_file(path("deep/scene.json"), std::string(R"({"common": "../common.json", "contact": {"epsv": 0.5},
    "patch": [{"op": "replace", "path": "/geometry/0/mesh", "value": "../meshes/cube.msh"}], "materials": )") +
                                          kSteel + "}");
  const PolyfemScene converted = read_polyfem_scene(path("deep/scene.json"), path("deep/scene.json"));
  EXPECT_EQ(converted.scene.contact.d_hat, 0.002);
  EXPECT_EQ(converted.scene.contact.epsilon_v, 0.5);
  EXPECT_EQ(converted.scene.time.step, 0.1);
  EXPECT_EQ(converted.scene.bodies.at(0).mesh, "../meshes/cube.msh");
}

TEST_F(Polyfem, gravity_is_the_reversed_right_hand_side) {
  EXPECT_EQ(convert(kRod, R"(, "boundary_conditions": {"rhs": [0, 9.81, 0]})").scene.gravity,
            Vec3(0, -9.81, 0));
  EXPECT_EQ(convert(kRod).scene.gravity, Vec3(0, 0, 0));
  const Scene scene = convert(kRod, R"(, "boundary_conditions": {"rhs": ["2*t", 0, 0]})").scene;
  EXPECT_EQ(scene.gravity, Vec3(0, 0, 0));
  EXPECT_EQ(scene.bodies.at(0).forces.at(0).acceleration->evaluate(3), Vec3(-6, 0, 0));
}

TEST_F(Polyfem, selected_faces_are_displaced_by_formulas) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1,
          "surface_selection": [{"id": 5, "axis": "y", "position": 0.5}, {"id": 6, "axis": -2, "position": -0.5}]})",
      R"(, "boundary_conditions": {"dirichlet_boundary": [
            {"id": 5, "value": ["rotate_2D_x(x, z, t) - x", 0, "rotate_2D_y(x, z, t) - z"]},
            {"id": 6, "value": [0, 0, 0]}]})");
  const BodyDescription& body = converted.scene.bodies.at(0);
  ASSERT_EQ(body.prescribed.size(), 2U);
  EXPECT_EQ(body.prescribed[0].select.vertices->size(), 9U);
  EXPECT_FALSE(body.prescribed[1].displacement);
  const BuiltScene built = build(converted);
  const PrescribedNodes& top = built.model.prescribed.at(0);
  const Points moved = compute_positions(top, 0.5);
  for (size_t i = 0; i < moved.size(); ++i) {
    const Vec3& X = top.initial[i];
    EXPECT_EQ(X.y(), 0.5);
    const Vec3 turned(X.x() * std::cos(0.5) - X.z() * std::sin(0.5), 0.5,
                      X.x() * std::sin(0.5) + X.z() * std::cos(0.5));
    EXPECT_LT((moved[i] - turned).norm(), 1e-15);
  }
}

TEST_F(Polyfem, ways_to_select_faces) {
  const auto count = [&](const std::string& selection, const std::string& id) {
    const PolyfemScene converted = convert(
        R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "surface_selection": )" + selection + "}",
        R"(, "boundary_conditions": {"dirichlet_boundary": {"id": )" + id + R"(, "value": [0, 0, 0]}})");
    const auto& prescribed = converted.scene.bodies.at(0).prescribed;
    return prescribed.empty() ? 0 : static_cast<int>(prescribed[0].select.vertices->size());
  };
  EXPECT_EQ(count("7", "7"), 26);
  EXPECT_EQ(count("7", "\"all\""), 26);
  EXPECT_EQ(count("7", "8"), 0);
  EXPECT_EQ(count(R"({"threshold": 1e-3})", "1"), 9);        // x is least
  EXPECT_EQ(count(R"({"threshold": 1e-3})", "[1, 2]"), 15);  // and y
  EXPECT_EQ(count(R"([{"id": 1, "box": [[0, 0.9, 0], [1, 1, 1]], "relative": true}])", "1"), 9);
  EXPECT_EQ(count(R"([{"id": 1, "axis": 1, "position": 0.9, "relative": true}])", "1"), 9);
  EXPECT_EQ(count(R"([{"id": 1, "normal": [0, 0, -1], "point": [0, 0, -0.4]}])", "1"), 9);
  EXPECT_EQ(count(R"([{"id": 1, "center": [0, 0.5, 0], "radius": 0.45}])", "1"), 9);
  EXPECT_EQ(count(R"([{"id": 1, "p1": [0, -1, 0], "p2": [0, -0.4, 0], "radius": 0.45}])", "1"), 9);
}

TEST_F(Polyfem, selected_points_are_held) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "point_selection": [{"id": 3, "box": [[0.4, -1, -1], [1, 1, 1]]}]})",
      R"(, "boundary_conditions": {"dirichlet_boundary": [{"id": 3, "value": ["t", 0, 0]}]})");
  EXPECT_EQ(converted.scene.bodies.at(0).prescribed.at(0).select.vertices->size(), 9U);
}

TEST_F(Polyfem, a_traction_pulls_with_its_area) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "surface_selection": [{"id": 2, "axis": 2, "position": 0.5}]})",
      R"(, "boundary_conditions": {"neumann_boundary": [{"id": 2, "value": [0, 300, "10*t"]}]})");
  const BuiltScene built = build(converted);
  const NodalLoad& load = built.model.loads.at(0);
  double area = 0;
  for (const double weight : load.weights) area += weight;
  EXPECT_NEAR(area, 1, 1e-12);
  EXPECT_EQ(load.value.evaluate(2), Vec3(0, 300, 20));
}

TEST_F(Polyfem, obstacles_move_and_are_placed) {
  const PolyfemScene converted = convert(
      std::string(kRod) + R"(, {"mesh": "meshes/floor.obj", "is_obstacle": true, "surface_selection": 9,
          "transformation": {"dimensions": [6, 0, 4], "translation": [0, -2, 0]}},
         {"type": "ground", "height": -3, "is_obstacle": true}, {"mesh": "absent.obj", "enabled": false})",
      R"j(, "boundary_conditions": {"obstacle_displacements": [{"id": 9, "value": [0, "max(-0.1*t, -1)", 0]}]})j");
  ASSERT_EQ(converted.scene.bodies.size(), 3U);
  const BodyDescription& floor = converted.scene.bodies[1];
  EXPECT_EQ(floor.kind, BodyKind::Obstacle);
  EXPECT_EQ(floor.scale, Vec3(3, 1, 2));
  EXPECT_EQ(floor.prescribed.at(0).displacement->evaluate(5, Vec3::Zero()), Vec3(0, -0.5, 0));
  EXPECT_EQ(converted.scene.bodies[2].plane->height, -3);
  build(converted);
}

TEST_F(Polyfem, meshes_in_rows_and_refined) {
  const PolyfemScene rows =
      convert(R"({"type": "mesh_array", "mesh": "meshes/cube.msh", "volume_selection": 1,
      "array": {"size": [2, 1, 3], "offset": 1.5, "relative": true}})");
  EXPECT_EQ(build(rows).model.kinematics.bodies[0].rest.points.size(), 6U * 27);
  const PolyfemScene fine =
      convert(R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "n_refs": 1,
      "surface_selection": [{"id": 1, "axis": 1, "position": 0.5}]})",
              R"(, "boundary_conditions": {"dirichlet_boundary": [{"id": 1, "value": [0, 0, 0]}]})");
  EXPECT_EQ(fine.scene.bodies[0].refine, 1);
  const BuiltScene built = build(fine);
  EXPECT_EQ(built.model.kinematics.bodies[0].rest.points.size(), 125U);
  EXPECT_EQ(built.model.prescribed.at(0).nodes.size(), 25U);
  for (const Vec3& x : built.model.prescribed[0].initial) EXPECT_EQ(x.x(), 0.5);
}

TEST_F(Polyfem, an_obstacle_follows_a_sequence) {
  fs::create_directories(folder_.path + "/frames");
  for (const int k : {2, 10, 1}) {
    write_file(path("frames/f" + std::to_string(k) + ".obj"),
               "v -1 -" + std::to_string(k) + " -1\nv 1 -2 -1\nv 1 -2 1\nf 1 3 2\n");
  }
  const PolyfemScene converted =
      convert(std::string(kRod) +
              R"(, {"type": "mesh_sequence", "mesh_sequence": "frames", "fps": 25, "is_obstacle": true})");
  const SequenceDescription& sequence = *converted.scene.bodies.at(1).prescribed.at(0).sequence;
  EXPECT_EQ(sequence.meshes, (std::vector<std::string>{"frames/f1.obj", "frames/f2.obj", "frames/f10.obj"}));
  EXPECT_EQ(sequence.step, 0.04);
}

TEST_F(Polyfem, time_and_integrators) {
  const auto time = [&](const std::string& text) {
    return convert(kRod, ", \"time\": {" + text + "}").scene.time;
  };
  EXPECT_EQ(time(R"("tend": 2, "dt": 0.5)").duration, 2);
  EXPECT_EQ(time(R"("tend": 2, "time_steps": 4)").step, 0.5);
  EXPECT_EQ(time(R"("dt": 0.25, "time_steps": 4)").duration, 1);
  EXPECT_EQ(time(R"("tend": 2, "dt": 0.5, "integrator": "BDF2")").integrator, Integrator::Bdf2);
  EXPECT_EQ(time(R"("tend": 2, "dt": 0.5, "integrator": {"type": "BDF", "steps": 1})").integrator,
            Integrator::ImplicitEuler);
  EXPECT_EQ(time(R"("tend": 2, "dt": 0.5, "integrator": {"type": "ImplicitNewmark"})").integrator,
            Integrator::Newmark);
  EXPECT_EQ(time(R"("tend": 2, "dt": 0.5, "quasistatic": true)").integrator, Integrator::QuasiStatic);
  EXPECT_EQ(convert(kRod).scene.time.integrator, Integrator::QuasiStatic);  // without time: one equilibrium
}

TEST_F(Polyfem, contact_and_friction) {
  const Scene scene =
      convert(kRod, R"(, "time": {"tend": 1, "dt": 0.1}, "contact": {"enabled": true, "dhat": 0.01,
      "epsv": 0.002, "friction_coefficient": 0.3}, "solver": {"contact": {"friction_iterations": -1, "barrier_stiffness": 1e6}})")
          .scene;
  EXPECT_TRUE(scene.contact.enabled);
  EXPECT_EQ(scene.contact.d_hat, 0.01);
  EXPECT_EQ(scene.contact.epsilon_v, 0.002);
  EXPECT_EQ(scene.contact.friction, 0.3);
  EXPECT_EQ(scene.contact.friction_iterations, -1);
  EXPECT_NEAR(*scene.contact.kappa, 1e-2, 1e-12);  // 1e6 d̂⁴
  EXPECT_FALSE(convert(kRod).scene.contact.enabled);
}

TEST_F(Polyfem, velocities_and_laws) {
  const Scene scene =
      convert(kRod, R"(, "initial_conditions": {"velocity": [{"id": 1, "value": [1, 2, 3]}]})",
              R"({"type": "MaterialSum", "models": [{"type": "SaintVenant", "lambda": 3e5, "mu": 2e5},
                                 {"type": "InversionBarrier", "E": 1, "nu": 0}], "rho": 10})")
          .scene;
  EXPECT_EQ(scene.bodies[0].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(scene.bodies[0].material.model, MaterialModel::StVenantKirchhoff);
  EXPECT_NEAR(scene.bodies[0].material.youngs_modulus, 5.2e5, 1e-6);
  EXPECT_NEAR(scene.bodies[0].material.poissons_ratio, 0.3, 1e-12);
}

TEST_F(Polyfem, a_field_of_velocities_may_turn_the_body) {
  const auto start = [&](const std::string& value) {
    return convert(
               R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "transformation": {"translation": [3, 0, 0]}})",
               R"(, "initial_conditions": {"velocity": [{"id": 1, "value": )" + value + "}]}")
        .scene.bodies.at(0);
  };
  const BodyDescription body = start(R"(["-2*y", "2*x + 1", 0])");
  EXPECT_LT((body.velocity - Vec3(0, 7, 0)).norm(), 1e-12);
  EXPECT_LT((body.angular_velocity - Vec3(0, 0, 2)).norm(), 1e-12);
  EXPECT_EQ(problem_of([&] { start(R"(["x", 0, 0])"); }), "moves cube other than as a whole");
}

// The nodes between the corners follow as well.
TEST_F(Polyfem, faces_of_tets_of_higher_order) {
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "surface_selection": [{"id": 1, "axis": 1, "position": 0.5}]})",
      R"(, "space": {"discr_order": 3}, "boundary_conditions": {"dirichlet_boundary": [{"id": 1, "value": ["t", 0, 0]}]})");
  const BuiltScene built = build(converted);
  EXPECT_EQ(built.model.kinematics.bodies[0].order, 3);
  const PrescribedNodes& group = built.model.prescribed.at(0);
  EXPECT_EQ(group.nodes.size(), 49U);
  for (const Vec3& X : group.initial) EXPECT_EQ(X.x(), 0.5);
}

TEST_F(Polyfem, a_collision_mesh_of_its_own) {
  write_file(
      path("skin.obj"),
      "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\nv 0 0 0.4\nf 1 3 2\nf 1 4 3\n"
      "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
  const PolyfemScene converted = convert(
      R"({"mesh": "meshes/cube.msh", "volume_selection": 1, "transformation": {"scale": 2}})",
      R"(, "contact": {"enabled": true, "collision_mesh": {"mesh": "skin.obj", "linear_map": "map.hdf5"}})");
  EXPECT_EQ(converted.scene.bodies[0].collider->mesh, "skin.obj");
  EXPECT_TRUE(tells(converted, "linear_map is not read"));
  const Body& body = build(converted).model.kinematics.bodies[0];
  ASSERT_EQ(body.rest.points.size(), 5U);
  EXPECT_LT((body.rest.points[4] - Vec3(0, 0, 0.8)).norm(), 1e-12);
}

TEST_F(Polyfem, recorded_norms_are_kept) {
  const std::string rest =
      R"(, "time": {"tend": 2, "dt": 0.5}, "tests": {"err_l2": 0.5, "err_lp": 0.25, "margin": 1e-4, "time_steps": )";
  const Scene all = convert(kRod, rest + "\"all\"}").scene;
  EXPECT_EQ(all.recorded_norms->steps, 4);
  EXPECT_EQ(all.recorded_norms->l2, 0.5);
  EXPECT_EQ(all.recorded_norms->lp, 0.25);
  EXPECT_FALSE(all.recorded_norms->h1);
  EXPECT_EQ(convert(kRod, rest + "3}").scene.recorded_norms->steps, 3);
  EXPECT_EQ(convert(kRod, R"(, "tests": {"time_steps": 1})").scene.recorded_norms.has_value(), false);
}

TEST_F(Polyfem, what_is_ignored_is_told) {
  const PolyfemScene scene =
      convert(kRod, R"(, "output": {"json": "x"}, "contact": {"use_convergent_formulation": true},
              "solver": {"linear": {"solver": "a"}, "nonlinear": {}, "contact": {"CCD": {}}})");
  EXPECT_TRUE(tells(scene, "output is ignored"));
  EXPECT_TRUE(tells(scene, "solver: linear, nonlinear are ignored"));
  EXPECT_TRUE(tells(scene, "solver.contact: CCD is ignored"));
  EXPECT_TRUE(tells(scene, "contact.use_convergent_formulation: the usual barrier is used"));
}

TEST_F(Polyfem, bad_input) {
  EXPECT_EQ(answer_to(R"({"mesh": "absent.msh"})"), "the mesh absent.msh is missing");
  EXPECT_EQ(answer_to(R"({"mesh": 3})"), "found the number 3, wanted the name of a mesh file");
  EXPECT_EQ(answer_to(R"({"mesh": "meshes/cube.msh", "surface_selektion": 1})"),
            "the key \"surface_selektion\" is not known here");
  EXPECT_EQ(answer_to(R"({"mesh": "meshes/cube.msh", "volume_selection": 4})"),
            "has the id 4 (volume_selection), but no material has");
  EXPECT_EQ(answer_to(R"({"mesh": "meshes/floor.obj"})"), "has no tets");
  EXPECT_EQ(answer_to(R"({"mesh": "meshes/cube.msh", "transformation": {"scale": -1}})"),
            "scales the mesh by -1 along x");
  EXPECT_EQ(
      answer_to(
          R"({"mesh": "meshes/cube.msh", "transformation": {"rotation": [1, 2, 3], "rotation_mode": "abc"}})"),
      "the rotation mode \"abc\" is not known");
  EXPECT_EQ(answer_to(R"({"mesh": "meshes/cube.msh", "is_obstacle": true})"),
            "has no mesh that is simulated");
  EXPECT_EQ(answer_to(kRod, {}, R"({"type": "Ogden", "E": 1, "nu": 0})"),
            "the law Ogden has no counterpart with the same energy");
  EXPECT_EQ(answer_to(kRod, {}, R"({"type": "NeoHookean", "E": "1 +", "nu": 0})"),
            "column 4 of the formula \"1 +\": wanted a number, a name or '(', found the end");
  EXPECT_EQ(answer_to(kRod, {}, R"({"type": "NeoHookean", "E": 1e5, "nu": 0.5})"),
            "found 0.5, wanted Poisson's ratio above -1 and below 0.5");
  EXPECT_EQ(answer_to(kRod, R"(, "boundary_conditions": {"rhs": [0, 9.81]})"),
            "has two coordinates: the scene is two-dimensional");
  EXPECT_EQ(
      answer_to(
          kRod,
          R"j(, "boundary_conditions": {"dirichlet_boundary": [{"id": 1, "value": ["sinn(t)", 0, 0]}]})j"),
      "column 1 of the formula \"sinn(t)\": 'sinn' is not known in PolyFEM's formulas, or has no "
      "counterpart");
  EXPECT_EQ(
      answer_to(
          kRod,
          R"(, "boundary_conditions": {"dirichlet_boundary": [{"id": 1, "value": [0, 0, 0], "dimension": [true, false, true]}]})"),
      "leaves a coordinate free, but prescribed points move in all of them");
  EXPECT_EQ(answer_to(kRod, R"(, "time": {"dt": 0.1})"), "needs two of tend, dt and time_steps");
  EXPECT_EQ(answer_to(kRod, R"(, "contact": {"adhesion": {"adhesion_enabled": true}})"),
            "adhesion is not supported");
  EXPECT_EQ(answer_to(kRod, R"(, "space": {"discr_order": 7})"), "found 7, wanted 1 to 4");
  EXPECT_EQ(answer_to(kRod, R"(, "patch": [{"op": "replace", "path": "/geometry/5/mesh", "value": 1}])")
                .find("cannot be applied"),
            0U);
  EXPECT_EQ(answer_to(kRod, R"(, "common": "absent.json")").find("the file "), 0U);
}

TEST_F(Polyfem, mistakes_are_placed_in_the_file_that_makes_them) {
  write_file(path("common.json"), "{\n\"contact\": {\n\"dhat\": -1}}");
  write_file(path(), std::string("{\"common\": \"common.json\", \"geometry\": [") + kRod +
                         "], \"materials\": " + kSteel + "}");
  try {
    read_polyfem_scene(path(), path());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(fs::path(error.where().file).filename(), "common.json");
    EXPECT_EQ(error.where().line, 3);
    EXPECT_EQ(error.where().json_path, "contact.dhat");
  }
}

TEST(PolyfemFormulas, mean_what_they_mean_there) {
  const auto value = [](const char* text) {
    return PlaceExpression(translate_polyfem_formula(text)).evaluate(0.5, Vec3(2, 3, 5));
  };
  EXPECT_EQ(value("-x^2"), 4);    // (−x)²
  EXPECT_EQ(value("2^3^2"), 64);  // from left to right
  EXPECT_EQ(value("x - y - z"), -6);
  EXPECT_EQ(value("-7 % 3"), -1);  // C's remainder
  EXPECT_EQ(value("if(0, x, y)"), 2);
  EXPECT_EQ(value("if(-1, x, y)"), 3);
  EXPECT_EQ(value("sqrt 16 + 1"), 5);
  EXPECT_NEAR(value("log(1000) + ln(exp(2))"), 5, 1e-14);
  EXPECT_NEAR(value("smooth_abs(x - 4, 5)"), 2 * std::tanh(10), 1e-14);
  EXPECT_NEAR(value("rotate_2D_x(x, y, t)"), 2 * std::cos(0.5) - 3 * std::sin(0.5), 1e-15);
  EXPECT_NEAR(value("rotate_2D_y(x, y, t)"), 2 * std::sin(0.5) + 3 * std::cos(0.5), 1e-15);
  EXPECT_NEAR(value("deg2rad(180) - pi"), 0, 1e-15);
  EXPECT_EQ(value("min(x, max(y, 1e-3))"), 2);
  EXPECT_EQ(value("pow(x, y)"), 8);
  EXPECT_EQ(value("compare(x, y) + sign(-z)"), 0);
  EXPECT_THROW(translate_polyfem_formula("fac(3)"), ExpressionError);
  EXPECT_THROW(translate_polyfem_formula("min(1)"), ExpressionError);
  EXPECT_THROW(translate_polyfem_formula("1 2"), ExpressionError);
  EXPECT_THROW(translate_polyfem_formula(""), ExpressionError);
}

TEST_F(Polyfem, our_scenes_are_not_theirs) {
  write_file(path("ours.json"), R"({"name": "geometry \"common\"", "bodies": [{"shape": {"type": "box"}}]})");
  EXPECT_FALSE(is_polyfem_scene(path("ours.json")));
  convert(kRod);
  EXPECT_TRUE(is_polyfem_scene(path()));
  EXPECT_TRUE(is_foreign_scene(path()));
}

// Every scene in three dimensions with tets and all of its meshes becomes one that builds.
TEST(PolyfemScenes, all_public_ones) {
  const fs::path root =
      fs::path(MARROW_SOURCE_DIR) / "../shared/data/scenes/polyfem-data/contact/examples/3D";
  if (!fs::exists(root)) GTEST_SKIP() << "needs PolyFEM's scenes in ../shared/data/scenes";
  int converted = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    ASSERT_TRUE(is_polyfem_scene(path) || path.find("hex_tet") != std::string::npos) << path;
    try {
      const PolyfemScene scene = read_polyfem_scene(path, path);
      build_scene(parse_scene(describe_scene(scene.scene), path), path);
      ++converted;
    } catch (const InputError& error) {
      const bool is_known = error.problem().find("is missing") != std::string::npos ||
                            error.problem().find("hexahedron") != std::string::npos;
      EXPECT_TRUE(is_known) << path << ": " << error.what();
    }
  }
  EXPECT_GE(converted, 20);
}

}  // namespace
}  // namespace marrow
