// IPC scripts: parsing, conversion, what is told of what is ignored, and every public script.
#include "scene/import/ipc_script.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>
#include <random>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "mesh/shapes.h"
#include "scene/build/build.h"
#include "scene/describe.h"
#include "scene/import/ipc_scene.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShapes = "shapes input 1\nmeshes/block.msh 0 0 0  0 0 0  1 1 1\n";

IpcScript parse(const std::string& text) { return parse_ipc_script(text, "script.txt"); }

std::string answer_to(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A folder with a unit block of tets from (0, 0, 0), a square and a segment, in which scripts are converted.
class IpcScripts : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("marrow_ipc_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "meshes" / "sequence");
    Mesh block = build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1});
    for (Vec3& x : block.points) x += Vec3::Constant(0.5);
    block.triangles.clear();
    write_mesh((folder_ / "meshes/block.msh").string(), block);
    write_file((folder_ / "meshes/square.obj").string(),
               "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 3 2\nf 1 4 3\n");
    for (int k = 0; k < 3; ++k) {
      write_file((folder_ / "meshes/sequence" / (std::to_string(k) + ".seg")).string(),
                 "v 0 " + std::to_string(k) + " 0\nv 1 0 0\ns 1 2\n");
    }
    write_file((folder_ / "meshes/edge.seg").string(), "v 0 0 0\nv 1 0 0\ns 1 2\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  IpcScene convert(const std::string& text) {
    const std::string path = (folder_ / "scenes" / "script.txt").string();
    fs::create_directories(folder_ / "scenes");
    write_file(path, text);
    return read_ipc_scene(path, path);
  }

  Model build(const IpcScene& converted) {
    const std::string path = (folder_ / "scenes" / "none.json").string();
    return build_scene(parse_scene(describe_scene(converted.scene), path), path).model;
  }

  fs::path folder_;
};

TEST(IpcScript, values_are_read_where_they_stand) {
  const IpcScript script = parse(
      "energy FCR # a comment\n timeIntegration NM 0.25 0.5\ntime 3 0.01\ndensity 500\nstiffness 1e6 0.3\n"
      "turnOffGravity\nsize 2\nrotateModel 0 1 0 45\nselfCollisionOff\nselfFric 0.2\ndHat 1e-2\nepsv 1e-4\n"
      "fricIterAmt -1\ntol 2\n1e-1\n1e-4\nground 0.1 -3\nhalfSpace 1 2 3  0 2 0  50 0.5\n"
      "meshCO wall.obj 1 2 3  4  50  0.7 rotate 10 20 30\nscript DCOBallHitWall 1 67\n"
      "shapes input 1\n a.msh 1 2 3  4 5 6  7 8 9 material 10 11 0.12 \\\n  initVel 1 0 0  0 90 0 \\\n"
      "  DBC 0 0 0  1 1 1  2 0 0  0 0 0  0.5 1.5  NBC 0 0 0  1 1 1  0 5 0\n");
  EXPECT_EQ(script.energy, "FCR");
  EXPECT_EQ(script.integration, "NM");
  EXPECT_EQ(script.step, 0.01);
  EXPECT_FALSE(script.has_gravity || script.has_self_collision);
  EXPECT_EQ(script.d_hat, 1e-2);
  EXPECT_EQ(script.epsilon_v, 1e-4);
  EXPECT_EQ(script.tolerance, 1e-4);
  EXPECT_EQ(script.motion_values, (std::vector<double>{67}));
  ASSERT_EQ(script.half_spaces.size(), 2u);
  EXPECT_EQ(script.half_spaces[1].normal, Vec3(0, 1, 0));
  EXPECT_EQ(script.obstacles[0].degrees, Vec3(10, 20, 30));
  ASSERT_EQ(script.shapes.size(), 1u);
  const IpcShape& shape = script.shapes[0];
  EXPECT_EQ(shape.scale, Vec3(7, 8, 9));
  EXPECT_EQ(shape.material->poissons_ratio, 0.12);
  EXPECT_EQ(shape.initial_spin, Vec3(0, 90, 0));
  EXPECT_EQ(shape.held[0].end, 1.5);
  EXPECT_EQ(shape.pulled[0].value, Vec3(0, 5, 0));
  ASSERT_EQ(script.notices.size(), 1u);
  EXPECT_EQ(script.notices[0].text, "tol: every step uses the last value, 0.0001");
}

