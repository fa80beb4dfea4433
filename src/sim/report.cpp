#include "sim/report.h"

#include <Eigen/Geometry>

#include "potentials/elasticity.h"
#include "potentials/gravity.h"
#include "potentials/inertia.h"

namespace marrow {
namespace {

// (M ⊗ I₃) v.
VecX compute_node_momenta(const Model& model, const State& state) {
  VecX momenta;
  multiply(model.mass, state.velocities, momenta);
  return momenta;
}

double compute_elastic_energy(const Model& model, const VecX& n) {
  double sum = 0;
  for (size_t e = 0; e < model.kinematics.elements.count(); ++e) {
    const Mat3 F = compute_deformation_gradient(model.kinematics.elements, e, n);
    const Material& material = model.materials[model.kinematics.elements.materials[e]];
    sum += model.kinematics.elements.volumes[e] *
           visit_material(material, [&](const auto& m) { return m.energy(F); });
  }
  return sum;
}

}  // namespace

Energies compute_energies(const Model& model, const State& state, const VecX& initial_nodes) {
  Energies energies;
  energies.kinetic = 0.5 * state.velocities.dot(compute_node_momenta(model, state));
  energies.elastic = compute_elastic_energy(model, state.nodes);
  energies.gravity = Gravity(model.mass, model.gravity, initial_nodes).compute_value(state.nodes);
  return energies;
}

Vec3 compute_momentum(const Model& model, const State& state) {
  const VecX momenta = compute_node_momenta(model, state);
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < momenta.size(); i += 3) sum += momenta.segment<3>(i);
  return sum;
}

Vec3 compute_angular_momentum(const Model& model, const State& state) {
  const VecX momenta = compute_node_momenta(model, state);
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < momenta.size(); i += 3) {
    const Vec3 x = state.nodes.segment<3>(i);
    const Vec3 p = momenta.segment<3>(i);
    sum += x.cross(p);
  }
  return sum;
}

}  // namespace marrow
