// Inputs are what a person, or a script, does to a scene that plays: one JSON object each (docs/play.md).
//
//   {"step": 12, "do": "grab", "body": "bear", "points": [4, 9, 2], "weights": [0.2, 0.5, 0.3],
//    "target": [0, 1, 0], "strength": 5}
//   {"step": 13, "do": "move", "body": "bear", "target": [0, 1.2, 0]}
//   {"step": 40, "do": "release", "body": "bear"}
//   {"step": 41, "do": "set", "gravity": [0, -1.6, 0], "friction": 0.3, "stiffness": 2, "body": "bear"}
//
// The same lines are sent by pages (without a step), read from scripts, and recorded as inputs.jsonl. An
// input acts in its step and in those after it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

// What inputs need to know of a body.
struct PlayBody {
  std::string name;
  Index point_count = 0;
  bool can_move = true;    // it has mass: it is no obstacle
  bool can_strain = true;  // it has an elastic stiffness
};

enum class InputKind { Grab, Move, Release, Set };

template <>
struct EnumNames<InputKind> {
  static constexpr const char* names[] = {"grab", "move", "release", "set"};
};

// The largest force of a grab that names none, in weights of the body. [D35]
constexpr double kUsualStrength = 5;

struct Input {
  int step = 0;
  InputKind kind = InputKind::Release;
  Index body = kNone;                // Set: kNone means all bodies
  std::vector<Index> points;         // Grab: of the body, one to three
  std::vector<double> weights;       // one per point; their sum is 1
  Vec3 target = Vec3::Zero();        // Grab, Move [m]
  double strength = kUsualStrength;  // Grab: weights of the body
  std::optional<Vec3> gravity;       // Set [m/s²]
  std::optional<double> friction;    // Set: coefficient of all pairs
  std::optional<double> stiffness;   // Set: factor of the elastic constants
  bool operator==(const Input&) const = default;
};

// An input, or what is wrong with it.
struct ParsedInput {
  std::optional<Input> input;
  std::string problem;
};

// has_step: whether the object must have a step, or must not. Every number is checked; weights are divided by
// their sum, which must be 1 to within a thousandth.
ParsedInput parse_input(std::string_view text, const std::vector<PlayBody>& bodies, bool has_step);

// One line, without its end. Numbers are read back as the same bits.
std::string format_input(const Input& input, const std::vector<PlayBody>& bodies);

}  // namespace marrow
