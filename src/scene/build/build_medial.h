// Bodies of the kind medial: prepared from their mesh, or read from a .medial file, and put in place.
#pragma once

#include "scene/build/load_mesh.h"
#include "scene/description.h"

namespace marrow {

// Appends the body to the model; returns the initial node positions, those of each handle, then those of one
// more handle per entry of prescribed. notes: what preparation has to say. Throws InputError.
Points add_medial(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                  Index material, const MeshCare& care, Model& model);

// Its surface at the start, in the world, without preparing it. Throws InputError.
Mesh load_medial_surface(const BodyDescription& description, const BodyPlace& place, const MeshCare& care);

// Its medial mesh with radii, the same way; prepared if the store does not have it. Throws InputError.
Mesh load_medial_collider(const BodyDescription& description, const BodyPlace& place, const MeshCare& care);

}  // namespace marrow
