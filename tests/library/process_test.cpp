// What a call of the library leaves behind in the process: nothing.
#include <cblas.h>
#include <gtest/gtest.h>
#include <marrow/marrow.h>
#include <xmmintrin.h>

#include <clocale>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <thread>

namespace {

constexpr char kFalling[] = R"({"time": {"step": 0.01, "duration": 0.05}, "bodies": [
  {"name": "box", "shape": {"type": "box", "cells_x": 3, "cells_y": 3, "cells_z": 3}, "position": [0, 0.52, 0]},
  {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [3, 0.1, 3]}, "position": [0, -0.05, 0]}]})";

class Nothing final : public marrow::Potential {
 public:
  double evaluate(std::size_t, std::span<const marrow::Vec3>, std::span<marrow::Vec3>,
                  std::span<double>) const override {
    return 0;
  }
};

TEST(Library, leaves_the_process_as_it_was) {
  openblas_set_num_threads(2);
  const int threads = openblas_get_num_threads();
  const unsigned control = _mm_getcsr();
  constexpr unsigned kFlush = 0x8040;
  _mm_setcsr(control | kFlush);
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  marrow::Simulation simulation(marrow::parse_scene(kFalling));
  EXPECT_TRUE(simulation.step().is_solved);
  EXPECT_EQ(_mm_getcsr() & kFlush, kFlush);
  _mm_setcsr(control);
  EXPECT_EQ(openblas_get_num_threads(), threads);
  EXPECT_EQ(std::setlocale(LC_ALL, nullptr), locale);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) EXPECT_EQ(std::signal(signal, SIG_DFL), SIG_DFL);
}

// Forces and potentials come again and again, bodies by name, errors as values or with advice.
TEST(Library, says_what_is_wrong) {
  marrow::Simulation simulation(marrow::parse_scene(kFalling));
  try {
    simulation.points("bux");
    FAIL() << "there is no such body";
  } catch (const marrow::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean \"box\"?"), std::string::npos) << error.what();
  }
  EXPECT_THROW(simulation.add_potential("box", {{0}}, nullptr), marrow::InputError);
  EXPECT_THROW(simulation.add_potential("box", {{1000000}}, std::make_shared<Nothing>()), marrow::InputError);
  EXPECT_THROW(simulation.add_potential("box", {{0}, {}}, std::make_shared<Nothing>()), marrow::InputError);
  EXPECT_THROW(simulation.add_force("box", nullptr), marrow::InputError);
  EXPECT_THROW(simulation.restore({"no checkpoint"}), marrow::InputError);
  EXPECT_THROW(marrow::parse_scene("{"), marrow::InputError);
  std::string sunk = kFalling;
  sunk.replace(sunk.find("0.52"), 4, "0.3 ");
  EXPECT_THROW(marrow::Simulation{marrow::parse_scene(sunk)}, marrow::InputError);
}

