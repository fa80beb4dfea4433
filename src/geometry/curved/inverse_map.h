// Where a point is in a curved tet: the place ξ of the closed tet with the least |X(ξ) − y|.
//
// From a place, y's nearest point in the tet that the tangent map makes of the reference tet is the next one
// (inside, that is Newton's step), halved until the distance falls. Several starts, as the map bends.
//
// Whether y lies in the tet is certified (Kantorovich): with
//
//   r = |J₀⁻¹ (X(ξ₀) − y)|,   L ≥ |J₀⁻¹ D²X| on the ball of 2r around ξ₀       (greatest coordinate)
//
// L r ≤ 1/2 says that there is one root within 2r of ξ₀. D²X lies within its Bernstein coefficients, also
// beside the tet: there their weights sum to (Σ|λ|)^(p − 2).
#pragma once

#include <span>

#include "geometry/curved/bernstein.h"
#include "geometry/curved/lagrange.h"

namespace marrow {

class InverseMap {
 public:
  explicit InverseMap(int order);

  struct Place {
    Vec4 lambda = Vec4::Zero();  // of the closed tet
    Vec3 point = Vec3::Zero();   // X there
    Mat3 jacobian = Mat3::Zero();
    double distance = 0;     // |X − y|
    bool is_inside = false;  // certain: y is in the closed tet, to rounding
  };
  // nodes: one per shape function.
  Place find(std::span<const Vec3> nodes, const Vec3& y) const;

  const LagrangeBasis& basis() const { return basis_; }

 private:
  Place look_at(std::span<const Vec3> nodes, const Vec3& y, const Vec4& lambda) const;
  Place descend(std::span<const Vec3> nodes, const Vec3& y, const Vec4& start) const;
  bool has_root_here(std::span<const Vec3> nodes, const Vec3& y, const Place& place) const;

  // p (p − 1) (c_{b+e+f} − c_{b+e+0} − c_{b+f+0} + c_{b+0+0}): a coefficient of ∂²X/∂ξ_e ∂ξ_f.
  struct SecondDifference {
    int e, f;  // 0 to 2
    std::array<int, 4> plus_minus_minus_plus;
  };

  LagrangeBasis basis_;
  MatX control_;
  std::vector<SecondDifference> bends_;
  std::vector<Vec4> starts_;
  std::vector<VecX> start_weights_;
};

}  // namespace marrow
