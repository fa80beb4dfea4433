// What must hold in a scene for the projective stepper.
#pragma once

#include "scene/validate.h"

namespace marrow {

// The first thing that the projective stepper cannot do; nothing if there is none, or another stepper.
std::optional<SceneProblem> find_projective_problem(const Scene& scene);

}  // namespace marrow
