#include "marrow/play_view.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "output/frames/overlays.h"
#include "output/run/topology.h"
#include "play/desk.h"
#include "play/pace.h"
#include "run/played_inputs.h"
#include "run/scene_look.h"
#include "view/browser.h"
#include "view/play_source.h"
#include "view/server.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

constexpr auto kFrameTime = 15ms;  // between two frames for pages, at least: no screen shows more

// The stages of a step for people, and the scopes (core/trace.h) that they consist of.
const std::pair<const char*, std::vector<const char*>> kStages[] = {
    {"Pairs of contact", {"contact.search"}},
    {"Step limits", {"contact.step_limit"}},
    {"Derivatives", {"newton.gradient", "newton.hessian"}},
    {"Values", {"newton.value"}},
    {"Linear systems", {"linear.factorize", "linear.solve"}}};

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

std::string write_json(const Json& root) { return root.dump(-1, ' ', false, Json::error_handler_t::replace); }

// How long the stages of a step took [ms].
Json list_stages(const std::map<std::string, double>& scopes) {
  Json list = Json::object();
  for (const auto& [stage, names] : kStages) {
    double seconds = 0;
    for (const char* name : names) {
      const auto found = scopes.find(name);
      if (found != scopes.end()) seconds += found->second;
    }
    list[stage] = 1e3 * seconds;
  }
  return list;
}

}  // namespace

struct PlayView::Parts {
  Parts(const Scene& shown, const std::string& path, const LiveOptions& live,
        std::function<bool()> is_stopped)
      : scene(shown),
        options(live),
        is_interrupted(std::move(is_stopped)),
        control(live.starts_paused),
        source(shown.name.empty() ? path : shown.name, path, shown.time.step) {}

  bool must_end() const { return is_interrupted() || desk->is_restart_requested(); }

  Frame make_frame(const State& state) {
    compute_points(model->kinematics, state.nodes, points);
    Frame frame;
    frame.step = state.step;
    frame.time = state.time;
    frame.points = points;
    frame.nodes = {state.nodes.data(), static_cast<size_t>(state.nodes.size())};
    if (!model->joints.empty()) frame.overlays.push_back(make_joints(*model, state));
    return frame;
  }

  // Serves from now on, and prints the address.
  void open() {
    ServerOptions served;
    served.port = options.port;
    served.desk = &*desk;
    served.play = &source;
    server.emplace(source, &control, served);
    fmt::print("Play at {}{}\n", server->url(),
               options.starts_paused ? "; the scene waits until you press Continue or One step there" : "");
    if (options.opens_browser && !open_in_browser(server->url())) {
      fmt::print("No browser could be started; open the address yourself.\n");
    }
    std::fflush(stdout);
  }

  std::string describe_facts() const {
    Json bodies = Json::array();
    for (const PlayBody& body : list_play_bodies(model->kinematics)) {
      const Index first = model->kinematics.bodies[bodies.size()].first_point;
      bodies.push_back(
          {{"can_move", body.can_move}, {"can_strain", body.can_strain}, {"first_point", first}});
    }
    return write_json(
        {{"bodies", bodies}, {"gravity", to_json(model->gravity)}, {"friction", model->contact.friction}});
  }

  std::string describe_step(const StepReport& report) const {
    const std::vector<Body>& bodies = model->kinematics.bodies;
    Json held = Json::array();
    size_t k = 0;
    for (const auto& [body, hold] : hands.held) {
      if (k >= report.pulls.size()) break;
      const GrabSprings::Pull& pull = report.pulls[k++];
      held.push_back({{"body", bodies[static_cast<size_t>(body)].name},
                      {"at", to_json(pull.at)},
                      {"target", to_json(pull.target)},
                      {"force", pull.force.norm()},
                      {"most", pull.most_force}});
    }
    const bool has_gap = std::isfinite(report.smallest_gap);
    Json stiffness = Json::object();
    for (size_t b = 0; b < hands.stiffness.size(); ++b) {
      if (hands.stiffness[b] != 1) stiffness[bodies[b].name] = hands.stiffness[b];
    }
    return write_json({{"step", report.step},
                       {"time", report.time},
                       {"milliseconds", 1e3 * report.seconds},
                       {"rate", pace.rate()},
                       {"speed", desk->speed()},
                       {"contacts", report.contacts},
                       {"gap", has_gap ? Json(report.smallest_gap) : Json()},
                       {"iterations", report.newton.iterations},
                       {"stages", list_stages(report.scopes)},
                       {"held", held},
                       {"gravity", to_json(model->gravity)},
                       {"friction", hands.friction ? Json(*hands.friction) : Json(model->contact.friction)},
                       {"stiffness", stiffness},
                       {"recording", recording}});
  }

  const Scene& scene;
  const LiveOptions options;
  const std::function<bool()> is_interrupted;
  LiveControl control;
  std::optional<Desk> desk;
  PlaySource source;
  Pace pace;
  std::optional<ViewServer> server;  // last: it uses what is above
  // Of the run that goes on.
  const Model* model = nullptr;
  Hands hands;
  std::string recording;  // folder
  Points points;
  Clock::time_point shown_at;
};

PlayView::PlayView(const Scene& scene, const std::string& path, const LiveOptions& options,
                   std::function<bool()> is_interrupted)
    : parts_(std::make_unique<Parts>(scene, path, options, std::move(is_interrupted))) {}

PlayView::~PlayView() { parts_->source.close(); }

void PlayView::start(const Model& model, const State& state, const std::string& recording) {
  Parts& parts = *parts_;
  parts.model = &model;
  parts.hands = {};
  parts.recording = recording;
  if (!parts.desk) parts.desk.emplace(list_play_bodies(model.kinematics));
  parts.desk->start();
  parts.source.start(make_topology(model, describe_look(parts.scene)), parts.make_frame(state),
                     parts.describe_facts());
  if (!parts.server) parts.open();
}

bool PlayView::wait_for_step() {
  Parts& parts = *parts_;
  const auto must_end = [&] { return parts.must_end(); };
  if (parts.control.wait_for_step(must_end)) return true;
  return !parts.pace.wait_for_step(parts.scene.time.step, parts.desk->speed(), must_end);
}

std::vector<Input> PlayView::take_inputs(int step, const Hands& hands) {
  std::vector<Input> inputs = parts_->desk->take_inputs(step, hands);
  parts_->hands = hands;
  for (const Input& input : inputs) parts_->hands.apply(input, parts_->model->kinematics.bodies.size());
  return inputs;
}

void PlayView::show(const State& state, const StepReport& report) {
  Parts& parts = *parts_;
  const bool is_paused = parts.control.state() != "running";
  if (!is_paused && Clock::now() - parts.shown_at < kFrameTime) return;
  parts.shown_at = Clock::now();
  parts.source.show(parts.make_frame(state), parts.describe_step(report));
}

bool PlayView::is_restart_requested() const {
  return parts_->desk && parts_->desk->is_restart_requested() && !parts_->is_interrupted();
}

void PlayView::linger() {
  Parts& parts = *parts_;
  if (!parts.server) return;
  parts.control.set_ended();
  auto last_seen = Clock::now();
  while (!parts.is_interrupted() && Clock::now() - last_seen < 3s) {
    if (parts.server->watcher_count() > 0) last_seen = Clock::now();
    std::this_thread::sleep_for(50ms);
  }
}

}  // namespace marrow
