// What remeshing needs of a scene.
#pragma once

#include <optional>

#include "scene/description.h"
#include "scene/validate.h"

namespace marrow {

std::optional<SceneProblem> find_remesh_problem(const Scene& scene);

}  // namespace marrow
