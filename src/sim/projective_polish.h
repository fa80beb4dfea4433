// Steps downhill with the constant matrix of the projections: cheap ones, between their result and Newton's
// iterations (Liu et al. 2017, Quasi-Newton Methods for Real-Time Simulation of Hyperelastic Materials).
//
//   p = −B⁻¹ g,  B = A + Σ contacts, in place of the Hessian; L-BFGS makes up for what B lacks
//
// A is factorised once for the whole run. Contacts bring in the curvature of the barrier along their normals;
// without them every step ends at the first gap. Steps go through the same line search and limits as all
// others, so the guarantee does not depend on their number; only the accuracy does.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

// Takes such steps from n, at most `solver.projective.quasi_newton_iterations`. None where bodies that
// projections do not move, or joints, take part: their stiffness is not in A.
NewtonReport polish(StepTerms& terms, const StepPlan& plan, VecX& n);

}  // namespace marrow
