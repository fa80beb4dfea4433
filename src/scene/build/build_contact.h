// From what a scene says about contact to what the solver needs: lengths resolved, names turned into numbers.
#pragma once

#include "scene/description.h"

namespace marrow {

// kinematics: the scene's bodies, placed as at time 0; smallest: the size of the smallest that moves [m].
ContactModel build_contact(const Scene& scene, const Kinematics& kinematics, double smallest);

}  // namespace marrow
