// Pressure inside closed surfaces, which always pushes along the normal: E = −p(t) (V − V₀).
//
//   V = 1/6 Σ_triangles (x₀ − o)·((x₁ − o) × (x₂ − o))
//
// V of a closed surface does not depend on the origin o, so neither do its derivatives; each triangle's share
// does. We take the mean of the surface's points, where the shares are small, and project the Hessian of each
// (blocks ∓p/6 [x − o]×) to be positive semi-definite. The sum is then an upper bound of the true Hessian:
// Newton converges, near the solution linearly where p is large.
#pragma once

#include "kinematics/body.h"
#include "math/expression.h"
#include "potentials/potential.h"

namespace marrow {

struct PressureLoad {
  Index body = 0;
  Expression value;  // [Pa]; positive blows the body up
};

class Pressure final : public Potential {
 public:
  // The triangles of the bodies must be closed surfaces, outward. kinematics must outlive this.
  Pressure(const Kinematics& kinematics, std::vector<PressureLoad> loads);

  // The pressures are those of time t from now on; at first those of time 0.
  void set_time(double t);

  const char* name() const override { return "pressure"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  // A triangle of a surface; its corners are weighted sums of the nodes of its stencil.
  struct Face {
    size_t load;
    Triangle points;  // of the body
  };

  std::vector<Vec3> compute_origins(const VecX& n) const;
  std::array<Vec3, 3> gather_corners(const Face& face, const VecX& n, const Vec3& origin) const;
  Vec3 compute_point(Index body, Index point, const VecX& n) const;
  std::vector<Vec3> gather_weights(const Face& face, std::span<const Index> nodes) const;

  const Kinematics& kinematics_;
  std::vector<PressureLoad> loads_;
  std::vector<Face> faces_;
  std::vector<double> values_;  // by load, at the present time [Pa]
  std::vector<double> rest_;    // volumes at rest, by load [m³]
  StencilGroup group_;
};

}  // namespace marrow
