// Soft bodies with a fine surface that coarse tets of any order carry: the keys `surface` and `collider`.
#pragma once

#include "scene/build/load_mesh.h"

namespace marrow {

// The fine surface in the world.
Mesh load_carried_surface(const BodyDescription& description, const BodyPlace& place, const MeshCare& care);

// Appends the body; returns the initial node positions. Throws InputError.
Points add_carried(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                   Index material, const MeshCare& care, Model& model);

}  // namespace marrow
