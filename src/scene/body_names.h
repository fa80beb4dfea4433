// Bodies of a scene by their names, and groups of them.
#pragma once

#include "scene/description.h"

namespace marrow {

// The bodies that a name means, ascending: the one of that name, or those of the group.
std::vector<Index> find_named_bodies(const Scene& scene, const std::string& name);

// The body of that name; kNone if there is none.
Index find_body(const Scene& scene, const std::string& name);

}  // namespace marrow
