// What must hold between the fields of a scene's joints.
#pragma once

#include "scene/validate.h"

namespace marrow {

// The first thing wrong with a joint; nothing if all are sound.
std::optional<SceneProblem> find_joint_problem(const Scene& scene);

}  // namespace marrow