// The text of the InputError that the call throws.
template <class Call>
std::string find_error(const Call& call) {
  try {
    call();
  } catch (const marrow::InputError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Infinite below a height.
class Forbidden final : public marrow::Potential {
 public:
  explicit Forbidden(double height) : height_(height) {}
  double evaluate(std::size_t, std::span<const marrow::Vec3> x, std::span<marrow::Vec3>,
                  std::span<double>) const override {
    return x[0][1] < height_ ? std::numeric_limits<double>::infinity() : 0;
  }

 private:
  double height_;
};

TEST(Library, terms_of_others_that_cannot_work_are_refused) {
  marrow::Simulation simulation(marrow::parse_scene(kFalling));
  const auto push = [](double, auto, auto, auto forces) { forces[0][1] = 1; };
  EXPECT_TRUE(has(find_error([&] { simulation.add_force("floor", push); }), "\"floor\" is an obstacle"));
  EXPECT_TRUE(has(find_error([&] { simulation.add_potential("floor", {{0}}, std::make_shared<Nothing>()); }),
                  "\"floor\" is an obstacle"));
  EXPECT_TRUE(simulation.step().is_solved);

  // Steps within a step are refused, and the step is not taken; without that force it is.
  marrow::Simulation nested(marrow::parse_scene(kFalling));
  bool is_nested = true;
  nested.add_force("box", [&](double, auto, auto, auto) {
    if (is_nested) nested.step();
  });
  EXPECT_TRUE(has(find_error([&] { nested.step(); }), "Simulation::step was called by a force"));
  EXPECT_EQ(nested.current_step(), 0);
  is_nested = false;
  EXPECT_TRUE(nested.step().is_solved);
  EXPECT_EQ(nested.current_step(), 1);
  EXPECT_EQ(nested.save().bytes, simulation.save().bytes);  // the failed attempt left nothing behind

  marrow::Simulation wild(marrow::parse_scene(kFalling));
  wild.add_force("box", [](double, auto, auto, auto forces) { forces[2][0] = std::nan(""); });
  EXPECT_TRUE(has(find_error([&] { wild.step(); }), "the force on point 2 of \"box\" is not finite"));

  marrow::Simulation inside(marrow::parse_scene(kFalling));
  inside.add_potential("box", {{0}}, std::make_shared<Forbidden>(100.0));
  EXPECT_TRUE(has(find_error([&] { inside.step(); }), "is not finite where step 1 starts"));
}

// Simulations in different threads do not disturb each other: same bits, and BLAS as it was before.
TEST(Library, simulations_run_beside_each_other) {
  openblas_set_num_threads(2);
  const auto simulate = [] {
    marrow::Simulation simulation(marrow::parse_scene(kFalling));
    while (!simulation.is_finished()) EXPECT_TRUE(simulation.step().is_solved);
    return simulation.save().bytes;
  };
  const std::string alone = simulate();
  std::vector<std::string> ends(4);
  std::vector<std::thread> threads;
  for (std::string& end : ends) threads.emplace_back([&] { end = simulate(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& end : ends) EXPECT_EQ(end, alone);
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST(Library, arguments_out_of_range_are_refused) {
  EXPECT_TRUE(has(find_error([] { marrow::set_thread_count(-1); }), "0 or above"));
  marrow::CollisionQuery query;
  query.x1[0][2] = 1;
  marrow::CollisionOptions options;
  options.tolerance = -1;
  EXPECT_TRUE(has(find_error([&] { marrow::find_contact_time(query, options); }), "tolerance"));
  options = {};
  options.min_separation = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(has(find_error([&] { marrow::find_contact_time(query, options); }), "min_separation"));
  query.radii[3] = -0.1;
  EXPECT_TRUE(has(find_error([&] { marrow::find_contact_times(std::vector{query}); }), "radii"));
  query.radii[3] = 0;
  query.x0[2][1] = std::nan("");
  EXPECT_TRUE(has(find_error([&] { marrow::find_contact_times(std::vector{query}); }), "point 2"));
}

TEST(Library, the_witness_refuses_points_that_are_not_there) {
  const std::vector<marrow::Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const int bad : {4, 7, -7, 100000000}) {
    const std::vector<marrow::Triangle> triangles = {{0, 1, bad}};
    const std::vector<marrow::Tet> tets = {{0, 1, 2, bad}};
    EXPECT_THROW(marrow::find_intersections(points, triangles, {}), marrow::InputError);
    EXPECT_THROW(marrow::find_intersections(points, {}, tets), marrow::InputError);
  }
}

TEST(Library, scenes_are_changed_by_key) {
  marrow::Scene scene = marrow::parse_scene(kFalling);
  scene.set("time.step", "0.025");
  EXPECT_EQ(marrow::Simulation(scene).step_count(), 2);
  EXPECT_NE(scene.to_json().find("0.025"), std::string::npos);
  EXPECT_THROW(scene.set("time.stop", "1"), marrow::InputError);
  // An error names what was set, or the line of the text that was read, not of a generated one.
  const std::string error = find_error([&] { scene.set("bodies[1].velocity", "[1, 0, 0]"); });
  EXPECT_TRUE(error.starts_with("Scene::set bodies[1].velocity=[1, 0, 0]")) << error;
  marrow::Scene flying =
      marrow::parse_scene("{\"bodies\": [{\"shape\": {\"type\": \"box\"},\n\"velocity\": [1, 0, 0]}]}");
  const std::string other = find_error([&] { flying.set("bodies[0].kind", "obstacle"); });
  EXPECT_TRUE(has(other, "scene.json:2:")) << other;
  // Obstacles have no velocity: this kind and this velocity are valid only together.
  scene.set({"bodies[1].velocity=[1, 0, 0]", "bodies[1].kind=rigid"});
  EXPECT_DOUBLE_EQ(marrow::Simulation(scene).velocities("floor")[0][0], 1);
  EXPECT_EQ(marrow::Simulation(scene).step_count(), 2);  // earlier changes are kept
}

TEST(Library, runs_and_checks_folders) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "marrow_library_run";
  std::filesystem::remove_all(folder);
  int steps = 0;
  marrow::RunOptions options;
  options.folder = folder.string();
  options.on_step = [&](const marrow::StepReport& report) {
    EXPECT_EQ(report.step, ++steps);
    return steps < 3;
  };
  const marrow::Scene scene = marrow::parse_scene(kFalling);
  const marrow::RunOutcome stopped = marrow::run(scene, options);
  EXPECT_FALSE(stopped.is_finished);
  EXPECT_EQ(stopped.steps, 3);
  options.on_step = nullptr;
  const std::string error = find_error([&] { marrow::run(scene, options); });
  EXPECT_TRUE(has(error, "already contains a run")) << error;
  EXPECT_TRUE(has(error, "RunOptions::resumes")) << error;
  EXPECT_FALSE(has(error, "--")) << error;
  options.resumes = options.overwrites = true;
  EXPECT_TRUE(has(find_error([&] { marrow::run(scene, options); }), "both true"));
  options.overwrites = false;
  options.resumes = true;
  const marrow::RunOutcome resumed = marrow::run(scene, options);
  EXPECT_TRUE(resumed.is_finished);
  EXPECT_EQ(resumed.steps, 2);
  const marrow::CheckReport check = marrow::check_run(folder.string());
  EXPECT_TRUE(check.is_clean);
  EXPECT_EQ(check.frames, 6);
  std::filesystem::remove_all(folder);
}

TEST(Library, finds_contact_times) {
  marrow::CollisionQuery query;
  query.kind = marrow::PairKind::PointTriangle;
  query.x0 = {{{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  query.x1 = query.x0;
  query.x1[0][2] = -1;
  const double time = marrow::find_contact_time(query);
  EXPECT_LE(time, 0.5);
  EXPECT_NEAR(time, 0.5, 1e-6);
  query.x1[0][2] = 0.5;
  EXPECT_EQ(marrow::find_contact_time(query), std::numeric_limits<double>::infinity());
  EXPECT_EQ(marrow::find_contact_times(std::vector{query, query}).size(), 2u);
}

// A box on a floor: what carries it, where it is; nothing before the first step and after a restore.
TEST(Library, tells_poses_and_forces) {
  std::string text = kFalling;
  text.replace(text.find("0.05}"), 4, "1.00");
  marrow::Scene scene = marrow::parse_scene(text);
  scene.set("bodies[0].kind", "\"rigid\"");
  marrow::Simulation simulation(scene);
  EXPECT_TRUE(simulation.contact_forces().empty());
  EXPECT_EQ(simulation.forces("box").loads[1], 0);
  const marrow::Checkpoint start = simulation.save();
  while (!simulation.is_finished()) ASSERT_TRUE(simulation.step().is_solved);
  const marrow::Pose pose = simulation.pose("box");
  EXPECT_NEAR(pose.mass, 1000, 1e-6);
  EXPECT_NEAR(pose.position[1], 0.5, 0.02);
  // It lies flat; without friction, it may turn about the vertical a little.
  EXPECT_NEAR(pose.rotation[0], 1, 1e-4);
  EXPECT_NEAR(pose.rotation[1], 0, 1e-5);
  EXPECT_NEAR(pose.rotation[3], 0, 1e-5);
  const double weight = 9810;
  EXPECT_NEAR(simulation.forces("box").normal[1], weight, 0.01 * weight);
  EXPECT_NEAR(simulation.forces("box").loads[1], -weight, 1e-6);
  EXPECT_NEAR(simulation.forces("floor").reaction[1], weight, 0.01 * weight);
  const std::vector<marrow::ContactForce> contacts = simulation.contact_forces();
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0].a, "box");
  EXPECT_EQ(contacts[0].b, "floor");
  EXPECT_NEAR(contacts[0].normal[1], weight, 0.01 * weight);
  EXPECT_GT(contacts[0].contacts, 0U);
  EXPECT_TRUE(simulation.joint_forces().empty());
  EXPECT_THROW(simulation.pose("bux"), marrow::InputError);
  EXPECT_THROW(simulation.forces("bux"), marrow::InputError);
  simulation.restore(start);
  EXPECT_TRUE(simulation.contact_forces().empty());
}

}  // namespace
