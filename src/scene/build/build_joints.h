// From a scene's joints to what the solver holds: places turned into weighted points of the two bodies.
#pragma once

#include "scene/description.h"

namespace marrow {

// nodes: of all bodies at time 0. Throws InputError.
std::vector<Joint> build_joints(const Scene& scene, const std::string& scene_path,
                                const Kinematics& kinematics, const VecX& nodes);

}  // namespace marrow
