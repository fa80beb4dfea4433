#include "potentials/elastic/reduced_elasticity.h"

#include <algorithm>

#include "exec/parallel.h"

namespace marrow {

double compute_elastic_energy(const ReducedElements& reduced, const std::vector<Material>& materials,
                              const VecX& n) {
  VecX x;
  compute_weighted_points(reduced.W, reduced.first_node, n, x);
  return compute_elastic_energy(reduced.fine, materials, x);
}

ReducedElasticity::ReducedElasticity(const ReducedElements& reduced, const std::vector<Material>& materials,
                                     Index node_count, const HessianPatience& patience)
    : reduced_(reduced),
      patience_(patience),
      fine_(std::make_unique<Elasticity>(reduced.fine, materials, reduced.W.rows())),
      pulled_(reduced.W, {reduced.first_node, reduced.handle_nodes, node_count}, reduced.fine.offsets,
              reduced.fine.nodes) {}

// The last result is kept, because value, gradient and Hessian are needed at the same n.
const VecX& ReducedElasticity::compute_fine(const VecX& n) const {
  if (last_n_.size() == n.size() && last_n_ == n) return last_x_;
  compute_weighted_points(reduced_.W, reduced_.first_node, n, last_x_);
  last_n_ = n;
  return last_x_;
}

double ReducedElasticity::compute_value(const VecX& n) const { return fine_->compute_value(compute_fine(n)); }

// The bound on rounding need not be accurate, so it is computed once per step.
double ReducedElasticity::compute_magnitude(const VecX& n) const {
  if (patience_.change == 0 || kept_magnitude_ < 0)
    kept_magnitude_ = fine_->compute_magnitude(compute_fine(n));
  return kept_magnitude_;
}

void ReducedElasticity::add_gradient(const VecX& n, double weight, VecX& g) {
  const VecX& x = compute_fine(n);
  VecX fine = VecX::Zero(x.size());
  fine_->add_gradient(x, weight, fine);
  pulled_.add_gradient(fine, g);
}

// True if no tet's F has changed too much since the Hessian was computed.
bool ReducedElasticity::is_kept(const VecX& x, double weight) const {
  if (patience_.change == 0 || kept_weight_ != weight || weight == 0) return false;
  const VecX change = x - kept_x_;
  const Elements& fine = reduced_.fine;
  return exec::parallel_max("reduced.change", fine.count(), 0.0, [&](size_t e) {
           return compute_deformation_gradient(fine, e, change).lpNorm<Eigen::Infinity>();
         }) <= patience_.change / std::sqrt(std::max(1.0, weight * patience_.stiffness));
}

const StencilGroup* ReducedElasticity::update_hessian(const VecX& n, double weight) {
  const VecX& x = compute_fine(n);
  if (is_kept(x, weight)) return &pulled_.group();
  pulled_.update(*fine_->update_hessian(x, weight));
  kept_x_ = x;
  kept_weight_ = weight;
  return &pulled_.group();
}

StepLimit ReducedElasticity::compute_step_limit(const NodePath& path) const {
  NodePath fine;
  fine.start = compute_fine(path.start);
  compute_weighted_points(reduced_.W, reduced_.first_node, path.direction, fine.direction);
  return fine_->compute_step_limit(fine);
}

}  // namespace marrow
