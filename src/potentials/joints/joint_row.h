// A row is one relation of a joint, as an energy of its violation c with a multiplier λ (a force) and a
// stiffness k:
//
//   held, vanishing   λ c + k c²/2                                c = q − target, or the vector itself
//   limits            (max(0, λ + k c)² − λ²) / 2k                c = q − max, or min − q
//   motors            as held, or ±F c once that takes more than F, its largest force; c = q − target
//   springs           K (q − rest)²/2 + D (q − q₀)²/2h            no multiplier; q₀ at the start of the step
//
// All are convex in c; their slope f is the force, and λ ← f between solves (docs/models/joints.md). Motors
// change between holding and pushing with F between solves too: a force that jumps at c = 0 would stall
// Newton.
#pragma once

#include "potentials/joints/joint_function.h"

namespace marrow {

enum class RowRole { Vanish, Hold, Maximum, Minimum, Drive, Spring };

struct JointRow {
  size_t joint = 0;
  RowRole role = RowRole::Vanish;
  CoordinateKind kind = CoordinateKind::Length;  // except for Vanish
  VectorStencil stencil;
  double unit = 1;        // that 1 of c counts as [m]
  Index multiplier = 0;   // index of its λ in the list: three numbers for Vanish, else one
  double target = 0;      // of q; of springs the rest value
  double stiffness = 0;   // k [N/m, of angles N m]; 0: it does nothing
  double largest = 0;     // of motors: F
  int push = 0;           // of motors: ±1 while it pushes with ±F, 0 while it holds
  double spring = 0;      // K
  double resistance = 0;  // D/h
  double near = 0;        // q₀
  bool is_broken = false;

  bool is_active() const { return !is_broken && (stiffness > 0 || role == RowRole::Spring); }
  Index size() const { return role == RowRole::Vanish ? 3 : 1; }
};

// The relations of a joint. multiplier: the first free place in the list; it is advanced.
std::vector<JointRow> build_joint_rows(const Joint& joint, size_t number, Index& multiplier);

// A row at a configuration: q or the vanishing vector, its energy, its force and the curvature of the energy
// by c.
struct RowState {
  JointFunction function;  // of q; for Vanish empty
  StackedVec z;
  double energy = 0;
  double slope = 0;      // ∂E/∂q
  double curvature = 0;  // ∂²E/∂q²
  StackedVec force;      // ∂E/∂z
};

RowState compute_row(const JointRow& row, const VecX& multipliers, const VecX& n);

// ∂²E/∂z², projected to be positive semi-definite.
StackedMat compute_row_hessian(const JointRow& row, const RowState& state);

// A number that a row holds, and its change with the nodes: Σ slope · velocity must equal the rate [1/s].
struct HeldRate {
  const std::vector<Index>* nodes = nullptr;
  std::vector<Vec3> slopes;
  double rate = 0;
  bool is_limit = false;  // may be less

  // The rate at which it changes with these velocities.
  double compute_rate(const VecX& v) const {
    double sum = 0;
    for (size_t k = 0; k < slopes.size(); ++k) sum += slopes[k].dot(v.segment<3>(3 * (*nodes)[k]));
    return sum;
  }
};

// Appends the numbers that the row holds at n; none if it does not act, such as a limit that is not reached.
// h: length of the step that led there.
void append_held_rates(const JointRow& row, const VecX& multipliers, const VecX& n, double h,
                       std::vector<HeldRate>& rates);

// Before the first solve of a step: a motor that ended the last one at its largest force continues with it.
void start_motor(const VecX& multipliers, JointRow& row);

// λ for the next solve: the force found in this one. True if a motor has changed between holding and pushing.
bool update_multiplier(const RowState& state, JointRow& row, VecX& multipliers);

// The change of λ over k, in metres: the distance of the row from holding.
double compute_row_residual(const JointRow& row, const RowState& state, const VecX& multipliers);

}  // namespace marrow
