#include "output/run/topology.h"

#include <algorithm>

#include "kinematics/joined.h"

namespace marrow {
namespace {

// Flags the nodes that are prescribed and never move.
std::vector<bool> flag_resting_nodes(const Model& model) {
  std::vector<bool> rests(static_cast<size_t>(model.kinematics.node_count), false);
  for (const PrescribedNodes& group : model.prescribed) {
    if (!is_at_rest(group)) continue;
    for (const Index node : group.nodes) rests[static_cast<size_t>(node)] = true;
  }
  // A node may be in several groups.
  for (const PrescribedNodes& group : model.prescribed) {
    if (is_at_rest(group)) continue;
    for (const Index node : group.nodes) rests[static_cast<size_t>(node)] = false;
  }
  return rests;
}

// The weights of a body's points over its four nodes.
std::vector<Vec4> take_weights(const ScalarMatrix& W) {
  std::vector<Vec4> weights(static_cast<size_t>(W.rows()), Vec4::Zero());
  for (size_t i = 0; i < weights.size(); ++i) {
    for (Index k = W.offsets[i]; k < W.offsets[i + 1]; ++k) weights[i][W.indices[k]] = W.values[k];
  }
  return weights;
}

// The radius at which others meet the body's points, or half of its thickness if they meet its middle.
double choose_drawn_radius(const Body& body, double half_thickness) {
  const auto own = std::min(body.rest.points.size(), body.radii.size());
  double sum = 0;
  for (size_t i = 0; i < own; ++i) sum += body.radii[i];
  return sum > 0 ? sum / static_cast<double>(own) : half_thickness;
}

}  // namespace

OutputTopology make_topology(const Kinematics& kinematics, const SceneLook& look) {
  OutputTopology topology;
  for (const Body& body : kinematics.bodies) {
    topology.bodies.push_back({body.name, enum_name(body.named_kind()), body.first_point, body.W.rows(),
                               static_cast<Index>(body.collider.points.size()), body.first_node,
                               body.node_count});
  }
  Mesh all = join_rest_meshes(kinematics);
  topology.edges = std::move(all.edges);
  topology.triangles = std::move(all.triangles);
  topology.tets = std::move(all.tets);
  for (const CurvedTets& tets : kinematics.curved) {
    topology.curved.push_back(
        {tets.order, find_body_of_node(kinematics.bodies, tets.nodes.front()), tets.nodes});
  }
  topology.view = look.view;
  for (size_t b = 0; b < topology.bodies.size(); ++b) {
    topology.bodies[b].is_ground = kinematics.bodies[b].is_ground;
    if (b < look.bodies.size()) topology.bodies[b].look = look.bodies[b];
    double& radius = topology.bodies[b].look.radius;
    radius = choose_drawn_radius(kinematics.bodies[b], radius);
  }
  return topology;
}

OutputTopology make_topology(const Model& model, const SceneLook& look) {
  OutputTopology topology = make_topology(model.kinematics, look);
  const std::vector<bool> rests = flag_resting_nodes(model);
  for (size_t b = 0; b < topology.bodies.size(); ++b) {
    const Body& body = model.kinematics.bodies[b];
    OutputBody& described = topology.bodies[b];
    const auto first = rests.begin() + body.first_node;
    if (body.is_obstacle() && std::all_of(first, first + body.node_count, [](bool rest) { return rest; })) {
      described.motion = BodyMotion::Rest;
      for (Index node = body.first_node; node < body.first_node + body.node_count; ++node) {
        described.rest.push_back(model.initial_nodes.segment<3>(3 * node));
      }
    } else if (body.moves_as_one()) {
      described.motion = BodyMotion::Pose;
      described.weights = take_weights(body.W);
    }
  }
  return topology;
}

}  // namespace marrow
