// The contact forces of one solve, summed by pair of bodies, by point and by node. Every sum is made by one
// thread in the order of the contacts.
#pragma once

#include "sim/model/forces.h"
#include "sim/terms/step_terms.h"

namespace marrow {

// At n, with the friction that the solve saw. scale: of forces at the end of the part; h: its length. Torques
// are about the origin.
ContactForces sum_contact_forces(StepTerms& terms, const VecX& n, double scale, double h);

}  // namespace marrow
