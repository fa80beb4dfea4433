#include "scenes/witness.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "scene/read_scene.h"
#include "sim/start/model_witness.h"

namespace marrow::test {
namespace {

constexpr double kJitter = 1e-3;  // of the scene's diagonal
constexpr int kMaxJitterHalvings = 20;

// Follows a run from one place to the next.
class Follower {
 public:
  Follower(const Model& model, const VecX& start)
      : kinematics_(model.kinematics), witness_(make_witness(model)), start_(start) {}

  void see(const VecX& n, bool is_start, WitnessedRun& result) {
    Points x;
    compute_points(kinematics_, n, x);
    witness_.move_to(x, list_nodes(n));
    if (is_start) {
      result.jumps += n != start_ && n != last_ && std::find(ends_.begin(), ends_.end(), n) == ends_.end();
      count(check_surfaces(witness_.surfaces(), witness_.exceptions()), result);
    } else {
      count(witness_.check_path(last_points_, x, list_turns(kinematics_, last_, n)), result);
    }
    result.inversions += witness_.check_tets().count();
    ++result.iterates;
    if (is_start) ends_ = {start_, n};
    last_ = n;
    last_points_ = std::move(x);
  }

  // A step has ended at n: the next begins there.
  void end_step(const VecX& n) { start_ = n; }

 private:
  static void count(const IntersectionReport& report, WitnessedRun& result) {
    result.intersections +=
        report.intersections + report.undecided + static_cast<std::int64_t>(report.not_finite.size());
  }

  const Kinematics& kinematics_;
  Witness witness_;
  VecX start_, last_;
  Points last_points_;
  std::vector<VecX> ends_;  // where this step and its last part began
};

Vec3 draw_vector(std::mt19937& random) {
  std::uniform_real_distribution<double> draw(-1, 1);
  const double x = draw(random), y = draw(random), z = draw(random);
  return {x, y, z};
}

Scene jitter_scene(Scene scene, int seed, double length, double degrees) {
  std::mt19937 random(static_cast<unsigned>(seed));
  for (BodyDescription& body : scene.bodies) {
    const Vec3 shift = draw_vector(random), turn = draw_vector(random);
    if (body.kind == BodyKind::Obstacle) continue;
    body.position += length * shift;
    if (body.prescribed.empty()) body.rotation += degrees * turn;
  }
  return scene;
}

}  // namespace

BuiltScene build_text(const std::string& text, const std::vector<std::string>& overrides) {
  return build_scene(parse_scene(text, "scene", overrides), "scene");
}

Points list_points(const BuiltScene& built) {
  Points points;
  compute_points(built.model.kinematics, built.state.nodes, points);
  return points;
}

WitnessedRun run_witnessed(BuiltScene built) {
  WitnessedRun result;
  result.initial = built.state.nodes;
  Follower witness(built.model, built.state.nodes);
  RunHooks hooks;
  hooks.on_move = [&](int, const VecX& n, bool is_start) { witness.see(n, is_start, result); };
  hooks.on_step = [&](const State& state, const StepReport& report) {
    result.steps.push_back(report);
    witness.end_step(state.nodes);
  };
  result.run = simulate(built.model, built.state, hooks);
  result.state = std::move(built.state);
  return result;
}

std::string ipc_scene_path(const std::string& name) {
  return std::string(MARROW_SOURCE_DIR) + "/examples/ipc/" + name + ".json";
}

BuiltScene build_ipc_scene(const std::string& name, const std::vector<std::string>& overrides) {
  const std::string path = ipc_scene_path(name);
  return build_scene(read_scene(path, overrides), path);
}

BuiltScene build_jittered_scene(const std::string& name, int seed) {
  const std::string path = ipc_scene_path(name);
  const Scene scene = read_scene(path);
  const BuiltScene plain = build_scene(scene, path);
  Witness witness = make_witness(plain.model);
  const Points before = list_points(plain);
  double factor = kJitter;
  for (int k = 0; k < kMaxJitterHalvings; ++k, factor /= 2) {
    BuiltScene moved = build_scene(
        jitter_scene(scene, seed, factor * plain.model.contact.reference_length, 57 * factor), path);
    const Points after = list_points(moved);
    witness.move_to(after);
    if (witness.check().surfaces.is_clean() && witness.check_path(before, after, {}).is_clean()) return moved;
  }
  return build_scene(scene, path);
}

std::vector<std::string> list_ipc_scenes() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MARROW_SOURCE_DIR) + "/examples/ipc")) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace marrow::test