TEST(IpcScript, sections_count_for_their_solver_only) {
  const std::string section = "section SQP QP\ntime 9 0.5\nsection end\n";
  EXPECT_EQ(parse(kShapes + section).step, 0.025);
  EXPECT_EQ(parse("constraintSolver SQP\n" + section + kShapes).step, 0.5);
  EXPECT_EQ(parse("section IP\ntime 9 0.5\nsection end\n" + std::string(kShapes)).step, 0.5);
}

TEST(IpcScript, what_is_ignored_is_told_with_its_line) {
  const IpcScript script =
      parse(std::string(kShapes) + "zoom 0.3\nnonsense 1 2\nselfFric 0.1 7\ntuning 2\n1e5\n0.5\n");
  ASSERT_EQ(script.notices.size(), 5u);
  EXPECT_EQ(script.notices[0].line, 3);
  EXPECT_EQ(script.notices[0].text, "zoom is ignored: it only affects how IPC draws");
  EXPECT_EQ(script.notices[1].text, "nonsense is ignored: unknown keyword");
  EXPECT_EQ(script.notices[2].text, "selfFric: '7' at the end of the line is ignored");
  EXPECT_EQ(script.notices[3].text,
            "tuning: the barrier stiffness is ignored; Marrow adapts it automatically");
  EXPECT_EQ(script.notices[4].text, "tuning: dHat is 0.001 from the start, not 0.5 at first");
}

TEST(IpcScript, mistakes_are_told_with_their_line) {
  EXPECT_EQ(answer_to("energy NH\n"),
            "script.txt: the script has no shapes\n  IPC scripts have a line \"shapes input "
            "N\" followed by N lines, one per mesh.");
  EXPECT_EQ(answer_to("\nenergy XX\n"), "script.txt:2: the energy 'XX' is not known\n  Known are NH, FCR.");
  EXPECT_EQ(answer_to("time 5\n"), "script.txt:1: the time step is missing at the end of the line");
  EXPECT_EQ(answer_to("time 5 fast\n"), "script.txt:1: the time step should be a number, found 'fast'");
  EXPECT_EQ(answer_to("time 5 0\n"), "script.txt:1: the time step must be above 0, found 0");
  EXPECT_EQ(answer_to("shapes input 2\na.msh 0 0 0 0 0 0 1 1 1\n"),
            "script.txt:1: the script ends before the last shape");
  EXPECT_EQ(answer_to("shapes input 1\na.msh 0 0 0 0 0 0 1 1\n"),
            "script.txt:2: the scale is missing at the end of the line");
  EXPECT_EQ(answer_to("halfSpace 0 0 0  0 0 0  50 0\n"),
            "script.txt:1: the normal of the half space has no direction");
  EXPECT_EQ(answer_to("tol 2\n1e-3\n"), "script.txt:1: the script ends before all values are given");
}

