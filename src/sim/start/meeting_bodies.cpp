#include "sim/start/meeting_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/disjoint_sets.h"

namespace marrow {
namespace {

// Overlaps below this part of the smallest body count as touching. [speed only: a word in a message]
constexpr double kTouch = 1e-6;

// A move goes down if its part against `up` is above this. [speed only: a move to read]
constexpr double kSinking = 0.1;

// Components and angles below these parts are rounding. [speed only: numbers to read]
constexpr double kRounding = 1e-12;
constexpr double kAlongUp = 1e-9;

// A body is not moved to make room for one this many times smaller. [speed only: a move to read]
constexpr double kMuchLarger = 2;

Index find_body(const Kinematics& kinematics, const WeightedPoint& point) {
  return point.nodes.empty() ? kNone : find_body_of_node(kinematics.bodies, point.nodes.front());
}

// The two bodies of each joint; kNone is the world.
std::vector<std::array<Index, 2>> list_joined_pairs(const Model& model) {
  std::vector<std::array<Index, 2>> pairs;
  for (const Joint& joint : model.joints) {
    const Index a = find_body_of_node(model.kinematics.bodies, joint.first_node_a);
    pairs.push_back({a, find_body(model.kinematics, joint.anchor_b)});
  }
  return pairs;
}

const Body& body_of(const Kinematics& kinematics, Index b) {
  return kinematics.bodies[static_cast<size_t>(b)];
}

// Which of two bodies to move: not an obstacle; else the one that rises; else the smaller one.
void find_move(const Model& model, const Parting& parting, double gap, MeetingBodies& pair) {
  const Vec3 up = find_up(model);
  const auto size = [&](Index b) { return (parting.upper(b) - parting.lower(b)).norm(); };
  const bool is_a_fixed = body_of(model.kinematics, pair.a).is_obstacle();
  const bool is_b_fixed = body_of(model.kinematics, pair.b).is_obstacle();
  const bool moves_a = is_b_fixed || (!is_a_fixed && size(pair.a) < size(pair.b));
  std::array<Index, 1> mover = {moves_a ? pair.a : pair.b}, other = {moves_a ? pair.b : pair.a};
  const std::optional<PartingMove> found = parting.find_least(mover, other, gap, up);
  if (!found) return;
  pair.depth = found->depth;
  pair.mover = mover[0];
  pair.move = found->move;
  const bool is_much_larger = size(other[0]) > kMuchLarger * size(mover[0]);
  const bool sinks = pair.move.dot(up) < -kSinking * pair.move.norm();
  if (!is_a_fixed && !is_b_fixed && sinks && !is_much_larger) {
    pair.mover = other[0];
    pair.move = -pair.move;
  }
}

std::string format_vector(const Vec3& v) {
  // Tiny components are rounding.
  const double least = kRounding * v.cwiseAbs().maxCoeff();
  const auto clean = [&](int k) { return std::abs(v[k]) <= least ? 0.0 : v[k] + 0.0; };
  return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", clean(0), clean(1), clean(2));
}

}  // namespace

Vec3 find_up(const Model& model) {
  return model.gravity.norm() > 0 ? Vec3(-model.gravity.normalized()) : Vec3(Vec3::UnitY());
}

std::vector<Index> group_joined_bodies(const Model& model) {
  DisjointSets sets(model.kinematics.bodies.size());
  for (const auto& [a, b] : list_joined_pairs(model)) {
    if (b != kNone) sets.join(static_cast<size_t>(a), static_cast<size_t>(b));
  }
  std::vector<Index> groups;
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    groups.push_back(static_cast<Index>(sets.find(b)));
  }
  return groups;
}

std::vector<MeetingBodies> list_meeting_bodies(const Model& model, const Witness& witness,
                                               const IntersectionReport& found, double least_gap,
                                               size_t most) {
  const auto count = static_cast<Index>(model.kinematics.bodies.size());
  const Parting parting(witness, count);
  std::map<std::array<Index, 2>, std::int64_t> elements;
  for (const OffendingPair& pair : found.pairs) {
    ++elements[{std::min(pair.a.body, pair.b.body), std::max(pair.a.body, pair.b.body)}];
  }
  for (Index a = 0; found.pairs.empty() && a < count; ++a) {
    for (Index b = a + 1; b < count; ++b) {
      if (parting.is_closer(a, b, least_gap)) elements[{a, b}] = 0;
    }
  }
  const std::vector<std::array<Index, 2>> joined = list_joined_pairs(model);
  std::vector<MeetingBodies> pairs;
  for (const auto& [bodies, number] : elements) {
    MeetingBodies& pair = pairs.emplace_back();
    pair.a = bodies[0];
    pair.b = bodies[1];
    pair.elements = number;
    pair.is_joined = std::any_of(joined.begin(), joined.end(), [&](const auto& joint) {
      return std::minmax(joint[0], joint[1]) == std::minmax(pair.a, pair.b);
    });
    if (pair.a != pair.b && pairs.size() <= most) find_move(model, parting, model.contact.d_hat, pair);
    if (pair.depth && *pair.depth <= kTouch * model.size) pair.depth = 0;
  }
  return pairs;
}

std::string describe_move(const MeetingBodies& pair, const Kinematics& kinematics, const Vec3& up) {
  if (pair.mover == kNone) return {};
  const Body& body = body_of(kinematics, pair.mover);
  const double length = pair.move.norm(), along = pair.move.dot(up);
  std::string text;
  if (std::abs(along) > (1 - kAlongUp) * length) {
    text = fmt::format("{} \"{}\" by {:.3g} m", along > 0 ? "raise" : "lower", body.name, length);
  } else {
    text = fmt::format("move \"{}\" by {} m", body.name, format_vector(pair.move));
  }
  if (body.position) text += ", to position " + format_vector(*body.position + pair.move);
  return text;
}

std::string describe_meeting(const MeetingBodies& pair, const Kinematics& kinematics) {
  const std::string& a = body_of(kinematics, pair.a).name;
  if (pair.a == pair.b) {
    return fmt::format("\"{}\" meets itself at {} of its elements", a,
                       pair.elements == 1 ? "a pair" : fmt::format("{} pairs", pair.elements));
  }
  const std::string both = fmt::format("\"{}\" and \"{}\"", a, body_of(kinematics, pair.b).name);
  if (pair.elements == 0) return both + " nearly touch";
  if (!pair.depth) return both + " intersect";
  return *pair.depth == 0 ? both + " touch" : both + fmt::format(" overlap by {:.3g} m", *pair.depth);
}

}  // namespace marrow
