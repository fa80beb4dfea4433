#include "potentials/grab_springs.h"

#include <cmath>

namespace marrow {

void GrabSprings::set(std::vector<Grab> grabs) {
  grabs_ = std::move(grabs);
  springs_.assign(grabs_.size(), {});
  std::vector<Index> offsets = {0}, nodes;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const Grab& grab = grabs_[i];
    springs_[i] = {grab.target, grab.most_force / grab.stiffness};
    nodes.insert(nodes.end(), grab.point.nodes.begin(), grab.point.nodes.end());
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count_);
}

void GrabSprings::start_step(const VecX& n, double h, bool is_damped) {
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const Grab& grab = grabs_[i];
    const double drag = is_damped ? grab.damping / h : 0, sum = grab.stiffness + drag;
    const Vec3 centre = (grab.stiffness * grab.target + drag * grab.point.at(n)) / sum;
    springs_[i] = {centre, grab.most_force / sum};
  }
}

std::vector<GrabSprings::Pull> GrabSprings::compute_pulls(const VecX& n) const {
  std::vector<Pull> pulls;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const Grab& grab = grabs_[i];
    const Vec3 x = grab.point.at(n), arm = x - springs_[i].centre;
    const Vec3 force = -grab.most_force / std::hypot(springs_[i].reach, arm.norm()) * arm;
    pulls.push_back({x, grab.target, force, grab.most_force});
  }
  return pulls;
}

std::vector<GrabSprings::Row> GrabSprings::list_rows() const {
  std::vector<Row> rows;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const Spring& spring = springs_[i];
    rows.push_back({&grabs_[i].point, grabs_[i].most_force / spring.reach, spring.centre, spring.reach});
  }
  return rows;
}

double GrabSprings::compute_value(const VecX& n) const {
  double sum = 0;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    // √(D² + d²) − D without cancellation
    const double d2 = (grabs_[i].point.at(n) - springs_[i].centre).squaredNorm(), reach = springs_[i].reach;
    sum += grabs_[i].most_force * d2 / (std::sqrt(reach * reach + d2) + reach);
  }
  return sum;
}

// x and q cancel in the arm: its rounding is that of the larger.
double GrabSprings::compute_magnitude(const VecX& n) const {
  double sum = 0;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const Vec3 x = grabs_[i].point.at(n);
    const double d = (x - springs_[i].centre).norm();
    sum +=
        grabs_[i].most_force * d / std::hypot(springs_[i].reach, d) * (x.norm() + springs_[i].centre.norm());
  }
  return sum;
}

void GrabSprings::add_gradient(const VecX& n, double weight, VecX& g) {
  const std::vector<Pull> pulls = compute_pulls(n);
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const WeightedPoint& point = grabs_[i].point;
    for (size_t k = 0; k < point.nodes.size(); ++k) {
      g.segment<3>(3 * point.nodes[k]) -= weight * point.weights[k] * pulls[i].force;
    }
  }
}

// w_a w_b F/s (1 − r rᵀ/s²) with r = x − q, s² = D² + |r|²: positive definite.
const StencilGroup* GrabSprings::update_hessian(const VecX& n, double weight) {
  if (grabs_.empty()) return nullptr;
  for (size_t i = 0; i < grabs_.size(); ++i) {
    const WeightedPoint& point = grabs_[i].point;
    const Vec3 arm = point.at(n) - springs_[i].centre;
    const double s = std::hypot(springs_[i].reach, arm.norm());
    const Mat3 block =
        weight * grabs_[i].most_force / s * (Mat3::Identity() - arm / s * (arm / s).transpose());
    group_.for_each_block(i, [&](size_t a, size_t b, size_t k) {
      group_.blocks[k] = point.weights[a] * point.weights[b] * block;
    });
  }
  return &group_;
}

}  // namespace marrow