TEST(IpcScript, garbage_is_read_or_refused_but_never_worse) {
  const std::string whole =
      "energy NH\ntime 5 0.025\ntuning 3\n0\n1e-3\n1e-3\nsection SQP\ntime 1 1\nsection end\nscript twist\n"
      "shapes input 1\na.msh 0 0 0 0 0 0 1 1 1 DBC 0 0 0 1 1 1 0 0 0 0 0 0 0 1\nground 0.1 0\n";
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = whole;
    for (unsigned k = 1 + random() % 4; k > 0; --k) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, random() % 20);
      else
        text.insert(at, 1, static_cast<char>(random() % 256));
      if (text.empty()) text = "#";
    }
    try {
      parse(text);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(IpcScripts, lengths_are_those_of_ipc) {
  const IpcScene converted = convert(
      "shapes input 2\nmeshes/block.msh 0 0 0  0 0 0  2 2 2\nmeshes/block.msh 0 3 0  0 0 0  1 1 1\nsize "
      "1\nground 0.4 -1\n");
  // Boxes [0, 2]³ and [0, 1] × [3, 4] × [0, 1]: height 4 becomes 1.
  const double diagonal = std::sqrt(4.0 + 16 + 4) / 4;
  const Scene& scene = converted.scene;
  EXPECT_NEAR(*scene.contact.d_hat, 1e-3 * diagonal, 1e-15);
  EXPECT_NEAR(*scene.contact.epsilon_v, 1e-3 * diagonal, 1e-15);
  EXPECT_EQ(scene.solver.newton.tolerance, 1e-3);  // ours: IPC's is rougher
  EXPECT_EQ(scene.solver.newton.balance, 1e-4);
  EXPECT_EQ(scene.bodies[1].position, Vec3(0, 0.75, 0));
  EXPECT_EQ(scene.gravity, Vec3(0, -9.80665, 0));
  const Model model = build(converted);
  EXPECT_NEAR(model.stop_length(0.025), 1e-3 * (std::sqrt(3.0) / 4) * 0.025, 1e-12);
  EXPECT_EQ(model.contact.friction_between(0, 1), 0);
  EXPECT_EQ(model.contact.friction_between(0, 2), 0.4);
  // The plate's upper side is the plane.
  double top = -10;
  for (const Vec3& x : model.kinematics.bodies[2].rest.points) top = std::max(top, x.y());
  EXPECT_NEAR(top, -1, 1e-14);
}

TEST_F(IpcScripts, placements_agree_with_ipc_point_by_point) {
  const IpcScene converted = convert(
      "shapes input 1\nmeshes/block.msh 1 2 3  30 40 50  1 2 3\nrotateModel 0 0 1 90\nsize 3\nscript "
      "fallNoShift\n");
  const Model model = build(converted);
  // By hand: R = Rx Ry Rz, then the turn about half the box's extent, then the size, then to the origin.
  const Mesh block = read_mesh((folder_ / "meshes/block.msh").string());
  const double d = std::numbers::pi / 180;
  const Mat3 R = (Eigen::AngleAxisd(30 * d, Vec3::UnitX()) * Eigen::AngleAxisd(40 * d, Vec3::UnitY()) *
                  Eigen::AngleAxisd(50 * d, Vec3::UnitZ()))
                     .toRotationMatrix();
  Points expected;
  Eigen::AlignedBox3d box, turned;
  for (const Vec3& X : block.points) {
    expected.push_back(R * Vec3(1, 2, 3).cwiseProduct(X) + Vec3(1, 2, 3));
    box.extend(expected.back());
  }
  const Vec3 center = box.sizes() / 2;
  for (Vec3& x : expected) {
    x = Eigen::AngleAxisd(90 * d, Vec3::UnitZ()) * (x - center) + center;
    turned.extend(x);
  }
  const double scale = 3 / turned.sizes().maxCoeff();
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_LE((model.kinematics.bodies[0].rest.points[i] - scale * (expected[i] - turned.min())).norm(),
              1e-12);
  }
}

TEST_F(IpcScripts, twist_turns_both_ends_at_72_degrees_a_second) {
  const Model model = build(convert(std::string(kShapes) + "script twist\nturnOffGravity\n"));
  ASSERT_EQ(model.prescribed.size(), 2u);
  for (const PrescribedNodes& group : model.prescribed) {
    EXPECT_EQ(group.nodes.size(), 4u);
    const double speed = group.initial[0].x() < 0.5 ? -0.4 : 0.4;
    EXPECT_NEAR(group.motion.angular_velocity.x(), speed * std::numbers::pi, 1e-15);
    EXPECT_EQ(group.motion.about, Vec3(0.5, 0.5, 0.5));
  }
}

TEST_F(IpcScripts, time_ranges_of_the_same_points_become_one_motion) {
  const Model model =
      build(convert("shapes input 1\nmeshes/block.msh 0 0 0  0 0 0  1 1 1 \\\n DBC -0.1 -0.1 -0.1  0.1 1.1 "
                    "1.1  1 0 0  0 0 0  0 2 \\\n"
                    " DBC -0.1 -0.1 -0.1  0.1 1.1 1.1  0 0 0  0 0 0  2 \\\n NBC 0.9 -0.1 -0.1  1.1 1.1 1.1  "
                    "0 5 0  1\ntime 5 0.01\n"));
  ASSERT_EQ(model.prescribed.size(), 1u);
  EXPECT_LE(
      (compute_positions(model.prescribed[0], 1)[0] - model.prescribed[0].initial[0] - Vec3(1, 0, 0)).norm(),
      1e-14);
  EXPECT_LE(
      (compute_positions(model.prescribed[0], 4)[0] - model.prescribed[0].initial[0] - Vec3(2, 0, 0)).norm(),
      1e-14);
  EXPECT_TRUE(model.prescribed[0].is_active(5));
  ASSERT_EQ(model.loads.size(), 1u);
  EXPECT_EQ(model.loads[0].value.evaluate(0.5), Vec3(0, 0, 0));
  EXPECT_EQ(model.loads[0].value.evaluate(1.5), Vec3(0, 5, 0));
}

