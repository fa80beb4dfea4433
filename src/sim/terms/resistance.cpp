#include "sim/terms/resistance.h"

namespace marrow {
namespace {

// Adds the mean of each diagonal block to its node.
void add_diagonal(const StencilGroup& group, std::vector<double>& sums) {
  for (size_t e = 0; e < group.stencil_count(); ++e) {
    const std::span<const Index> nodes = group.nodes_of(e);
    group.for_each_block(e, [&](size_t a, size_t b, size_t k) {
      if (a == b) sums[nodes[a]] += group.blocks[k].trace() / 3;
    });
  }
}

}  // namespace

std::vector<double> compute_node_stiffness(const Model& model, const VecX& n, const ElasticTerms& elastic) {
  std::vector<double> stiffness(static_cast<size_t>(model.kinematics.node_count), 0);
  for (const auto& term : elastic.list()) {
    if (const StencilGroup* group = term->update_hessian(n, 1)) add_diagonal(*group, stiffness);
  }
  return stiffness;
}

std::vector<BodyResistance> compute_resistances(const Model& model,
                                                const std::vector<double>& node_stiffness) {
  const std::vector<double> masses = lump_rows(model.mass).values;
  std::vector<BodyResistance> resistances;
  for (const Body& body : model.kinematics.bodies) {
    BodyResistance resistance;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      resistance.mass += masses[i] / body.node_count;
      // An impact moves an affine or rigid body as a whole.
      if (!body.moves_as_one()) resistance.stiffness += node_stiffness[i] / body.node_count;
    }
    resistances.push_back(resistance);
  }
  return resistances;
}

std::vector<double> compute_inverse_resistance(const Model& model, const std::vector<double>& node_stiffness,
                                               const StepPlan& plan, const std::vector<char>& is_prescribed) {
  const std::vector<double> masses = lump_rows(model.mass).values;
  std::vector<double> inverse(masses.size(), 0);
  for (const Body& body : model.kinematics.bodies) {
    const bool has_stiffness = !body.moves_as_one() || plan.inertia == 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      double resistance = plan.inertia * masses[i] + (has_stiffness ? plan.scale * node_stiffness[i] : 0);
      // A rigid body without inertia has no resistance; its mass is still a measure of the forces on it.
      if (resistance == 0) resistance = masses[i];
      if (!is_prescribed[i] && resistance > 0) inverse[i] = 1 / resistance;
    }
  }
  return inverse;
}

}  // namespace marrow
