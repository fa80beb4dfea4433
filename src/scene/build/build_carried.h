// Soft bodies with a fine surface that coarse tets carry: the key `surface`.
#pragma once

#include "scene/build/load_mesh.h"

namespace marrow {

// Appends the body; returns the initial node positions. Throws InputError.
Points add_carried(const std::string& name, const BodyDescription& description, const BodyPlace& place,
                   Index material, const MeshCare& care, Model& model);

}  // namespace marrow
