// The force balance of every body: the part of Newton's stopping rule that bounds the error of a step
// (docs/decisions/0020-force-balance.md).
//
// A point n with gradient g is the exact minimiser of the same step with the extra forces −g/s. Summed over a
// body, elastic forces and contacts of the body with itself cancel, whatever their stiffness:
//
//   R = |Σ g_i|,   T = |Σ (n_i − c) × g_i|
//
// so its acceleration is off by R/(m s) and its turning by T/(m ρ s), ρ the radius of gyration. Both are
// compared with the body's own acceleration a in this step: that of gravity and loads, or, if there are none,
// the acceleration that it has. In units of m a s:
//
//   balanced   R ≤ η m a s  and  T ≤ η ρ m a s
//   settled    Σ |g_i|²/m_i ≤ η² m (a s)²           nothing is left inside the body either, since H ⪰ M
//
// If rounding leaves a larger gradient than that, rounding decides: 4 ε |x| Σ H_ii.
#pragma once

#include <array>
#include <vector>

#include "linalg/block_matrix.h"

namespace marrow {

struct BalancedBody {
  Index first_node = 0;
  Index node_count = 0;
  double mass = 0;                     // of its free nodes [kg]
  double impulse = 0;                  // m a s of gravity and loads [kg m]; 0: that of its own motion
  bool is_rigid = false;               // no unknowns but its motion as a whole
  bool has_node_masses = false;        // its mass matrix is diagonal
  std::array<bool, 6> is_locked = {};  // locked motion along and rotation about x, y, z
};

// The distance from balance, in units of what is allowed.
struct Imbalance {
  double body = 0;   // the worst body as a whole: balanced at 1 or less
  double inner = 0;  // the worst body with its inside: settled at 1 or less
  bool is_balanced() const { return body <= 1; }
  bool is_settled() const { return inner <= 1; }
};

class Balance {
 public:
  Balance() = default;

  // tolerance: η; prediction: ñ; masses: of the nodes; least_motion: the smallest motion that is assumed for
  // a body without loads [m].
  Balance(std::vector<BalancedBody> bodies, double tolerance, VecX prediction, std::vector<double> masses,
          double least_motion);

  // Without inertia, what is left inside a body is unknown: no body is ever settled, and no promise is
  // computed.
  void set_static() { is_static_ = true; }

  // Computes what rounding leaves of gradients near n, with this Hessian over the nodes.
  void update_floor(const VecX& n, const BlockMatrix& hessian);

  // g: the gradient at n, 0 at fixed nodes.
  Imbalance assess(const VecX& n, const VecX& g) const;

  // The largest |Σ g_i·Δn_i| of a body over its m (a s)²: the decrease that a step promises, relative to the
  // energy of the body's motion in the step.
  double compute_promise(const VecX& n, const VecX& g, const VecX& step) const;

  // The largest distance that gravity and loads alone move a body in this part [m].
  double find_largest_motion() const;

  // The largest change that the imbalance makes in the velocity of a body [m/s]. rate: velocity per
  // displacement [1/s].
  double compute_velocity_error(const VecX& g, double rate) const;

 private:
  double find_impulse(const BalancedBody& body, const VecX& n) const;

  std::vector<BalancedBody> bodies_;
  double tolerance_ = 0;
  std::vector<double> floors_;  // by body [kg m]
  VecX prediction_;
  std::vector<double> masses_;
  double least_motion_ = 0;
  bool is_static_ = false;
};

}  // namespace marrow
