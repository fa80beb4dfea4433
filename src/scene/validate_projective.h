// What only some scenes can have: the rules of the projective stepper, and of scenes in two dimensions.
#pragma once

#include "scene/validate.h"

namespace marrow {

// The first thing that the projective stepper cannot do; nothing if there is none, or another stepper.
std::optional<SceneProblem> find_projective_problem(const Scene& scene);

// What a scene of dimension 2 must not have.
std::optional<SceneProblem> find_planar_problem(const Scene& scene);

}  // namespace marrow
