// A model whose bodies have other meshes than the scene gave them. It is always made from the scene's model,
// so that it depends on that and on the meshes alone, however they came about.
#pragma once

#include <memory>
#include <span>

#include "sim/model/model.h"

namespace marrow {

using ChangedMeshes = std::vector<std::shared_ptr<const ChangedMesh>>;

// The body's mesh; null if it is the scene's.
const ChangedMesh* find_mesh(const ChangedMeshes& meshes, Index body);

// base: with the scene's meshes. Bodies that are in no entry stay as they are; their nodes and points are
// numbered anew. Prescribed points of a changed body must still be there.
Model apply_meshes(const Model& base, const ChangedMeshes& meshes);

}  // namespace marrow
