// Norms of the displacement u of all soft bodies, as PolyFEM computes them of a solution:
//
//   l2² = ∫ |u|²   h1_semi² = ∫ |∇u|²   h1² = l2² + h1_semi²   lp⁸ = ∫ |u|⁸   linf = max |u|
//
// over the tets at rest, by the quadrature that PolyFEM uses for stiffness: of degree 2 (p − 1), at least 1.
// For straight tets that is one point, the middle. linf_grad is the larger of linf and of |∇u| in the last
// tet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/model.h"

namespace marrow {

struct SolutionNorms {
  double l2 = 0;
  double h1 = 0;
  double h1_semi = 0;
  double linf = 0;
  double linf_grad = 0;
  double lp = 0;
};

// nodes: where they are now.
SolutionNorms compute_solution_norms(const Model& model, const VecX& nodes);

// One norm beside that of another program.
struct ComparedNorm {
  const char* name;
  std::optional<double> recorded;
  double ours;

  // |ours − recorded| / max(|recorded|, 1e-5), as PolyFEM compares.
  double difference() const;
};

// JSON: for each norm recorded, ours and difference.
std::string format_norms(int step, double margin, const std::vector<ComparedNorm>& norms);

}  // namespace marrow
