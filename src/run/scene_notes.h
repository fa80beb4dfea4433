// What of a scene is probably meant otherwise: sizes and materials in other units, d_hat larger than a body,
// bodies that will only fall. Told before the first step, a line each; nothing is refused.
#pragma once

#include <string>
#include <vector>

#include "scene/description.h"
#include "sim/model/model.h"

namespace marrow {

// Sentences without a full stop, each about one fault and all bodies that have it.
std::vector<std::string> list_scene_notes(const Scene& scene, const Model& model);

// Bodies that will only fall. A run says so itself, when it has happened (body_notes.h).
std::vector<std::string> list_fall_notes(const Scene& scene, const Model& model);

}  // namespace marrow
