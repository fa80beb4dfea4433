#include "scene/build/build_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "contact/rest_overlaps.h"
#include "mesh/point_box.h"
#include "scene/body_names.h"

namespace marrow {
namespace {

IndexPair sort_pair(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

// A scene this many times larger than its smallest body does not decide any more what is close.
constexpr double kLargestScene = 10;

void add_pair(const Scene& scene, const ContactPair& pair, std::set<IndexPair>& ignored,
              ContactModel& contact) {
  const std::vector<Index> side_a = find_named_bodies(scene, pair.a);
  const std::vector<Index> side_b = find_named_bodies(scene, pair.b);
  const bool is_one_body =
      pair.a == pair.b && side_a.size() == 1 && scene.name_of(static_cast<size_t>(side_a[0])) == pair.a;
  for (const Index a : side_a) {
    for (const Index b : side_b) {
      if (pair.friction) contact.pair_friction[sort_pair(a, b)] = *pair.friction;
      if (pair.ignore && (a != b || is_one_body)) ignored.insert(sort_pair(a, b));
    }
  }
}

// What of bodies made of spheres, cones and slabs cannot be kept apart.
void add_overlaps(const Kinematics& kinematics, ContactModel& contact) {
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const Body& body = kinematics.bodies[b];
    if (!body.has_collider()) continue;
    Mesh collider = body.collider;
    const auto first = static_cast<Index>(body.rest.points.size());
    for (Edge& e : collider.edges) e = {e[0] - first, e[1] - first};
    for (Triangle& t : collider.triangles) t = {t[0] - first, t[1] - first, t[2] - first};
    const RestOverlaps found = find_rest_overlaps(collider, contact.d_hat);
    contact.overlapping.merge(found.pairs, body.first_point + first);
    contact.overlaps.push_back({static_cast<Index>(b), found.primitives, found.contacts});
  }
}

}  // namespace

double compute_reference_length(const std::vector<BodyBox>& bodies, double smallest) {
  Eigen::AlignedBox3d moving, all;
  for (const BodyBox& body : bodies) {
    all.extend(body.box);
    if (!body.is_obstacle) moving.extend(body.box);
  }
  double diagonal = (moving.isEmpty() ? all : moving).diagonal().norm();
  if (!moving.isEmpty()) diagonal = std::min(diagonal, kLargestScene * smallest);
  return diagonal > 0 ? diagonal : 1;
}

double choose_d_hat(const ContactOptions& options, double reference_length) {
  return options.d_hat.value_or(options.d_hat_relative * reference_length);
}

double compute_smallest_size(const std::vector<BodyBox>& bodies) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const BodyBox& body : bodies) {
    if (body.is_obstacle || body.box.isEmpty()) continue;
    const double size = body.box.diagonal().norm();
    if (size > 0) smallest = std::min(smallest, size);
  }
  return std::isfinite(smallest) ? smallest : 1;
}

std::vector<BodyBox> list_boxes(const Kinematics& kinematics) {
  std::vector<BodyBox> boxes;
  for (const Body& body : kinematics.bodies)
    boxes.push_back({compute_box(body.rest.points), body.kind == BodyKind::Obstacle});
  return boxes;
}

ContactModel build_contact(const Scene& scene, const Kinematics& kinematics, double smallest) {
  const ContactOptions& options = scene.contact;
  ContactModel contact;
  contact.is_enabled = options.enabled;
  contact.reference_length = compute_reference_length(list_boxes(kinematics), smallest);
  contact.d_hat = choose_d_hat(options, contact.reference_length);
  contact.epsilon_v = options.epsilon_v.value_or(options.epsilon_v_relative * contact.reference_length);
  contact.is_by_area = options.weighting == ContactWeighting::Area;
  contact.kappa = contact.is_by_area ? options.stiffness : options.kappa;
  contact.friction = options.friction;
  contact.friction_iterations = options.friction_iterations;

  // Which bodies ignore each other, and what friction they have.
  std::set<IndexPair> ignored;
  const auto count = static_cast<Index>(scene.bodies.size());
  for (Index a = 0; a < count; ++a) {
    const BodyDescription& body = scene.bodies[static_cast<size_t>(a)];
    contact.body_friction.push_back(body.friction);
    if (!body.contact || !body.self_contact || is_affine_or_rigid(body.kind)) ignored.insert({a, a});
    for (Index b = 0; !body.contact && b < count; ++b) ignored.insert(sort_pair(a, b));
  }
  for (const ContactPair& pair : options.pairs) add_pair(scene, pair, ignored, contact);
  for (const JointDescription& joint : scene.joints) {
    if (!joint.ignore_contact || joint.b == kWorld) continue;
    ignored.insert(sort_pair(find_body(scene, joint.a), find_body(scene, joint.b)));
  }
  contact.ignored_bodies.assign(ignored.begin(), ignored.end());
  add_overlaps(kinematics, contact);
  return contact;
}

}  // namespace marrow
