#include "run/body_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/scalar_matrix.h"

namespace marrow {
namespace {

// Creep is a slow slide at one pace, not the last trembling before rest: over at least this many steps, and
// faster than a tenth of epsilon_v. At a tenth, smoothed friction has 2·0.1 − 0.1² = 19 % of its bound: what
// needs less to be held moves too little to be seen.
constexpr int kCreepSteps = 10;
constexpr double kCreepShare = 0.1;

Eigen::AlignedBox3d box_of(const Body& body, const Points& points) {
  Eigen::AlignedBox3d box;
  for (Index i = 0; i < body.W.rows(); ++i) box.extend(points[body.first_point + i]);
  return box;
}

std::vector<bool> list_held_bodies(const Model& model) {
  std::vector<bool> is_held(model.kinematics.bodies.size(), false);
  const auto hold = [&](Index node) { is_held[find_body_of_node(model.kinematics.bodies, node)] = true; };
  for (const PrescribedNodes& group : model.prescribed) {
    for (const Index node : group.nodes) hold(node);
  }
  for (const Joint& joint : model.joints) {
    hold(joint.first_node_a);
    for (const Index node : joint.anchor_b.nodes) hold(node);
  }
  return is_held;
}

// The extent of points along three axes, the first of which points down.
Eigen::AlignedBox3d box_along(const Body& body, const Points& points, const Mat3& axes) {
  Eigen::AlignedBox3d box;
  for (Index i = 0; i < body.W.rows(); ++i) box.extend(axes.transpose() * points[body.first_point + i]);
  return box;
}

// Rows sums of the mass, as shares of their sum; empty for a body without mass.
std::vector<double> list_mass_shares(const Body& body) {
  std::vector<double> shares = lump_rows(body.mass).values;
  double total = 0;
  for (const double m : shares) total += m;
  if (!(total > 0)) return {};
  for (double& m : shares) m /= total;
  return shares;
}

}  // namespace

BodyNotes::BodyNotes(const Model& model) : model_(model) {
  const Kinematics& kinematics = model.kinematics;
  Points points;
  compute_points(kinematics, model.initial_nodes, points);
  const std::vector<bool> is_held = list_held_bodies(model);
  Eigen::AlignedBox3d own_box;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const Body& body = kinematics.bodies[b];
    const Eigen::AlignedBox3d box = box_of(body, points);
    box_.extend(box);
    if (body.is_obstacle()) continue;
    own_box.extend(box);
    if (is_held[b]) continue;
    Watched watched;
    watched.body = static_cast<Index>(b);
    watched.shares = list_mass_shares(body);
    if (watched.shares.empty()) continue;
    watched.start = find_center(watched, model.initial_nodes);
    watched_.push_back(std::move(watched));
  }
  own_size_ = own_box.isEmpty() ? 0 : own_box.diagonal().norm();
}

Vec3 BodyNotes::find_center(const Watched& watched, const VecX& nodes) const {
  const Index first = model_.kinematics.bodies[watched.body].first_node;
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < watched.shares.size(); ++i) {
    sum += watched.shares[i] * nodes.segment<3>(3 * (first + static_cast<Index>(i)));
  }
  return sum;
}

// Whether another body reaches deeper than the upper side of this one, and lies under it.
bool BodyNotes::is_above_something(Index index, const VecX& nodes) const {
  const Kinematics& kinematics = model_.kinematics;
  Points points;
  compute_points(kinematics, nodes, points);
  Mat3 axes;
  axes.col(0) = model_.gravity.normalized();
  axes.col(1) = axes.col(0).unitOrthogonal();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  const Eigen::AlignedBox3d own = box_along(kinematics.bodies[index], points, axes);
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    if (static_cast<Index>(b) == index) continue;
    const Eigen::AlignedBox3d other = box_along(kinematics.bodies[b], points, axes);
    const bool overlaps = (other.min().array() <= own.max().array()).tail<2>().all() &&
                          (other.max().array() >= own.min().array()).tail<2>().all();
    if (overlaps && other.max()[0] > own.min()[0]) return true;
  }
  return false;
}

// What is odd about where a body is; empty: nothing.
std::string BodyNotes::describe_lost(const Watched& watched, const Vec3& center, const State& state) const {
  const std::string& name = model_.kinematics.bodies[watched.body].name;
  const std::string when = fmt::format("at step {} ({:.3g} s)", state.step, state.time);
  const double g = model_.gravity.norm();
  const double fall = g > 0 ? (center - watched.start).dot(model_.gravity) / g : 0;
  if (fall > own_size_ && !is_above_something(watched.body, state.nodes)) {
    return fmt::format(
        "{} {} has fallen {:.3g} m, and nothing is below it. Add an obstacle for it to fall on, or stop "
        "earlier with a "
        "smaller time.duration",
        when, name, fall);
  }
  const double away = box_.exteriorDistance(center);
  if (away > box_.diagonal().norm()) {
    return fmt::format("{} {} has left the scene: it is {:.3g} m away from where all bodies began", when,
                       name, away);
  }
  return {};
}

void BodyNotes::watch_creep(const Vec3& center, const State& state, Watched& watched) const {
  const double speed = find_center(watched, state.velocities).norm();
  if (speed == 0 || speed > model_.contact.epsilon_v) {
    watched.slow_since = -1;
    return;
  }
  if (watched.slow_since < 0) {
    watched.slow_since = state.step;
    watched.slow_time = state.time;
    watched.slow_start = center;
  }
  Vec3 shift = center - watched.slow_start;
  // What can be pressed together also sinks.
  const double g = model_.gravity.norm();
  if (model_.kinematics.bodies[watched.body].can_strain() && g > 0) {
    shift -= shift.dot(model_.gravity) / (g * g) * model_.gravity;
  }
  watched.slow_shift = shift.norm();
}

std::vector<std::string> BodyNotes::add(const State& state, const StepReport& report) {
  std::vector<std::string> notes;
  for (Watched& watched : watched_) {
    const Vec3 center = find_center(watched, state.nodes);
    if (model_.contact.has_friction()) watch_creep(center, state, watched);
    if (watched.is_told) continue;
    std::string note = describe_lost(watched, center, state);
    if (note.empty()) continue;
    watched.is_told = true;
    notes.push_back(std::move(note));
  }
  last_step_ = state.step;
  last_time_ = state.time;
  is_touching_ = report.contacts > 0;
  is_moved_ = false;
  for (const PrescribedNodes& group : model_.prescribed) {
    for (const Index node : group.nodes) {
      if (group.is_active(state.time) && !state.velocities.segment<3>(3 * node).isZero(0)) is_moved_ = true;
    }
  }
  return notes;
}

std::vector<std::string> BodyNotes::list() const {
  std::vector<std::string> notes;
  if (!is_touching_ || is_moved_) return notes;
  for (const Watched& watched : watched_) {
    if (watched.slow_since < 0 || last_step_ - watched.slow_since < kCreepSteps) continue;
    const double pace = watched.slow_shift / (last_time_ - watched.slow_time);
    if (pace < kCreepShare * model_.contact.epsilon_v) continue;
    notes.push_back(
        fmt::format("{} crept by {:.3g} m in the last {:.3g} s. Friction lets bodies slide more slowly than "
                    "contact.epsilon_v "
                    "({:.3g} m/s); a smaller one makes this slower",
                    model_.kinematics.bodies[watched.body].name, watched.slow_shift,
                    last_time_ - watched.slow_time, model_.contact.epsilon_v));
  }
  return notes;
}

}  // namespace marrow
