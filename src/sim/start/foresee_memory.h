// How much memory a run will need, told before the first step if there is less.
#pragma once

#include <string>

#include "sim/model/model.h"

namespace marrow {

// With the iterative solver, which needs least [bytes].
double foresee_memory(const Model& model);

// A sentence without a full stop if that is more than the process may use; else empty. A factorisation is
// foreseen by its own solver, once its matrix is known (linalg/factor_cost.h).
std::string describe_memory(const Model& model);

}  // namespace marrow