TEST_F(IpcScripts, mesh_sequences_are_followed) {
  const Model model = build(
      convert(std::string(kShapes) +
              "shapes input 1\nmeshes/edge.seg 0 0 0  0 0 0  1 1 1 meshSeq meshes/sequence\ntime 1 0.1\n"));
  ASSERT_EQ(model.prescribed.size(), 1u);
  EXPECT_EQ(compute_positions(model.prescribed[0], 0.1)[0], Vec3(0, 0, 0));
  EXPECT_LE((compute_positions(model.prescribed[0], 0.25)[0] - Vec3(0, 1.5, 0)).norm(), 1e-12);
}

TEST_F(IpcScripts, unknown_motions_and_missing_meshes_are_refused_with_their_line) {
  try {
    convert("shapes input 1\nmeshes/blok.msh 0 0 0  0 0 0  1 1 1\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 2);
    EXPECT_EQ(error.problem(), "the mesh meshes/blok.msh is missing");
  }
  try {
    convert(std::string(kShapes) + "script twirl\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, 3);
    EXPECT_EQ(error.problem(), "the motion 'twirl' is not known");
  }
}

// The whole scene as it is written; run with MARROW_UPDATE=1 to write the expected files anew.
TEST_F(IpcScripts, conversions_are_as_recorded) {
  const std::pair<const char*, std::string> scripts[] = {
      {"drop",
       "energy FCR\ntime 2 0.01\nshapes input 2\nmeshes/block.msh 0 2 0  0 45 0  1 1 1  initVel 1 0 0  0 90 "
       "0\n"
       "meshes/square.obj -1 0 -1  0 0 0  3 3 3  linearVelocity 0 0.5 0\nselfFric 0.2\nground 0.1 -1\ndHat "
       "1e-2\n"},
      {"beds",
       "script DCOSegBedSquash\nsize 5\ntime 8 0.04\nshapes input 1\nmeshes/block.msh 2 3 2  0 0 0  1 1 1\n"
       "shapeMatrix input 5 1 5\nmeshes/edge.seg 1 1 1  0 0 90  1 1 1\n"
       "shapeMatrix input 5 1 5  0 6 0\nmeshes/edge.seg 1 1 1  0 0 90  1 1 1\ntol 1\n1e-3\nfricIterAmt -1\n"},
  };
  for (const auto& [name, text] : scripts) {
    const std::string golden = std::string(MARROW_SOURCE_DIR "/tests/scene/golden/ipc_") + name + ".json";
    const std::string scene = describe_scene(convert(text).scene);
    if (std::getenv("MARROW_UPDATE") != nullptr) write_file(golden, scene);
    EXPECT_EQ(read_file(golden), scene);
  }
}

TEST(IpcScriptData, every_public_script_converts_or_lacks_a_mesh) {
  const fs::path root = MARROW_SOURCE_DIR "/../shared/data/scenes/IPC/input";
  if (!fs::is_directory(root)) GTEST_SKIP() << "no scripts in " << root;
  int converted = 0, lacking = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".txt") continue;
    try {
      const IpcScene scene = read_ipc_scene(entry.path().string(), "scene.json");
      const Scene again = parse_scene(describe_scene(scene.scene), "scene.json");
      EXPECT_EQ(again.bodies.size(), scene.scene.bodies.size());
      for (const IpcNotice& notice : scene.notices) {
        EXPECT_EQ(notice.text.find("unknown keyword"), std::string::npos) << entry.path() << notice.text;
      }
      ++converted;
    } catch (const InputError& error) {
      EXPECT_NE(error.problem().find("is missing"), std::string::npos) << error.what();
      ++lacking;
    }
  }
  EXPECT_EQ(converted + lacking, 119);
  EXPECT_GE(converted, 105);
}

}  // namespace
}  // namespace marrow
