#include "linalg/iterative/solver_choice.h"

namespace marrow {
namespace {

// Seconds per unit, on one core. Their ratios decide. [measured: bench/results/large_bodies.md]
struct SolverTimes {
  double operation = 38e-12;  // of the factorisation
  double number = 1.3e-9;     // of panels and updates: to gather, clear, add and solve with
  double analysis = 130e-9;   // per block
  double levels = 250e-9;     // per block: multigrid's levels, made anew in about every second iteration
  double cycle = 72e-9;       // per block and iteration of conjugate gradients
  // Of exact solves per iteration of conjugate gradients: smoothing steps of all levels, over the finest.
  double exact_solves = 5;
  double exact_number = 1e-9;  // per number of the panels and exact solve
};
constexpr SolverTimes kTimes;

// Multigrid's memory per block. More: larger bodies are refused that would fit. [measured:
// bench/results/large_bodies.md]
constexpr double kLevelBytes = 700;

}  // namespace

double predict_direct_time(const FactorCost& cost, const BlockPattern& pattern) {
  return kTimes.operation * cost.operations + kTimes.number * (cost.panels + cost.updates) +
         kTimes.analysis * static_cast<double>(pattern.block_count());
}

double predict_iterative_time(const FactorCost& direct, const BlockPattern& pattern, const SystemNodes& nodes,
                              Index iterations) {
  const double cycles = iterations + 1.0, share = count_exact_share(pattern, nodes);
  const double levels = (kTimes.levels + kTimes.cycle * cycles) * static_cast<double>(pattern.block_count());
  const double exact = predict_direct_time(direct, pattern) +
                       kTimes.exact_solves * cycles * kTimes.exact_number * direct.panels;
  return levels + share * exact;
}

double count_exact_share(const BlockPattern& pattern, const SystemNodes& nodes) {
  const auto is_exact = [&](Index i) {
    return (!nodes.is_stiff.empty() && nodes.is_stiff[i]) ||
           (!nodes.bodies.empty() && nodes.bodies[i] == kNone);
  };
  size_t count = 0;
  for (Index j = 0; j < pattern.node_count(); ++j) {
    if (!is_exact(j)) continue;
    for (Index k = pattern.column_offsets[j]; k < pattern.column_offsets[j + 1]; ++k) {
      count += is_exact(pattern.rows[k]) ? 1 : 0;
    }
  }
  return static_cast<double>(count) / static_cast<double>(pattern.block_count());
}

double predict_iterative_memory(const BlockPattern& pattern) {
  return kLevelBytes * static_cast<double>(pattern.block_count());
}

}  // namespace marrow
