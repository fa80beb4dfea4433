#include "output/frames/overlays.h"

#include <algorithm>

#include "mesh/surface.h"

namespace marrow {
namespace {

// The body that a point is fixed to; kNone for the world.
Index find_body(const Model& model, const WeightedPoint& point) {
  if (point.nodes.empty()) return kNone;
  return static_cast<Index>(find_body_of_node(model.kinematics.bodies, point.nodes.front()));
}

constexpr double kLongestArrow = 5;     // in sizes of the smallest body
constexpr double kEarthGravity = 9.81;  // where a scene has none [m/s²]

// The mean weight of the bodies that have mass [N]; 1 if there are none.
double compute_mean_weight(const Model& model) {
  double mass = 0;
  size_t count = 0;
  for (const Body& body : model.kinematics.bodies) {
    double own = 0;
    for (const double m : body.mass.values) own += m;
    mass += own;
    count += own > 0 ? 1 : 0;
  }
  const double gravity = model.gravity.norm() > 0 ? model.gravity.norm() : kEarthGravity;
  return mass > 0 ? mass / static_cast<double>(count) * gravity : 1;
}

}  // namespace

Overlay make_handles(const Model& model, const State& state) {
  Overlay handles;
  handles.name = "handles";
  const std::vector<Body>& bodies = model.kinematics.bodies;
  for (const PrescribedNodes& group : model.prescribed) {
    for (const Index node : group.nodes) {
      if (bodies[find_body_of_node(bodies, node)].is_obstacle()) continue;
      handles.points.push_back(state.nodes.segment<3>(3 * node));
    }
  }
  return handles;
}

Overlay make_joints(const Model& model, const State& state) {
  Overlay overlay;
  overlay.name = "joints";
  const auto add_segment = [&](const WeightedPoint& a, const WeightedPoint& b, double force,
                               const Edge& joined) {
    const auto first = static_cast<Index>(overlay.points.size());
    overlay.points.insert(overlay.points.end(), {a.at(state.nodes), b.at(state.nodes)});
    overlay.segments.push_back({first, first + 1});
    overlay.values.insert(overlay.values.end(), 2, force);
    overlay.bodies.push_back(joined);
  };
  for (size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const JointStatus status = j < state.joints.joints.size() ? state.joints.joints[j] : JointStatus();
    if (status.is_broken) continue;
    add_segment(joint.anchor_a, joint.anchor_b, status.force,
                {find_body(model, joint.anchor_a), find_body(model, joint.anchor_b)});
    if (joint.axis_marks.size() == 2)
      add_segment(joint.axis_marks[0], joint.axis_marks[1], status.force, {kNone, kNone});
  }
  return overlay;
}

void add_balls(const Model& model, const Points& points, std::vector<Overlay>& overlays) {
  Overlay balls;
  balls.name = "medial";
  for (const Body& body : model.kinematics.bodies) {
    if (!body.has_collider()) continue;
    const Index own = static_cast<Index>(body.rest.points.size());
    const Index shift = static_cast<Index>(balls.points.size()) - own;
    const auto first = points.begin() + body.first_point + own;
    balls.points.insert(balls.points.end(), first, points.begin() + body.first_point + body.W.rows());
    balls.radii.insert(balls.radii.end(), body.collider.radii.begin(), body.collider.radii.end());
    for (const std::vector<Edge>& edges : {body.collider.edges, unique_edges(body.collider.triangles)}) {
      for (const Edge& e : edges) balls.segments.push_back({e[0] + shift, e[1] + shift});
    }
    for (const Triangle& t : body.collider.triangles) {
      balls.slabs.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    }
  }
  if (!balls.points.empty()) overlays.push_back(std::move(balls));
}

Overlay make_force_arrows(const Model& model, const StepForces& forces) {
  Overlay arrows;
  arrows.name = "forces";
  const double weight = compute_mean_weight(model);
  const auto add_arrow = [&](const Vec3& from, const Vec3& force) {
    const double length = std::min(force.norm() / weight, kLongestArrow) * model.size;
    if (!(length > 0)) return;
    const auto first = static_cast<Index>(arrows.points.size());
    arrows.points.insert(arrows.points.end(), {from, from + length * force.normalized()});
    arrows.segments.push_back({first, first + 1});
    arrows.values.insert(arrows.values.end(), 2, force.norm());
  };
  const std::vector<Body>& bodies = model.kinematics.bodies;
  for (const PairForces& pair : forces.pairs) {
    if (pair.a == pair.b) continue;
    const Vec3 force = pair.normal.force + pair.friction.force;
    if (!bodies[static_cast<size_t>(pair.a)].is_obstacle()) add_arrow(pair.point, force);
    if (!bodies[static_cast<size_t>(pair.b)].is_obstacle()) add_arrow(pair.point, -force);
  }
  return arrows;
}

void add_contacts(const ContactPicture& picture, std::vector<Overlay>& overlays) {
  Overlay contacts, smallest;
  contacts.name = "contacts";
  smallest.name = "smallest_gap";
  const SeenContact* closest = nullptr;
  for (const SeenContact& contact : picture.contacts) {
    const auto first = static_cast<Index>(contacts.points.size());
    contacts.points.insert(contacts.points.end(), {contact.a, contact.b});
    contacts.segments.push_back({first, first + 1});
    contacts.values.insert(contacts.values.end(), 2, contact.gap);
    if (closest == nullptr || contact.gap < closest->gap) closest = &contact;
  }
  if (closest != nullptr) {
    smallest.points = {closest->a, closest->b};
    smallest.segments = {{0, 1}};
    smallest.values = {closest->gap, closest->gap};
  }
  overlays.push_back(std::move(contacts));
  overlays.push_back(std::move(smallest));
}

}  // namespace marrow
