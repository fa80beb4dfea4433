// Every potential fulfils this contract: an energy of the node positions with its derivatives.
//
// tests/potentials/potential_battery.h checks any implementation: derivatives, PSD, symmetry, invariances.
#pragma once

#include "contact/step_limit.h"
#include "core/types.h"
#include "kinematics/node_path.h"
#include "linalg/assembly.h"

namespace marrow {

class Potential {
 public:
  virtual ~Potential() = default;

  virtual const char* name() const = 0;

  // E(n), or +∞ where the potential is not defined (an inverted element).
  virtual double compute_value(const VecX& n) const = 0;

  // The size of the numbers that cancel in compute_value: differences below about 1e-16 of it are rounding.
  virtual double compute_magnitude(const VecX& n) const = 0;

  // g += weight · ∂E/∂n.
  virtual void add_gradient(const VecX& n, double weight, VecX& g) = 0;

  // weight · ∂²E/∂n², each element's share projected to be positive semi-definite; null if there is none.
  virtual const StencilGroup* update_hessian(const VecX& n, double weight) = 0;

  // Like update_hessian, without the projection (may be indefinite). Default: projected.
  virtual const StencilGroup* update_exact_hessian(const VecX& n, double weight) {
    return update_hessian(n, weight);
  }

  // True if its stencils may hold a few nodes far more stiffly than elements do, as contacts and joints.
  virtual bool is_stiff() const { return false; }

  // The step limit: how far the nodes may move along the path before E stops being defined.
  virtual StepLimit compute_step_limit(const NodePath& /*path*/) const { return {}; }
};

}  // namespace marrow
