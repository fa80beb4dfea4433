// A scene as canonical JSON: every key, defaults filled in, numbers exact. Reading it back gives the same
// scene, so it serves as the record of a run and as its fingerprint.
#pragma once

#include <string>

#include "scene/description.h"

namespace marrow {

std::string describe_scene(const Scene& scene);

}  // namespace marrow
