#include "scene/build/build_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/error.h"
#include "kinematics/anchor.h"
#include "math/rotation.h"
#include "mesh/point_box.h"
#include "potentials/joints/joint_function.h"
#include "scene/body_names.h"
#include "scene/build/build_motion.h"
#include "scene/build/select.h"

namespace marrow {
namespace {

// How far a joint may be from its body, relative to the body's box: soft ones are continued beyond their
// surface only a little; stiff ones may have an arm without mass.
constexpr double kNearSoft = 0.05;
constexpr double kNearStiff = 10;

// Of the box diagonal of the smaller body: how far apart the points are that hold directions.
constexpr double kLength = 0.25;
constexpr double kLongest = 10;

// Directions tried across an axis, and the largest cosine of their angle with it.
constexpr int kDirections = 24;
constexpr double kAcross = 0.5;

// Points nearer than this part of the joint's length coincide.
constexpr double kSame = 1e-6;

// A limit may be missed by this at time 0, relative: the place is given in decimals.
constexpr double kLimitSlack = 1e-6;

// Points of a reduced body follow few handles: those of which the motion of the others does not follow, but
// for this part. To hold all of them would hold the handles, and with them the whole body.
constexpr double kDependent = 0.3;

std::vector<Index> choose_independent(const ScalarMatrix& W, const std::vector<Index>& points) {
  MatX rows =
      MatX::Zero(W.columns, static_cast<Index>(points.size()));  // each a column, less the chosen ones
  for (size_t k = 0; k < points.size(); ++k) {
    for (Index e = W.offsets[points[k]]; e < W.offsets[points[k] + 1]; ++e) {
      rows(W.indices[e], static_cast<Index>(k)) += W.values[e];
    }
  }
  const double limit = kDependent * rows.colwise().norm().maxCoeff();
  std::vector<Index> chosen;
  while (chosen.size() < points.size()) {
    Index k = 0;
    if (!(rows.colwise().norm().maxCoeff(&k) > limit)) break;
    chosen.push_back(points[k]);
    const VecX direction = rows.col(k).normalized();
    rows -= direction * (direction.transpose() * rows);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// Makes one joint.
class JointBuilder {
 public:
  JointBuilder(const Scene& scene, const JointDescription& joint, Location where,
               const Kinematics& kinematics, const VecX& nodes)
      : joint_(joint), where_(std::move(where)), nodes_(nodes) {
    body_a_ = &kinematics.bodies[static_cast<size_t>(find_body(scene, joint.a))];
    if (joint.b != kWorld) body_b_ = &kinematics.bodies[static_cast<size_t>(find_body(scene, joint.b))];
    length_ = joint.length.value_or(kLength * compute_smaller_diagonal());
    if (length_ > kLongest * compute_smaller_diagonal()) {
      fail("length",
           fmt::format("is {:.3g} times the box diagonal of the smaller body",
                       length_ / compute_smaller_diagonal()),
           fmt::format("Give at most {:g} times its box diagonal.", kLongest));
    }
  }

  Joint build();

 private:
  // A point of each body, at the same place at time 0.
  struct PointPair {
    WeightedPoint a, b;
    Vec3 position = Vec3::Zero();

    WeightedPoint gap() const { return combine(1, a, -1, b); }
  };
  // A direction of each body, of length 1.
  struct VectorPair {
    WeightedPoint a, b;
  };

  Location at(const std::string& key) const { return {where_.file, 0, 0, where_.json_path + "." + key}; }
  [[noreturn]] void fail(const std::string& key, const std::string& problem, const std::string& advice) const;
  double compute_smaller_diagonal() const;
  Anchor find(const Body* body, const Vec3& place) const;
  void check_near(const Body* body, const Vec3& place, const char* key) const;
  PointPair pair_points(const Vec3& place) const;
  PointPair pair_place() const;
  VectorPair pair_direction(const Vec3& direction) const;
  std::optional<VectorPair> try_direction(const Vec3& from, const Vec3& to, Vec3& direction) const;
  VectorPair pair_across(const Vec3& axis, Vec3& across) const;
  WeightedPoint find_direction(const Vec3& direction) const;
  JointCoordinate make_coordinate(CoordinateKind kind, std::vector<WeightedPoint> vectors) const;
  void add_hinge(Joint& built) const;
  void add_slider(Joint& built) const;
  void add_fixed(Joint& built) const;
  void add_distance(Joint& built) const;
  void add_drive(Joint& built) const;

  const JointDescription& joint_;
  Location where_;  // the joint in the scene file
  const VecX& nodes_;
  const Body* body_a_ = nullptr;
  const Body* body_b_ = nullptr;  // null: the world
  double length_ = 1;
  PointPair center_;  // at its place
};

void JointBuilder::fail(const std::string& key, const std::string& problem, const std::string& advice) const {
  throw InputError(at(key), problem, advice);
}

double JointBuilder::compute_smaller_diagonal() const {
  const bool is_b_ground = body_b_ == nullptr || body_b_->kind == BodyKind::Obstacle;
  const double a = compute_diagonal(body_a_->rest.points);
  if (is_b_ground) return a;
  const double b = compute_diagonal(body_b_->rest.points);
  return body_a_->kind == BodyKind::Obstacle ? b : std::min(a, b);
}

Anchor JointBuilder::find(const Body* body, const Vec3& place) const {
  return body == nullptr ? make_world_anchor(place) : find_anchor(*body, nodes_, place);
}

void JointBuilder::check_near(const Body* body, const Vec3& place, const char* key) const {
  if (body == nullptr) return;
  const double distance = find_anchor(*body, nodes_, place).distance;
  const bool can_extend = is_affine_or_rigid(body->kind) || body->kind == BodyKind::Obstacle;
  const double allowed = (can_extend ? kNearStiff : kNearSoft) * compute_diagonal(body->rest.points);
  if (distance <= allowed) return;
  fail(key, fmt::format("the position is {:.3g} m away from the body \"{}\"", distance, body->name),
       "Give a point of the body at time 0, in world coordinates; `marrow info` prints a mesh's box.");
}

// A body that cannot follow any place goes first: the other takes the point that it can.
JointBuilder::PointPair JointBuilder::pair_points(const Vec3& place) const {
  const bool is_a_first =
      !can_follow_any_place(*body_a_) || body_b_ == nullptr || can_follow_any_place(*body_b_);
  const Anchor first = find(is_a_first ? body_a_ : body_b_, place);
  const Anchor second = find(is_a_first ? body_b_ : body_a_, first.position);
  if ((second.position - first.position).norm() > kSame * length_) {
    fail("at", "the two bodies have no point in common there, and neither can be extended to reach the other",
         "Move them together, or use a distance joint.");
  }
  PointPair pair{first.point, second.point, first.position};
  if (!is_a_first) std::swap(pair.a, pair.b);
  return pair;
}

// The joint's place: as given, or the mean of the selected points.
JointBuilder::PointPair JointBuilder::pair_place() const {
  if (!joint_.select) {
    check_near(body_a_, *joint_.at, "at");
    if (!joint_.at_b) check_near(body_b_, *joint_.at, "at");
    return pair_points(*joint_.at);
  }
  const std::vector<Index> points = select_points(*joint_.select, body_a_->rest.points, at("select"));
  const Anchor a = make_mean_anchor(*body_a_, nodes_, points);
  return {a.point, find(body_b_, a.position).point, a.position};
}

JointBuilder::VectorPair JointBuilder::pair_direction(const Vec3& direction) const {
  const PointPair ahead = pair_points(center_.position + 0.5 * length_ * direction);
  const PointPair behind = pair_points(center_.position - 0.5 * length_ * direction);
  const double length = (ahead.position - behind.position).norm();
  if (length < 0.5 * length_) {
    fail("length", fmt::format("the bodies do not extend {:.3g} m to both sides of the joint", 0.5 * length_),
         "Give a smaller length, or move the joint away from the body's end.");
  }
  return {combine(1 / length, ahead.a, -1 / length, behind.a),
          combine(1 / length, ahead.b, -1 / length, behind.b)};
}

JointCoordinate JointBuilder::make_coordinate(CoordinateKind kind, std::vector<WeightedPoint> vectors) const {
  JointCoordinate coordinate{kind, std::move(vectors), 0};
  const VectorStencil stencil(coordinate.vectors);
  coordinate.initial = compute_joint_function(kind, stencil.gather(nodes_), 0).value;
  return coordinate;
}

// Between the points that the bodies have at the two places, if these are far enough apart.
std::optional<JointBuilder::VectorPair> JointBuilder::try_direction(const Vec3& from, const Vec3& to,
                                                                    Vec3& direction) const {
  const PointPair behind = pair_points(from), ahead = pair_points(to);
  direction = ahead.position - behind.position;
  const double length = direction.norm();
  if (length < 0.5 * (to - from).norm()) return {};
  direction /= length;
  return VectorPair{combine(1 / length, ahead.a, -1 / length, behind.a),
                    combine(1 / length, ahead.b, -1 / length, behind.b)};
}

// A direction across the axis that both bodies have: to both sides of it, or to one where a body ends there,
// like a door.
JointBuilder::VectorPair JointBuilder::pair_across(const Vec3& axis, Vec3& across) const {
  const Vec3 p = axis.unitOrthogonal(), q = axis.cross(p);
  for (const double behind : {0.5, 0.0}) {
    for (int k = 0; k < kDirections; ++k) {
      const double angle = 2 * std::numbers::pi * k / kDirections;
      const Vec3 way = length_ * (std::cos(angle) * p + std::sin(angle) * q);
      const auto found = try_direction(center_.position - behind * way, center_.position + 0.5 * way, across);
      if (found && std::abs(across.dot(axis)) < kAcross) return *found;
    }
  }
  fail("length", fmt::format("the bodies do not extend {:.3g} m to any side of the joint", 0.5 * length_),
       "Give a smaller length.");
}

// Of the second body alone, if it can follow any place.
WeightedPoint JointBuilder::find_direction(const Vec3& direction) const {
  if (body_b_ != nullptr && !can_follow_any_place(*body_b_)) return pair_direction(direction).b;
  const WeightedPoint ahead = find(body_b_, center_.position + 0.5 * length_ * direction).point;
  const WeightedPoint behind = find(body_b_, center_.position - 0.5 * length_ * direction).point;
  return combine(1 / length_, ahead, -1 / length_, behind);
}

void JointBuilder::add_hinge(Joint& built) const {
  const Vec3 axis = joint_.axis.stableNormalized();
  Points ends;
  for (const double side : {0.5, -0.5}) {
    const PointPair end = pair_points(center_.position + side * length_ * axis);
    built.vanishing.push_back(end.gap());
    built.axis_marks.push_back(end.a);
    ends.push_back(end.position);
  }
  // Where both ends are the same place nothing would hold the axis.
  if ((ends[0] - ends[1]).dot(axis) < 0.5 * length_) {
    fail("axis",
         fmt::format("the bodies do not extend {:.3g} m along it to both sides of the joint", 0.5 * length_),
         "Hinge a shell or wire along itself, or at an affine or rigid body that is fixed to it; or give a "
         "smaller length.");
  }
  Vec3 direction;
  const VectorPair across = pair_across(axis, direction);
  built.coordinate =
      make_coordinate(CoordinateKind::Angle, {across.a, across.b, find_direction(axis.cross(direction))});
}

// Two points of a stay on a line of b, and a third one beside them in a plane through it.
void JointBuilder::add_slider(Joint& built) const {
  const Vec3 axis = joint_.axis.stableNormalized(), p = axis.unitOrthogonal(), q = axis.cross(p);
  const WeightedPoint along = pair_direction(axis).b;
  const WeightedPoint across = pair_direction(p).b, beside = pair_direction(q).b;
  const auto add = [&](const WeightedPoint& point, const WeightedPoint& direction) {
    built.right_angles.push_back(
        make_coordinate(CoordinateKind::Dot, {combine(1, point, -1, center_.b), direction}));
  };
  for (const double side : {0.5, -0.5}) {
    const PointPair end = pair_points(center_.position + side * length_ * axis);
    add(end.a, across);
    add(end.a, beside);
    built.axis_marks.push_back(end.b);
  }
  add(pair_points(center_.position + 0.5 * length_ * p).a, beside);
  built.coordinate = make_coordinate(CoordinateKind::Dot, {center_.gap(), along});
}

// Every selected point, or the corners of a tetrahedron.
void JointBuilder::add_fixed(Joint& built) const {
  if (!joint_.select) {
    const double s = 0.5 / std::sqrt(3.0);
    for (const Vec3& corner : {Vec3(s, s, s), Vec3(s, -s, -s), Vec3(-s, s, -s), Vec3(-s, -s, s)}) {
      built.vanishing.push_back(pair_points(center_.position + length_ * corner).gap());
    }
    return;
  }
  std::vector<Index> points = select_points(*joint_.select, body_a_->rest.points, at("select"));
  if (body_a_->kind == BodyKind::Medial) points = choose_independent(body_a_->W, points);
  for (const Index i : points) {
    const Anchor a = make_mean_anchor(*body_a_, nodes_, {i});
    built.vanishing.push_back(combine(1, a.point, -1, find(body_b_, a.position).point));
  }
}

void JointBuilder::add_distance(Joint& built) const {
  check_near(body_b_, *joint_.at_b, "at_b");
  built.anchor_b = find(body_b_, *joint_.at_b).point;
  built.coordinate =
      make_coordinate(CoordinateKind::Length, {combine(1, built.anchor_a, -1, built.anchor_b)});
  if (built.coordinate->initial <= 1e-9 * compute_diagonal(body_a_->rest.points)) {
    fail("at_b", "the two points coincide, so their distance has no direction",
         "Move one of them, or use a ball joint.");
  }
  // Held as it is, unless something else is said of it.
  const bool is_free = joint_.type == JointType::Spring || joint_.limits || joint_.motor;
  if (!is_free) built.held = built.coordinate->initial;
}

// Limits, motor and spring of the coordinate.
void JointBuilder::add_drive(Joint& built) const {
  const double unit = joint_.type == JointType::Hinge ? kRadians : 1;
  const double initial = built.coordinate ? built.coordinate->initial : 0;
  if (joint_.limits) {
    if (joint_.limits->min) built.min = unit * *joint_.limits->min;
    if (joint_.limits->max) built.max = unit * *joint_.limits->max;
    const double slack = kLimitSlack * (unit + std::abs(initial));
    if (initial < built.min - slack || initial > built.max + slack) {
      const double shown = std::round(1e6 * initial / unit) / 1e6 + 0.0;  // no -0
      fail("limits", fmt::format("the coordinate is {:g} at time 0, which is outside the limits", shown),
           "Widen the limits. Hinges and sliders count from their pose at time 0, distances are absolute.");
    }
  }
  if (joint_.motor) {
    built.motor = JointMotor{joint_.motor->speed, joint_.motor->position, unit};
    if (joint_.motor->max_force) built.motor->max_force = *joint_.motor->max_force;
  }
  if (joint_.spring) {
    built.spring = JointSpring{joint_.spring->stiffness, joint_.spring->damping, initial};
    if (joint_.spring->rest) built.spring->rest = unit * *joint_.spring->rest;
  }
}

Joint JointBuilder::build() {
  Joint built;
  built.type = joint_.type;
  built.length = length_;
  built.first_node_a = body_a_->first_node;
  built.node_count_a = body_a_->node_count;
  if (joint_.break_force) built.break_force = *joint_.break_force;
  if (joint_.break_torque) built.break_torque = *joint_.break_torque;
  const bool has_two_places = joint_.at_b.has_value();
  center_ = has_two_places ? PointPair() : pair_place();
  if (has_two_places) {
    center_.a = joint_.select ? pair_place().a : find(body_a_, *joint_.at).point;
    if (!joint_.select) check_near(body_a_, *joint_.at, "at");
  }
  built.anchor_a = center_.a;
  built.anchor_b = center_.b;
  switch (joint_.type) {
    case JointType::Ball:
      built.vanishing.push_back(center_.gap());
      break;
    case JointType::Hinge:
      add_hinge(built);
      break;
    case JointType::Slider:
      add_slider(built);
      break;
    case JointType::Fixed:
      add_fixed(built);
      break;
    case JointType::Distance:
    case JointType::Spring:
      add_distance(built);
      break;
  }
  add_drive(built);
  return built;
}

}  // namespace

std::vector<Joint> build_joints(const Scene& scene, const std::string& scene_path,
                                const Kinematics& kinematics, const VecX& nodes) {
  std::vector<Joint> joints;
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    const JointDescription& joint = scene.joints[i];
    JointBuilder builder(scene, joint, place_of(joint.origin, scene_path, "joints", i), kinematics, nodes);
    joints.push_back(builder.build());
    joints.back().name = joint.name.empty() ? fmt::format("joint {}", i) : joint.name;
  }
  return joints;
}

}  // namespace marrow
