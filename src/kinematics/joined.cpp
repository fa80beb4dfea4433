#include "kinematics/joined.h"

#include <algorithm>

namespace marrow {
namespace {

template <class Element>
void append_elements(const std::vector<Element>& elements, Index first_point, std::vector<Element>& all) {
  for (Element element : elements) {
    for (Index& point : element) point += first_point;
    all.push_back(element);
  }
}

// All points, with the simplices of the mesh that pick chooses for each body.
template <class Pick>
Mesh join_meshes(const Kinematics& kinematics, const Pick& pick) {
  Mesh all;
  for (const Body& body : kinematics.bodies) {
    for (const Points* points : {&body.rest.points, &body.collider.points}) {
      all.points.insert(all.points.end(), points->begin(), points->end());
    }
    all.radii.insert(all.radii.end(), body.radii.begin(), body.radii.end());
    const Mesh& mesh = pick(body);
    append_elements(mesh.edges, body.first_point, all.edges);
    append_elements(mesh.triangles, body.first_point, all.triangles);
    append_elements(mesh.tets, body.first_point, all.tets);
  }
  if (std::none_of(all.radii.begin(), all.radii.end(), [](double r) { return r > 0; })) all.radii.clear();
  return all;
}

}  // namespace

Mesh join_rest_meshes(const Kinematics& kinematics) {
  return join_meshes(kinematics, [](const Body& body) -> const Mesh& { return body.rest; });
}

Mesh join_colliders(const Kinematics& kinematics) {
  Mesh border;  // of a planar body
  return join_meshes(kinematics, [&](const Body& body) -> const Mesh& {
    if (!body.is_planar) return body.has_collider() ? body.collider : body.rest;
    border.edges = list_planar_border(body);
    return border;
  });
}

std::vector<std::uint8_t> flag_seen_points(const Kinematics& kinematics) {
  std::vector<std::uint8_t> flags;
  for (const Body& body : kinematics.bodies) {
    const size_t first = flags.size();
    flags.insert(flags.end(), body.rest.points.size(), body.has_collider() || body.is_planar ? 1 : 0);
    if (body.is_planar) {
      for (const Edge& edge : list_planar_border(body)) {
        for (const Index p : edge) flags[first + static_cast<size_t>(p)] = 0;
      }
    }
    flags.insert(flags.end(), body.collider.points.size(), 0);
  }
  return flags;
}

std::vector<Index> list_bodies_of_points(const Kinematics& kinematics) {
  std::vector<Index> bodies;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    bodies.insert(bodies.end(), static_cast<size_t>(kinematics.bodies[b].W.rows()), static_cast<Index>(b));
  }
  return bodies;
}

std::vector<std::uint8_t> flag_obstacle_points(const Kinematics& kinematics) {
  std::vector<std::uint8_t> flags;
  for (const Body& body : kinematics.bodies) {
    flags.insert(flags.end(), static_cast<size_t>(body.W.rows()), body.kind == BodyKind::Obstacle ? 1 : 0);
  }
  return flags;
}

ScalarMatrix join_diagonal(const Kinematics& kinematics, ScalarMatrix Body::*block) {
  ScalarMatrix all;
  all.columns = kinematics.node_count;
  for (const Body& body : kinematics.bodies) {
    const ScalarMatrix& own = body.*block;
    for (Index i = 0; i < own.rows(); ++i) {
      for (Index k = own.offsets[i]; k < own.offsets[i + 1]; ++k) {
        all.indices.push_back(body.first_node + own.indices[k]);
        all.values.push_back(own.values[k]);
      }
      all.offsets.push_back(static_cast<Index>(all.indices.size()));
    }
  }
  return all;
}

}  // namespace marrow
