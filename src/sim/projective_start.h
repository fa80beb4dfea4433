// The projective stepper with its guarantee: projections give the place where the usual solve starts, and
// geometry goes there through the line search and its limits, no farther than is safe.
#pragma once

#include "sim/model/report.h"
#include "sim/terms/step_terms.h"

namespace marrow {

// Where projections lead in this part from n, with prescribed nodes as they are at n; bodies that they do not
// move go where inertia and gravity lead.
VecX project_part(StepTerms& terms, const StepPlan& plan, const VecX& n, const FindTargets& find_targets,
                  ProjectiveReport& report);

// Moves n towards there, downhill. In parts of a step n goes to the prediction instead, since the matrix is
// that of whole steps.
void start_at_projection(StepTerms& terms, const StepPlan& plan, VecX& n, ProjectiveReport& report);

}  // namespace marrow
