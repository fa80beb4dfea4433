// The local step: every tet is projected onto its constraints by itself, and draws its corners there.
//
//   shape    C = rotations                       w = 2 μ V            as rigid as possible
//   volume   C = {det P = 1}                     w = 3 λ V · factor   keeps its volume
//   limits   C = {least ≤ stretches ≤ most}      w = 2 μ V · factor   strain limits
//
// With these weights the energy ½ Σ w |F − P|² of small strains ε is V (μ ε:ε + λ/2 tr² ε): linear elasticity
// with Lamé's constants. (|F − P| of the volume constraint is tr ε/√3.)
//
// Eight tets are one block, and a block is computed side by side (local_kernel.h). A tet that the kernel does
// not solve in its few iterations, inverted or far from its limits, is projected by itself (project_tet).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/types.h"
#include "kinematics/elements/elements.h"

namespace marrow {

// The stretches that are allowed; 0 and infinity: all are.
struct StretchLimits {
  double least = 0;
  double most = 0;
  bool is_on() const { return most > 0; }
};

// Weights of one tet [N m].
struct ProjectionWeights {
  double shape = 0;
  double volume = 0;
  double limits = 0;
  double sum() const { return shape + volume + limits; }
};

// Σ_c w_c P_c for a tet with this F.
Mat3 project_tet(const Mat3& F, const ProjectionWeights& weights, const StretchLimits& limits);

// The rotation, the matrix with determinant 1 and the one with allowed stretches that are closest to F.
Mat3 project_to_volume(const Mat3& F);
Mat3 project_to_limits(const Mat3& F, const StretchLimits& limits);

// ½ Σ_c w_c |F − P_c|², for tests and reports.
double compute_projection_energy(const Mat3& F, const ProjectionWeights& weights,
                                 const StretchLimits& limits);

class TetProjector {
 public:
  TetProjector() = default;

  // tets: those of the elements that are projected, each with weights; points: that the elements' nodes
  // count.
  TetProjector(const Elements& elements, const std::vector<Index>& tets,
               const std::vector<ProjectionWeights>& weights, const StretchLimits& limits, Index first_point,
               Index point_count);

  // b = Σ_e Gᵀ Σ_c w_c P_c at the points x (both three numbers a point).
  void project(const VecX& x, VecX& b);

  size_t tet_count() const { return count_; }
  // Of the last projection: tets that were projected by themselves.
  size_t single_count() const;

 private:
  size_t count_ = 0;
  StretchLimits limits_;
  std::vector<Index> corners_;            // by block: four times eight points
  std::vector<double> gradients_;         // by block: nine times eight numbers, ∇w of corners 1 to 3
  std::vector<double> weights_;           // by block: three times eight
  std::vector<double> pulls_;             // by tet and corner: three numbers
  std::vector<std::uint8_t> singles_;     // by block: a bit for each tet
  std::vector<Index> offsets_, sources_;  // by point: the corners that it is
};

}  // namespace marrow
