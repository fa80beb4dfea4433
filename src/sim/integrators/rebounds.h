// What BDF2 does where stiff bodies hit something.
//
// Its velocity, (3n − 4nᵗ + nᵗ⁻¹)/2h, goes on with half of what was before. Where a stiff body has hit
// something this is a rebound, and the next steps would build on it: such bodies, and those that they act on,
// take the velocity of their way; together they keep their momentum, unless something else holds them up.
#pragma once

#include "sim/model/model.h"

namespace marrow {

// path: velocities of the path from the state before to where the step ends. coupled: bodies that act on each
// other there, kNone: the world. Returns the bodies whose velocities were changed.
std::vector<const Body*> stop_rebounds(const Model& model, const std::vector<char>& is_fixed,
                                       const State& before, const std::vector<IndexPair>& coupled,
                                       const VecX& path, VecX& velocities);

// For BDF2 they have always moved as they do now.
void restart_history(const std::vector<const Body*>& bodies, double h, State& state);

}  // namespace marrow
