// Point potentials are energies that callers define over points of bodies: E = Σ_e e(x_e), x = W n. Their
// forces on points act on the nodes that these follow.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kinematics/node_map.h"
#include "potentials/potential.h"

namespace marrow {

class PointPotential final : public Potential {
 public:
  // The energy of an element at x. gradient: one vector per point, or empty if not wanted; hessian: over the
  // coordinates of the points, or of size 0. Both are zero when given.
  using Evaluate = std::function<double(size_t element, std::span<const Vec3> x, std::span<Vec3> gradient,
                                        Eigen::Ref<MatX> hessian)>;

  // elements: the points of each, by their number among all.
  PointPotential(const Kinematics& kinematics, std::vector<std::vector<Index>> elements, Evaluate evaluate);

  const char* name() const override { return "point_potential"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  Points place(size_t element, const VecX& n) const;
  double evaluate(size_t element, const VecX& n) const;

  NodeMap map_;
  std::vector<std::vector<Index>> elements_;
  std::vector<MatX> weights_;  // of each element: nodes of its stencil × its points
  Evaluate evaluate_;
  StencilGroup group_;
};

}  // namespace marrow
