// Tets inside a closed surface, made when they are missed: by mesh_solid, and kept in the store.
#pragma once

#include "preprocess/volume/tet_mesher.h"

namespace marrow {

// surface: any mesh; its triangles must bound a solid (preprocess/volume/solid_surface.h). name: the file in
// messages. Throws InputError.
Mesh prepare_tets_cached(const Mesh& surface, const std::string& name, const TetMesherOptions& options);

}  // namespace marrow
