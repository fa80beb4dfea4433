// The resistance of nodes to being pushed is their mass, and their stiffness times the scale of a step.
// Contact and joints choose their own stiffnesses from it.
#pragma once

#include "potentials/elastic/elastic_terms.h"
#include "sim/model/model.h"
#include "sim/terms/integrator.h"

namespace marrow {

// Averages over the nodes of a body. Obstacles have neither.
struct BodyResistance {
  double mass = 0;       // [kg]
  double stiffness = 0;  // [N/m]
  // Of the whole body, for contact that is integrated over surfaces.
  double mass_per_area = 0;  // [kg/m²]
  double modulus = 0;        // contact modulus E/(1 − ν²) of the stiffest part [Pa]
};

// The elastic stiffness at each node with the nodes at n: the mean of its diagonal block [N/m].
std::vector<double> compute_node_stiffness(const Model& model, const VecX& n, const ElasticTerms& elastic);

std::vector<BodyResistance> compute_resistances(const Model& model,
                                                const std::vector<double>& node_stiffness);

// 1/(m + s stiffness) of each node [1/kg], 0 where it is prescribed. Affine and rigid bodies move as a whole:
// only their mass resists, if there is inertia.
std::vector<double> compute_inverse_resistance(const Model& model, const std::vector<double>& node_stiffness,
                                               const StepPlan& plan, const std::vector<char>& is_prescribed);

}  // namespace marrow
