// Whether the formulas of a scene give numbers at every time step.
#pragma once

#include "scene/description.h"

namespace marrow {

// Throws InputError that names the field and the first time at which it is infinite or not a number. Where a
// failed step is halved, formulas are asked between these times too.
void check_formulas(const Scene& scene, const std::string& scene_path);

}  // namespace marrow
