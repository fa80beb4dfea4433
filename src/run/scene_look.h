// How a scene says that it is shown, as the writers of results take it.
#pragma once

#include "output/frames/frame.h"
#include "scene/description.h"

namespace marrow {

SceneLook describe_look(const Scene& scene);

}  // namespace marrow
