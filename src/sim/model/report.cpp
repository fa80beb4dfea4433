#include "sim/model/report.h"

#include "kinematics/free_flight.h"

#include <Eigen/Geometry>

#include "potentials/elastic/elastic_terms.h"
#include "potentials/gravity.h"

namespace marrow {
namespace {

// (M ⊗ I₃) v.
VecX compute_node_momenta(const Model& model, const State& state) {
  VecX momenta;
  multiply(model.mass, state.velocities, momenta);
  return momenta;
}

Vec3 sum_momenta(const VecX& momenta) {
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < momenta.size(); i += 3) sum += momenta.segment<3>(i);
  return sum;
}

Vec3 sum_angular_momenta(const State& state, const VecX& momenta) {
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < momenta.size(); i += 3) {
    sum += Vec3(state.nodes.segment<3>(i)).cross(Vec3(momenta.segment<3>(i)));
  }
  return sum;
}

Energies sum_energies(const Model& model, const State& state, const VecX& momenta) {
  Energies energies;
  energies.kinetic = 0.5 * state.velocities.dot(momenta);
  energies.elastic = compute_elastic_energy(model.kinematics, model.materials, state.nodes);
  energies.gravity = Gravity(model.mass, model.gravity, model.initial_nodes).compute_value(state.nodes);
  return energies;
}

}  // namespace

double compute_affine_error(const Kinematics& kinematics, const VecX& n) {
  double largest = 0;
  for (const size_t element : kinematics.affine_elements) {
    const Mat3 A = compute_deformation_gradient(kinematics.elements, element, n);
    largest = std::max(largest, (A * A.transpose() - Mat3::Identity()).norm());
  }
  return largest;
}

void add_conserved(const Model& model, const State& state, StepReport& report) {
  const VecX momenta = compute_node_momenta(model, state);
  report.energies = sum_energies(model, state, momenta);
  report.momentum = sum_momenta(momenta);
  report.angular_momentum = sum_angular_momenta(state, momenta);
  report.affine_error = compute_affine_error(model.kinematics, state.nodes);
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    const Body& body = model.kinematics.bodies[b];
    if (!body.moves_as_one()) continue;
    const double turn = compute_turn(body, state.nodes, state.velocities, model.time.step);
    if (turn <= report.turn) continue;
    report.turn = turn;
    report.turning_body = static_cast<Index>(b);
  }
}

Energies compute_energies(const Model& model, const State& state) {
  return sum_energies(model, state, compute_node_momenta(model, state));
}

Vec3 compute_momentum(const Model& model, const State& state) {
  return sum_momenta(compute_node_momenta(model, state));
}

Vec3 compute_angular_momentum(const Model& model, const State& state) {
  return sum_angular_momenta(state, compute_node_momenta(model, state));
}

}  // namespace marrow
