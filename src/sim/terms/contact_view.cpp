#include "sim/terms/contact_view.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace marrow {
namespace {

SeenContact see(const Contact& contact, const PairBalls& balls) {
  SeenContact seen;
  seen.a = seen.b = Vec3::Zero();
  double radius_a = 0, radius_b = 0;
  for (int i = 0; i < contact.shape.count; ++i) {
    const bool is_front = i < contact.shape.front;
    const double weight = std::abs(contact.point.w[static_cast<size_t>(i)]);
    (is_front ? seen.a : seen.b) += weight * balls.x[static_cast<size_t>(i)];
    (is_front ? radius_a : radius_b) += weight * balls.r[static_cast<size_t>(i)];
  }
  // From centres to surfaces.
  const Vec3 n = (seen.a - seen.b).stableNormalized();
  seen.a -= radius_a * n;
  seen.b += radius_b * n;
  seen.gap = contact.point.compute_gap();
  return seen;
}

// A third of the triangles around each point; in the plane half of the border, 1 m deep.
std::vector<double> compute_areas(const Kinematics& kinematics, std::span<const Vec3> x) {
  std::vector<double> areas(x.size(), 0);
  exec::parallel_for("contact.areas", kinematics.bodies.size(), [&](size_t b) {
    const Body& body = kinematics.bodies[b];
    if (body.is_planar) {
      for (const Edge& e : list_planar_border(body)) {
        const auto from = static_cast<size_t>(body.first_point + e[0]);
        const auto to = static_cast<size_t>(body.first_point + e[1]);
        for (const size_t k : {from, to}) areas[k] += 0.5 * (x[to] - x[from]).norm();
      }
      return;
    }
    for (const Triangle& t : body.rest.triangles) {
      const auto point = [&](int k) {
        return static_cast<size_t>(body.first_point + t[static_cast<size_t>(k)]);
      };
      const double area = 0.5 * (x[point(1)] - x[point(0)]).cross(x[point(2)] - x[point(0)]).norm();
      for (int k = 0; k < 3; ++k) areas[point(k)] += area / 3;
    }
  });
  return areas;
}

}  // namespace

ContactPicture compute_contact_picture(const Model& model, ContactTerms& contact, const State& state,
                                       const StepReport& report) {
  ContactPicture picture;
  const ContactsAt at = contact.finder().find(state.nodes);
  const ContactPoints points = at->points();
  picture.contacts.resize(at->contacts.size());
  exec::parallel_for("contact.see", at->contacts.size(), [&](size_t k) {
    const Contact& pair = at->contacts[k];
    picture.contacts[k] = see(pair, gather_balls(pair.vertices, pair.shape.count, points.x, points.radii));
  });
  Points x;
  compute_points(model.kinematics, state.nodes, x);
  picture.pressures = compute_areas(model.kinematics, x);
  for (size_t i = 0; i < picture.pressures.size(); ++i) {
    double& value = picture.pressures[i];
    const bool is_pressed = i < report.forces.pressing.size() && value > 0;
    value = is_pressed ? report.forces.pressing[i] / value : 0;
  }
  return picture;
}

}  // namespace marrow
