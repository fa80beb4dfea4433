#include "sim/start/model_witness.h"

#include <utility>

#include "kinematics/charts.h"
#include "kinematics/joined.h"

namespace marrow {
namespace {

// Points that collide by themselves: those in no simplex, except render-only points.
std::vector<Index> list_loose_points(const Kinematics& kinematics, const Mesh& colliders) {
  std::vector<std::uint8_t> is_used = flag_seen_points(kinematics);
  const auto mark = [&](const auto& simplices) {
    for (const auto& simplex : simplices) {
      for (const Index i : simplex) is_used[static_cast<size_t>(i)] = 1;
    }
  };
  mark(colliders.edges);
  mark(colliders.triangles);
  mark(colliders.tets);
  std::vector<Index> loose;
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] == 0) loose.push_back(static_cast<Index>(i));
  }
  return loose;
}

// The pairs that are not checked.
CheckerOptions list_exceptions(const Model& model) {
  CheckerOptions options;
  options.fixed = flag_obstacle_points(model.kinematics);
  options.ignored_bodies = model.contact.ignored_bodies;
  for (const OverlapCount& count : model.contact.overlaps) options.ball_bodies.push_back(count.body);
  options.overlapping = model.contact.overlapping;
  return options;
}

}  // namespace

namespace {

// Planar bodies are seen whole, not only their border: one inside another is found too.
Mesh join_witnessed(const Kinematics& kinematics, WitnessedBodies& bodies) {
  if (!is_planar(kinematics)) return join_colliders(kinematics);
  for (const Body& body : kinematics.bodies) {
    if (body.is_obstacle()) continue;
    for (const Triangle& t : body.rest.triangles) {
      const Index first = body.first_point;
      bodies.plane_triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }
  return join_rest_meshes(kinematics);
}

}  // namespace

Witness make_witness(const Model& model) {
  WitnessedBodies bodies;
  Mesh colliders = join_witnessed(model.kinematics, bodies);
  bodies.surfaces.triangles = unite_surfaces(colliders.tets, colliders.triangles);
  bodies.surfaces.loose_points = list_loose_points(model.kinematics, colliders);
  bodies.surfaces.edges = std::move(colliders.edges);
  bodies.surfaces.radii = std::move(colliders.radii);
  bodies.surfaces.bodies = list_bodies_of_points(model.kinematics);
  bodies.tets = std::move(colliders.tets);
  for (const CurvedTets& tets : model.kinematics.curved) bodies.curved.push_back({tets.order, tets.nodes});
  bodies.exceptions = list_exceptions(model);
  bodies.is_kept_apart = model.contact.is_enabled;
  return Witness(std::move(bodies));
}

Points list_nodes(const VecX& nodes) {
  Points list(static_cast<size_t>(nodes.size() / 3));
  for (size_t i = 0; i < list.size(); ++i) list[i] = nodes.segment<3>(3 * static_cast<Index>(i));
  return list;
}

std::vector<BodyTurn> list_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1) {
  std::vector<BodyTurn> turns;
  for (const Turn& turn : find_turns(kinematics, n0, n1)) {
    turns.push_back({turn.body, turn.center, turn.shift, turn.rotation});
  }
  return turns;
}

TrajectoryReport check_path(const Witness& witness, const Kinematics& kinematics, const VecX& n0,
                            const VecX& n1) {
  Points x0, x1;
  compute_points(kinematics, n0, x0);
  compute_points(kinematics, n1, x1);
  return witness.check_path(x0, x1, list_turns(kinematics, n0, n1));
}

}  // namespace marrow
