// What the split of an edge can gain, without a solve.
//
// A split adds one function, the hat φ of the middle m; the old functions are at equilibrium, so the gradient
// of the step's energy is g on φ and 0 elsewhere. In the quadratic model the gain is ½ gᵀ S⁻¹ g with S the
// Schur complement of φ, and S lies between two sums over the tets around the edge (a, b), with C(u, v) the
// elastic Hessian as a form of two gradients, projected to be positive semi-definite:
//
//   S ≤ H = Σ V (C(p, p) + C(q, q)) + inertia      S ≥ K = Σ V C(q, q)       p = ∇λ_a + ∇λ_b,  q = ∇λ_a −
//   ∇λ_b
//
// because ∇φ is 2∇λ_a in one half of the tet and 2∇λ_b in the other, and of the coarse functions the constant
// gradient p approximates it best. So ½ gᵀ H⁻¹ g ≤ gain ≤ ½ gᵀ K⁻¹ g. (../shared/math2.md B4 has the first
// bound and a weaker second one, e/(1 − γ²).)
//
// Where contact acts on the tets' surface, its force on φ is estimated from those of the nodes, and neither
// number bounds anything: a local solve decides (patch_solve.h).
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

struct SplitGain {
  Edge edge;              // points of the body
  double least = 0;       // ½ gᵀ H⁻¹ g [J]
  double most = 0;        // ½ gᵀ K⁻¹ g [J]
  bool touches = false;   // contact acts near
  bool is_fixed = false;  // the middle would be prescribed: nothing to gain
};

// The forces at the end of a solved step that bounds need.
struct SolvedStep {
  const StepTerms& terms;
  const StepPlan& plan;
  const VecX& n;        // at the end
  const VecX& contact;  // gradient of barrier and friction there, by node
};

// For every edge of the body's tets, in the order of unique_edges.
std::vector<SplitGain> bound_split_gains(const SolvedStep& step, const RemeshedBody& facts);

}  // namespace marrow
