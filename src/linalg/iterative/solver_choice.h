// Which solver is faster for a matrix, by counts of what each will do. No clock is asked, so the answer is
// the same on every machine and any number of threads (docs/decisions/0033-large-bodies.md).
#pragma once

#include "linalg/factor_cost.h"
#include "linalg/system_nodes.h"

namespace marrow {

// Of one Newton iteration on one core of the machine on which they were measured [s].
double predict_direct_time(const FactorCost& cost, const BlockPattern& pattern);

// iterations: of conjugate gradients. direct: the cost of factorising the whole matrix, of which nodes that
// are solved exactly take a share.
double predict_iterative_time(const FactorCost& direct, const BlockPattern& pattern, const SystemNodes& nodes,
                              Index iterations);

// The share of the blocks that couple nodes that multigrid solves exactly.
double count_exact_share(const BlockPattern& pattern, const SystemNodes& nodes);

// Of multigrid's levels [bytes].
double predict_iterative_memory(const BlockPattern& pattern);

}  // namespace marrow
