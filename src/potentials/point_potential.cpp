#include "potentials/point_potential.h"

#include <algorithm>
#include <cmath>

#include "math/psd.h"

namespace marrow {

PointPotential::PointPotential(const Kinematics& kinematics, std::vector<std::vector<Index>> elements,
                               Evaluate evaluate)
    : map_(kinematics), elements_(std::move(elements)), evaluate_(std::move(evaluate)) {
  std::vector<Index> offsets = {0}, nodes;
  for (const std::vector<Index>& points : elements_) {
    std::vector<Index> own;
    map_.append_nodes(points, own);
    MatX weights = MatX::Zero(static_cast<Index>(own.size()), static_cast<Index>(points.size()));
    for (size_t p = 0; p < points.size(); ++p) {
      const auto followed = map_.nodes_of(points[p]);
      const auto by = map_.weights_of(points[p]);
      for (size_t k = 0; k < followed.size(); ++k) {
        const auto at = std::find(own.begin(), own.end(), followed[k]) - own.begin();
        weights(at, static_cast<Index>(p)) += by[k];
      }
    }
    weights_.push_back(std::move(weights));
    nodes.insert(nodes.end(), own.begin(), own.end());
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), kinematics.node_count);
}

Points PointPotential::place(size_t element, const VecX& n) const {
  const std::span<const Index> nodes = group_.nodes_of(element);
  const MatX& weights = weights_[element];
  Points x(static_cast<size_t>(weights.cols()), Vec3::Zero());
  for (Index p = 0; p < weights.cols(); ++p) {
    for (Index a = 0; a < weights.rows(); ++a)
      x[p] += weights(a, p) * n.segment<3>(3 * nodes[static_cast<size_t>(a)]);
  }
  return x;
}

double PointPotential::evaluate(size_t element, const VecX& n) const {
  MatX none(0, 0);
  return evaluate_(element, place(element, n), {}, none);
}

double PointPotential::compute_value(const VecX& n) const {
  double sum = 0;
  for (size_t e = 0; e < elements_.size(); ++e) sum += evaluate(e, n);
  return sum;
}

double PointPotential::compute_magnitude(const VecX& n) const {
  double sum = 0;
  for (size_t e = 0; e < elements_.size(); ++e) sum += std::abs(evaluate(e, n));
  return std::isfinite(sum) ? sum : 0;
}

void PointPotential::add_gradient(const VecX& n, double weight, VecX& g) {
  MatX none(0, 0);
  for (size_t e = 0; e < elements_.size(); ++e) {
    Points gradient(elements_[e].size(), Vec3::Zero());
    evaluate_(e, place(e, n), gradient, none);
    const std::span<const Index> nodes = group_.nodes_of(e);
    for (size_t a = 0; a < nodes.size(); ++a) {
      for (size_t p = 0; p < gradient.size(); ++p) {
        g.segment<3>(3 * nodes[a]) +=
            weight * weights_[e](static_cast<Index>(a), static_cast<Index>(p)) * gradient[p];
      }
    }
  }
}

// Blocks of the nodes: Σ_pq w_ap w_bq H_pq.
const StencilGroup* PointPotential::update_hessian(const VecX& n, double weight) {
  for (size_t e = 0; e < elements_.size(); ++e) {
    const auto count = static_cast<Index>(elements_[e].size());
    Points gradient(elements_[e].size(), Vec3::Zero());
    MatX hessian = MatX::Zero(3 * count, 3 * count);
    evaluate_(e, place(e, n), gradient, hessian);
    hessian = project_psd(MatX(0.5 * (hessian + hessian.transpose())));
    const std::span<Mat3> blocks = group_.blocks_of(e);
    const auto first = group_.blocks_of(e).data() - group_.blocks.data();
    group_.for_each_block(e, [&](size_t a, size_t b, size_t k) {
      Mat3 sum = Mat3::Zero();
      for (Index p = 0; p < count; ++p) {
        for (Index q = 0; q < count; ++q) {
          const double w = weights_[e](static_cast<Index>(a), p) * weights_[e](static_cast<Index>(b), q);
          if (w != 0) sum += w * hessian.block<3, 3>(3 * p, 3 * q);
        }
      }
      blocks[k - static_cast<size_t>(first)] = weight * sum;
    });
  }
  return &group_;
}

}  // namespace marrow
