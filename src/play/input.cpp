#include "play/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

// The limits of what inputs may say. Beyond these lies nothing that anybody wants. [safety net: rubbish]
struct InputLimits {
  double farthest = 1e6;         // a coordinate of a target [m]
  double largest_gravity = 1e3;  // a component [m/s²]
  double most_friction = 10;
  double least_stiffness = 0.01, most_stiffness = 100;  // factors
  double least_strength = 0.01, most_strength = 1000;   // weights
  double weight_error = 1e-3;                           // of the sum of weights
  size_t most_points = 3;
  int most_steps = 1'000'000'000;
};
constexpr InputLimits kLimits;

// What is wrong; thrown only within this file.
struct Problem {
  std::string text;
};

double take_number(const Json& value, const char* key, double least, double most) {
  if (!value.is_number()) throw Problem{fmt::format("{} must be a number", key)};
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < least || number > most) {
    throw Problem{fmt::format("{} must be from {:g} to {:g}", key, least, most)};
  }
  return number;
}

int take_whole(const Json& value, const char* key, int least, int most) {
  if (!value.is_number_integer()) throw Problem{fmt::format("{} must be a whole number", key)};
  return static_cast<int>(take_number(value, key, least, most));
}

Vec3 take_vector(const Json& value, const char* key, double most) {
  if (!value.is_array() || value.size() != 3) throw Problem{fmt::format("{} must be three numbers", key)};
  return {take_number(value[0], key, -most, most), take_number(value[1], key, -most, most),
          take_number(value[2], key, -most, most)};
}

Index find_body(const Json& value, const std::vector<PlayBody>& bodies) {
  if (!value.is_string()) throw Problem{"body must be a name"};
  const auto name = value.get<std::string>();
  const auto at =
      std::find_if(bodies.begin(), bodies.end(), [&](const PlayBody& b) { return b.name == name; });
  if (at != bodies.end()) return static_cast<Index>(at - bodies.begin());
  std::vector<std::string> names;
  for (const PlayBody& body : bodies) names.push_back(body.name);
  const std::string near = nearest_name(name, names);
  throw Problem{fmt::format("there is no body \"{}\"{}", name.substr(0, 64),
                            near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near))};
}

// The keys that each kind has beside "step" and "do".
std::vector<std::string> list_keys(InputKind kind) {
  switch (kind) {
    case InputKind::Grab:
      return {"body", "points", "weights", "target", "strength"};
    case InputKind::Move:
      return {"body", "target"};
    case InputKind::Release:
      return {"body"};
    case InputKind::Set:
      return {"body", "gravity", "friction", "stiffness"};
  }
  return {};
}

const Json& require(const Json& root, const char* key) {
  const auto at = root.find(key);
  if (at == root.end()) throw Problem{fmt::format("{} is missing", key)};
  return *at;
}

InputKind take_kind(const Json& root) {
  const Json& word = require(root, "do");
  for (const InputKind kind : {InputKind::Grab, InputKind::Move, InputKind::Release, InputKind::Set}) {
    if (word == enum_name(kind)) return kind;
  }
  throw Problem{"do must be grab, move, release or set"};
}

void take_points(const Json& root, const PlayBody& body, Input& input) {
  const Json &points = require(root, "points"), &weights = require(root, "weights");
  if (!points.is_array() || points.empty() || points.size() > kLimits.most_points) {
    throw Problem{"points must be one to three numbers of points of the body"};
  }
  if (!weights.is_array() || weights.size() != points.size()) {
    throw Problem{"weights must be as many numbers as points"};
  }
  double sum = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const auto point =
        static_cast<Index>(take_whole(points[i], "a point", 0, static_cast<int>(body.point_count) - 1));
    if (std::find(input.points.begin(), input.points.end(), point) != input.points.end()) {
      throw Problem{"points must differ"};
    }
    input.points.push_back(point);
    input.weights.push_back(take_number(weights[i], "a weight", 0, 1));
    sum += input.weights.back();
  }
  if (std::abs(sum - 1) > kLimits.weight_error) throw Problem{"the sum of weights must be 1"};
  // What was divided before stays as it is, so that a recorded line is read back as the same bits.
  if (std::abs(sum - 1) <= 4 * std::numeric_limits<double>::epsilon()) return;
  for (double& weight : input.weights) weight /= sum;
}

