// A solve starts at the inertial prediction, if nothing is in the way there.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

// The path from n to where inertia and gravity alone lead. Prescribed nodes go to these targets, or stay if
// there are none.
NodePath find_expected_path(const StepTerms& terms, const StepPlan& plan, const VecX& n,
                            const Points& targets = {});

// How fast strain spreads in affine bodies [m/s]; 1 if there are none.
double compute_strain_speed(const Model& model);

// Rotation per step above which the Newton step of an affine body is bent onto an arc [rad].
double find_least_turn(const StepTerms& terms, const StepPlan& plan);

// Moves n to the prediction if the path there is safe and the objective is lower than at n. Contacts that
// creep under friction then continue to creep.
void predict(StepTerms& terms, const StepPlan& plan, VecX& n);

// Moves n to where an earlier solve of the step led (StepTerms::expected), if there was one, the path there
// is safe and the objective is lower there. Returns true if it did.
bool move_to_expected(StepTerms& terms, VecX& n);

}  // namespace marrow
