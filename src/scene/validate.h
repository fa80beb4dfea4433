// What must hold between the fields of a scene; single values are checked while reading.
#pragma once

#include <optional>
#include <string>

#include "scene/description.h"
#include "scene/json/json_path.h"

namespace marrow {

struct SceneProblem {
  JsonPath path;        // what is wrong
  std::string problem;  // as in InputError
  std::string advice;
};

// The first thing wrong with the scene, in the order of its fields; nothing if it is sound.
std::optional<SceneProblem> find_problem(const Scene& scene);

// The first thing wrong with a selection at that path.
std::optional<SceneProblem> find_selection_problem(const JsonPath& path, const Selection& select);

}  // namespace marrow
