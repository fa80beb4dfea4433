#include "kinematics/body.h"

#include <algorithm>

#include "exec/parallel.h"

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

Index find_body_of_node(const std::vector<Body>& bodies, Index node) {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), node,
                                      [](Index i, const Body& body) { return i < body.first_node; });
  return static_cast<Index>(after - bodies.begin()) - 1;
}

std::vector<Index> list_bodies_of_nodes(const Kinematics& kinematics) {
  std::vector<Index> bodies;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    bodies.insert(bodies.end(), static_cast<size_t>(kinematics.bodies[b].node_count), static_cast<Index>(b));
  }
  return bodies;
}

std::vector<AffineElement> list_affine_elements(const Kinematics& kinematics) {
  std::vector<AffineElement> list;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    if (kinematics.bodies[b].kind != BodyKind::Affine) continue;
    list.push_back({static_cast<Index>(b), kinematics.affine_elements[list.size()]});
  }
  return list;
}

void clear_moved_as_one(const Kinematics& kinematics, VecX& v) {
  for (const Body& body : kinematics.bodies) {
    if (body.moves_as_one()) v.segment(3 * body.first_node, 3 * body.node_count).setZero();
  }
}

void compute_points(const Kinematics& kinematics, const VecX& n, Points& x) {
  x.resize(static_cast<size_t>(kinematics.point_count));
  exec::parallel_for(
      "kinematics.bodies", kinematics.bodies.size(),
      [&](size_t b) {
        const Body& body = kinematics.bodies[b];
        VecX body_points;
        multiply(body.W, n.segment(3 * body.first_node, 3 * body.node_count), body_points);
        for (Index i = 0; i < body.W.rows(); ++i) x[body.first_point + i] = body_points.segment<3>(3 * i);
      },
      4);
}

}  // namespace marrow
