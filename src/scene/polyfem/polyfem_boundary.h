// What acts on the bodies of a PolyFEM scene: boundary and initial conditions.
#pragma once

#include "scene/polyfem/polyfem_body.h"

namespace marrow {

// Adds motions, forces and velocities to the bodies, and gravity to the scene. Throws InputError.
void read_polyfem_boundary(const PolyfemFile& file, PolyfemBodies& bodies, Scene& scene);

}  // namespace marrow
