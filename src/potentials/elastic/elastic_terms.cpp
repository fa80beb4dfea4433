#include "potentials/elastic/elastic_terms.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>

#include "mesh/point_box.h"
#include "potentials/elastic/curved_tets.h"
#include "potentials/elastic/elasticity.h"
#include "potentials/elastic/reduced_elasticity.h"
#include "potentials/elastic/shell_bending.h"
#include "potentials/elastic/wire_bending.h"

namespace marrow {
namespace {

// The Hessian of a medial body is kept until some F has changed by more than this. More: fewer
// factorisations, more iterations. [ablation: kept_hessian]
constexpr double kHessianPatience = 0.05;

// (λ + 2μ)/(ρ L²) of a medial body, L the diagonal of its box.
double compute_relative_stiffness(const Kinematics& kinematics, const ReducedElements& reduced,
                                  const std::vector<Material>& materials) {
  const auto body = std::find_if(kinematics.bodies.begin(), kinematics.bodies.end(),
                                 [&](const Body& b) { return b.first_node == reduced.first_node; });
  const double mass = std::accumulate(body->mass.values.begin(), body->mass.values.end(), 0.0);
  const std::vector<double>& volumes = reduced.fine.volumes;
  const double volume = std::accumulate(volumes.begin(), volumes.end(), 0.0);
  const Eigen::AlignedBox3d box = compute_box(body->rest.points);
  const Material& material = materials[reduced.fine.materials.at(0)];
  return (material.lame_lambda + 2 * material.lame_mu) * volume / (mass * box.diagonal().squaredNorm());
}

}  // namespace

double compute_elastic_energy(const Kinematics& kinematics, const std::vector<Material>& materials,
                              const VecX& n) {
  double sum = 0;
  for (const Elements* elements : {&kinematics.elements, &kinematics.membranes, &kinematics.strands}) {
    sum += compute_elastic_energy(*elements, materials, n);
  }
  for (const ReducedElements& reduced : kinematics.reduced)
    sum += compute_elastic_energy(reduced, materials, n);
  return sum + compute_bending_energy(kinematics.shell_bends, materials, n) +
         compute_bending_energy(kinematics.wire_bends, materials, n);
}

ElasticTerms::ElasticTerms(const Kinematics& kinematics, const std::vector<Material>& materials) {
  const Index count = kinematics.node_count;
  for (const Elements* elements : {&kinematics.elements, &kinematics.membranes, &kinematics.strands}) {
    if (elements->count() == 0) continue;
    auto term = std::make_unique<Elasticity>(*elements, materials, count);
    const std::vector<Index> of_stencils = term->list_stencil_materials();
    add(std::move(term), of_stencils, materials, count);
  }
  for (const CurvedTets& tets : kinematics.curved)
    list_.push_back(std::make_unique<CurvedTetGuard>(tets, materials, count));
  for (const ReducedElements& reduced : kinematics.reduced) {
    auto term = std::make_unique<ReducedElasticity>(
        reduced, materials, count,
        HessianPatience{kHessianPatience, compute_relative_stiffness(kinematics, reduced, materials)});
    reduced_.push_back(term.get());
    const std::vector<Index> of_stencils(term->stencil_count(), reduced.fine.materials.at(0));
    add(std::move(term), of_stencils, materials, count);
  }
  const ShellBends& shells = kinematics.shell_bends;
  if (shells.count() > 0) {
    add(std::make_unique<ShellBending>(shells, materials, count), shells.materials, materials, count);
  }
  const WireBends& wires = kinematics.wire_bends;
  if (wires.count() > 0) {
    add(std::make_unique<WireBending>(wires, materials, count), wires.materials, materials, count);
  }
}

// Adds a term to the list, and its damping if it has any.
void ElasticTerms::add(std::unique_ptr<Potential> term, const std::vector<Index>& materials_of_stencils,
                       const std::vector<Material>& materials, Index node_count) {
  std::vector<double> times;
  bool is_damped = false;
  for (const Index material : materials_of_stencils) {
    times.push_back(materials[material].damping);
    is_damped = is_damped || times.back() > 0;
  }
  if (is_damped) damping_.push_back(std::make_unique<Damping>(*term, std::move(times), node_count));
  list_.push_back(std::move(term));
}

void ElasticTerms::start_step(const VecX& n, double h) {
  for (ReducedElasticity* term : reduced_) term->forget();
  for (const auto& damping : damping_) damping->set_start(n, h);
}

void ElasticTerms::add_gradient(const VecX& n, double weight, VecX& g) {
  for (const auto& term : list_) term->add_gradient(n, weight, g);
}

}  // namespace marrow