void take_settings(const Json& root, const std::vector<PlayBody>& bodies, Input& input) {
  if (const auto at = root.find("gravity"); at != root.end())
    input.gravity = take_vector(*at, "gravity", kLimits.largest_gravity);
  if (const auto at = root.find("friction"); at != root.end())
    input.friction = take_number(*at, "friction", 0, kLimits.most_friction);
  if (const auto at = root.find("stiffness"); at != root.end())
    input.stiffness = take_number(*at, "stiffness", kLimits.least_stiffness, kLimits.most_stiffness);
  if (!input.gravity && !input.friction && !input.stiffness)
    throw Problem{"set needs gravity, friction or stiffness"};
  if (input.body == kNone) return;
  if (!input.stiffness || input.gravity || input.friction)
    throw Problem{"body goes with stiffness alone; gravity and friction are those of all bodies"};
  const PlayBody& body = bodies[static_cast<size_t>(input.body)];
  if (!body.can_strain) throw Problem{fmt::format("\"{}\" does not deform and has no stiffness", body.name)};
}

Input take_input(const Json& root, const std::vector<PlayBody>& bodies, bool has_step) {
  if (!root.is_object()) throw Problem{"an input must be a JSON object"};
  Input input;
  input.kind = take_kind(root);
  std::vector<std::string> keys = list_keys(input.kind);
  keys.insert(keys.end(), {"do"});
  if (has_step) keys.emplace_back("step");
  for (const auto& [key, value] : root.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    throw Problem{fmt::format("{} has no key \"{}\"; it has {}", enum_name(input.kind), key.substr(0, 32),
                              fmt::join(keys, ", "))};
  }
  if (has_step) input.step = take_whole(require(root, "step"), "step", 1, kLimits.most_steps);
  const bool names_body = input.kind != InputKind::Set || root.contains("body");
  if (names_body) input.body = find_body(require(root, "body"), bodies);
  if (input.kind == InputKind::Set) {
    take_settings(root, bodies, input);
    return input;
  }
  const PlayBody& body = bodies[static_cast<size_t>(input.body)];
  if (!body.can_move) throw Problem{fmt::format("\"{}\" is an obstacle and cannot be grabbed", body.name)};
  if (input.kind != InputKind::Release)
    input.target = take_vector(require(root, "target"), "target", kLimits.farthest);
  if (input.kind != InputKind::Grab) return input;
  take_points(root, body, input);
  if (const auto at = root.find("strength"); at != root.end())
    input.strength = take_number(*at, "strength", kLimits.least_strength, kLimits.most_strength);
  return input;
}

Json to_json(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

ParsedInput parse_input(std::string_view text, const std::vector<PlayBody>& bodies, bool has_step) {
  const Json root = Json::parse(text.begin(), text.end(), nullptr, false);
  if (root.is_discarded()) return {{}, "this is not JSON"};
  try {
    return {take_input(root, bodies, has_step), {}};
  } catch (const Problem& problem) {
    return {{}, problem.text};
  }
}

std::string format_input(const Input& input, const std::vector<PlayBody>& bodies) {
  Json root = {{"step", input.step}, {"do", enum_name(input.kind)}};
  if (input.body != kNone) root["body"] = bodies[static_cast<size_t>(input.body)].name;
  if (input.kind == InputKind::Grab) {
    root["points"] = input.points;
    root["weights"] = input.weights;
  }
  if (input.kind == InputKind::Grab || input.kind == InputKind::Move) root["target"] = to_json(input.target);
  if (input.kind == InputKind::Grab) root["strength"] = input.strength;
  if (input.gravity) root["gravity"] = to_json(*input.gravity);
  if (input.friction) root["friction"] = *input.friction;
  if (input.stiffness) root["stiffness"] = *input.stiffness;
  return root.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace marrow
