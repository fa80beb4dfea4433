#include "kinematics/body.h"

namespace marrow {

void append_body(Body body, Kinematics& kinematics) {
  body.first_node = kinematics.node_count;
  body.first_point = kinematics.point_count;
  body.node_count = body.W.columns;
  body.radii = body.rest.radii;
  body.radii.resize(body.rest.points.size(), 0.0);
  body.radii.insert(body.radii.end(), body.collider.radii.begin(), body.collider.radii.end());
  body.radii.resize(static_cast<size_t>(body.W.rows()), 0.0);
  kinematics.node_count += body.node_count;
  kinematics.point_count += body.W.rows();
  kinematics.bodies.push_back(std::move(body));
}

void compute_points(const Kinematics& kinematics, const VecX& n, Points& x) {
  x.resize(static_cast<size_t>(kinematics.point_count));
  VecX body_points;
  for (const Body& body : kinematics.bodies) {
    multiply(body.W, n.segment(3 * body.first_node, 3 * body.node_count), body_points);
    for (Index i = 0; i < body.W.rows(); ++i) x[body.first_point + i] = body_points.segment<3>(3 * i);
  }
}

}  // namespace marrow
