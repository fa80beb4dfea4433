// Materials of PolyFEM, where a law of ours has the same energy.
#pragma once

#include "scene/description.h"
#include "scene/polyfem/polyfem_values.h"

namespace marrow {

// The material of the volume with this id among those of the scene. node: the one whose selection gave the
// id. Throws InputError, also for laws that we have not.
MaterialDescription read_polyfem_material(const JsonNode& root, int id, const JsonNode& node,
                                          std::vector<std::string>& notices);

}  // namespace marrow
