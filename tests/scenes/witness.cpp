#include "scenes/witness.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "output/witness.h"
#include "scene/read_scene.h"

namespace marrow::test {
namespace {

constexpr double kJitter = 1e-3;  // of the scene's diagonal
constexpr int kMaxJitterHalvings = 20;

template <class Element>
void append_shifted(const std::vector<Element>& elements, Index shift, std::vector<Element>& all) {
  for (Element element : elements) {
    for (Index& point : element) point += shift;
    all.push_back(element);
  }
}

// The colliding points of a body that no element has.
void append_loose(const Body& body, SurfaceSet& surfaces) {
  // Of a body with a collider only the collider's points.
  const Mesh& mesh = body.has_collider() ? body.collider : body.rest;
  std::vector<char> is_used(static_cast<size_t>(body.W.rows()), 0);
  if (body.has_collider()) {
    std::fill(is_used.begin(), is_used.begin() + static_cast<std::ptrdiff_t>(body.rest.points.size()), 1);
  }
  for (const Tet& tet : mesh.tets) {
    for (const Index i : tet) is_used[static_cast<size_t>(i)] = 1;
  }
  for (const Triangle& triangle : mesh.triangles) {
    for (const Index i : triangle) is_used[static_cast<size_t>(i)] = 1;
  }
  for (const Edge& edge : mesh.edges) {
    for (const Index i : edge) is_used[static_cast<size_t>(i)] = 1;
  }
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (!is_used[i]) surfaces.loose_points.push_back(body.first_point + static_cast<Index>(i));
  }
}

std::vector<Tet> list_tets(const Model& model) {
  std::vector<Tet> tets;
  for (const Body& body : model.kinematics.bodies) {
    if (body.kind == BodyKind::Soft) append_shifted(body.rest.tets, body.first_point, tets);
  }
  return tets;
}

// Follows a run from one place to the next.
class Follower {
 public:
  Follower(const Model& model, const VecX& start)
      : kinematics_(model.kinematics),
        surfaces_(list_surfaces(model)),
        exceptions_(list_exceptions(model)),
        tets_(list_tets(model)),
        start_(start) {}

  void see(const VecX& n, bool is_start, WitnessedRun& result) {
    Points x;
    compute_points(kinematics_, n, x);
    if (is_start) {
      result.jumps += n != start_ && n != last_ && std::find(ends_.begin(), ends_.end(), n) == ends_.end();
      surfaces_.points = x;
      count(check_surfaces(surfaces_, exceptions_), result);
    } else {
      count(check_turning_motion(surfaces_, last_points_, x, list_turns(kinematics_, last_, n), exceptions_),
            result);
    }
    const InversionReport inversions = check_inversions(x, tets_);
    result.inversions += static_cast<std::int64_t>(inversions.inverted.size() + inversions.flat.size());
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
  SurfaceSet surfaces_;
  CheckerOptions exceptions_;
  std::vector<Tet> tets_;
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

Points list_points(const BuiltScene& built) {
  Points points;
  compute_points(built.model.kinematics, built.state.nodes, points);
  return points;
}

SurfaceSet list_surfaces(const Model& model) {
  SurfaceSet surfaces;
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    const Body& body = model.kinematics.bodies[b];
    const Mesh& mesh = body.has_collider() ? body.collider : body.rest;
    append_shifted(mesh.triangles, body.first_point, surfaces.triangles);
    append_shifted(mesh.edges, body.first_point, surfaces.edges);
    append_loose(body, surfaces);
    surfaces.bodies.insert(surfaces.bodies.end(), static_cast<size_t>(body.W.rows()), static_cast<Index>(b));
    surfaces.radii.insert(surfaces.radii.end(), body.radii.begin(), body.radii.end());
  }
  return surfaces;
}

CheckerOptions list_exceptions(const Model& model) {
  CheckerOptions options;
  const std::vector<Body>& bodies = model.kinematics.bodies;
  for (const Body& body : bodies) {
    options.fixed.insert(options.fixed.end(), static_cast<size_t>(body.W.rows()),
                         body.kind == BodyKind::Obstacle ? 1 : 0);
    if (body.has_collider()) options.ball_bodies.push_back(static_cast<Index>(&body - bodies.data()));
  }
  options.ignored_bodies = model.contact.ignored_bodies;
  options.overlapping = model.contact.overlapping;
  return options;
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
  SurfaceSet surfaces = list_surfaces(plain.model);
  const CheckerOptions exceptions = list_exceptions(plain.model);
  const Points before = list_points(plain);
  double factor = kJitter;
  for (int k = 0; k < kMaxJitterHalvings; ++k, factor /= 2) {
    BuiltScene moved = build_scene(
        jitter_scene(scene, seed, factor * plain.model.contact.reference_length, 57 * factor), path);
    surfaces.points = list_points(moved);
    if (check_surfaces(surfaces, exceptions).is_clean() &&
        check_motion(surfaces, before, surfaces.points, exceptions).is_clean())
      return moved;
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
