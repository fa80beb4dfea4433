// From what a scene says about contact to what the solver needs: lengths resolved, names turned into numbers.
#pragma once

#include "scene/description.h"

namespace marrow {

// The bodies that a name means, ascending: the one of that name, or those of the group.
std::vector<Index> find_named_bodies(const Scene& scene, const std::string& name);

// The body of that name; kNone if there is none.
Index find_body(const Scene& scene, const std::string& name);

// kinematics: the scene's bodies, placed as at time 0; smallest: the size of the smallest that moves [m].
ContactModel build_contact(const Scene& scene, const Kinematics& kinematics, double smallest);

}  // namespace marrow
