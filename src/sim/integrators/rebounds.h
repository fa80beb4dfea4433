// This file corrects the velocities of BDF2 when affine and rigid bodies hit something.
//
// The velocity of BDF2, (3n − 4nᵗ + nᵗ⁻¹)/2h, continues with half of the velocity before. When an affine or
// rigid body has hit something, this is a rebound, and the next steps would build on it. Such bodies, and
// those that they act on, take the velocity of their path instead. Together they keep their momentum, unless
// something else holds them up.
#pragma once

#include "sim/model/model.h"

namespace marrow {

// path: velocities of the path from the state before to the end of the step. coupled: bodies that act on each
// other there (kNone: the world). Returns the bodies whose velocities were changed.
std::vector<const Body*> stop_rebounds(const Model& model, const std::vector<char>& is_fixed,
                                       const State& before, const std::vector<IndexPair>& coupled,
                                       const VecX& path, VecX& velocities);

// Resets the BDF2 history of these bodies to uniform motion at the present velocity.
void restart_history(const std::vector<const Body*>& bodies, double h, State& state);

}  // namespace marrow
