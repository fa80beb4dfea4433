#include "solve/objective.h"

#include <limits>

#include "core/trace.h"

namespace marrow {
namespace {

// The rounding of a value, over its magnitude. Less: steps that look uphill only because of rounding are
// refused. [ablation: value_rounding]
constexpr double kValueRounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

void Objective::set_weight(const Potential& potential, double weight) {
  for (Term& term : terms_) {
    if (term.potential == &potential) term.weight = weight;
  }
}

ObjectiveValue Objective::compute_value(const VecX& n) const {
  const trace::Scope scope("newton.value");
  ObjectiveValue sum;
  for (const Term& term : terms_) {
    if (term.weight == 0) continue;
    sum.value += term.weight * term.potential->compute_value(n);
    sum.rounding += kValueRounding * term.weight * term.potential->compute_magnitude(n);
  }
  return sum;
}

void Objective::compute_gradient(const VecX& n, VecX& g) {
  const trace::Scope scope("newton.gradient");
  g = VecX::Zero(3 * node_count_);
  for (const Term& term : terms_) {
    if (term.weight != 0) term.potential->add_gradient(n, term.weight, g);
  }
}

void Objective::compute_hessian(const VecX& n, Curvature curvature, BlockMatrix& H) {
  const trace::Scope scope("newton.hessian");
  std::vector<const StencilGroup*> groups;
  stiff_groups_.clear();
  for (const Term& term : terms_) {
    if (term.weight == 0) continue;
    const StencilGroup* group = curvature == Curvature::Exact
                                    ? term.potential->update_exact_hessian(n, term.weight)
                                    : term.potential->update_hessian(n, term.weight);
    if (group == nullptr) continue;
    groups.push_back(group);
    if (term.potential->is_stiff()) stiff_groups_.push_back(group);
  }
  assembler_.assemble(groups, node_count_, H);
}

std::vector<char> Objective::flag_stiff_nodes(const std::vector<char>& is_fixed) const {
  std::vector<char> flags(static_cast<size_t>(node_count_), 0);
  for (const StencilGroup* group : stiff_groups_) {
    for (size_t e = 0; e < group->stencil_count(); ++e) {
      Index first = kNone;  // of the free nodes
      for (const Index i : group->nodes_of(e)) {
        if (is_fixed[i] || i == first) continue;
        if (first != kNone) flags[first] = flags[i] = 1;
        if (first == kNone) first = i;
      }
    }
  }
  return flags;
}

StepLimit Objective::compute_step_limit(const NodePath& path) const {
  StepLimit limit;
  limit.tighten({path.compute_turn_limit(), LimitCause::Turn});
  for (const Term& term : terms_) {
    StepLimit next = term.potential->compute_step_limit(limit.alpha < 1 ? path.cut(limit.alpha) : path);
    next.alpha *= limit.alpha;
    limit.tighten(next);
  }
  return limit;
}

}  // namespace marrow
