// Pressure inside a closed surface always pushes along the normal: E = −p(t) (V − V₀).
//
//   V = 1/6 Σ_triangles (x₀ − o)·((x₁ − o) × (x₂ − o))
//
// V of a closed surface does not depend on the origin o, so neither do its derivatives; each triangle's share
// does. We take the mean of the triangles' corners, where the shares are small, and project the Hessian of
// each to be positive semi-definite, in the frame of its stretches. The sum is then an upper bound of the
// true Hessian: Newton converges, but only linearly near the solution if p is large.
#pragma once

#include "kinematics/body.h"
#include "math/expression.h"
#include "potentials/potential.h"
#include "potentials/reduction/pulled_stencils.h"

namespace marrow {

struct PressureLoad {
  Index body = 0;
  Expression value;  // [Pa]; positive blows the body up
};

class Pressure final : public Potential {
 public:
  // The triangles of the body must be a closed surface, outward. kinematics must outlive this.
  Pressure(const Kinematics& kinematics, PressureLoad load);

  // Sets the pressure to that of time t; initially it is that of time 0.
  void set_time(double t) { value_ = load_.value.evaluate(t); }

  const char* name() const override { return "pressure"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  using Corners = std::array<Vec3, 3>;

  // The triangles' corners, seen from the surface's origin.
  std::vector<Corners> compute_corners(const VecX& n) const;

  const Body& body_;
  PressureLoad load_;
  double value_;     // at the present time [Pa]
  double rest_ = 0;  // volume at rest [m³]
  StencilGroup faces_;
  PulledStencils pulled_;
};

}  // namespace marrow
