// What must hold between the fields of a scene's looks.
#pragma once

#include "scene/validate.h"

namespace marrow {

std::optional<SceneProblem> find_view_problem(const Scene& scene);

}  // namespace marrow
