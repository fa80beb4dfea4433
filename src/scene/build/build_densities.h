// Densities per tet: the key `densities`.
#pragma once

#include "kinematics/elements/densities.h"
#include "mesh/mesh.h"
#include "scene/build/build_motion.h"

namespace marrow {

// Relative to that of the material; empty if the body has none of its own. tets and collider are in the
// world; notes: told what was chosen. Throws InputError.
std::vector<double> make_densities(const BodyDescription& body, const BodyPlace& place,
                                   const std::vector<TetMass>& tets, const Mesh& collider,
                                   std::vector<std::string>& notes);

// The filled parts of straight tets with the density 1; fills may be empty: all of each.
std::vector<TetMass> compute_tet_masses(const Mesh& tets, const std::vector<double>& fills);

}  // namespace marrow
