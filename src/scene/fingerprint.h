// The fingerprint of a run: of everything that decides the motion. A checkpoint is resumed only with the
// scene and the meshes that it was written with.
#pragma once

#include <cstdint>

#include "scene/description.h"
#include "sim/model/model.h"

namespace marrow {

// nodes: where they are at time 0. The duration and what is written do not count, nor do names of mesh
// files: what is in them does.
std::uint64_t compute_fingerprint(Scene scene, const Model& model, const VecX& nodes);

}  // namespace marrow
