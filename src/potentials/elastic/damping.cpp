#include "potentials/elastic/damping.h"

#include "exec/parallel.h"

namespace marrow {
namespace {

Vec3 compute_move(Index node, const VecX& n, const VecX& start) {
  return n.segment<3>(3 * node) - start.segment<3>(3 * node);
}

// Visits the blocks of both triangles of a stencil's symmetric matrix, as visit(a, b, block) with row a,
// column b. The list of blocks has the layout of the group.
template <class Visit>
void for_each_entry(const StencilGroup& group, size_t stencil, const std::vector<Mat3>& blocks,
                    const Visit& visit) {
  group.for_each_block(stencil, [&](size_t a, size_t b, size_t k) {
    visit(a, b, blocks[k]);
    if (a != b) visit(b, a, Mat3(blocks[k].transpose()));
  });
}

}  // namespace

Damping::Damping(Potential& source, std::vector<double> times, Index node_count)
    : source_(source), times_(std::move(times)), node_count_(node_count) {}

void Damping::take_stencils(const StencilGroup& group) {
  std::vector<Index> offsets = {0}, nodes, splits;
  for (size_t e = 0; e < times_.size(); ++e) {
    if (times_[e] <= 0) continue;
    const std::span<const Index> own = group.nodes_of(e);
    nodes.insert(nodes.end(), own.begin(), own.end());
    offsets.push_back(static_cast<Index>(nodes.size()));
    splits.push_back(group.split_of(e));
    stencils_.push_back(e);
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count_, std::move(splits));
  stiffness_.resize(group_.blocks.size());
}

void Damping::set_start(const VecX& n, double h) {
  start_ = n;
  const StencilGroup& source = *source_.update_hessian(n, 1);
  if (stencils_.empty()) take_stencils(source);
  exec::parallel_for("damping.start", stencils_.size(), [&](size_t i) {
    const std::span<const Mat3> from = source.blocks_of(stencils_[i]);
    const std::span<Mat3> to = group_.blocks_of(i);
    for (size_t k = 0; k < to.size(); ++k) to[k] = (times_[stencils_[i]] / h) * from[k];
  });
  stiffness_ = group_.blocks;
  hessian_weight_ = 1;
}

double Damping::compute_value(const VecX& n) const {
  return exec::parallel_sum("damping.value", stencils_.size(), [&](size_t i) {
    const std::span<const Index> nodes = group_.nodes_of(i);
    double sum = 0;
    for_each_entry(group_, i, stiffness_, [&](size_t a, size_t b, const Mat3& K) {
      sum += compute_move(nodes[a], n, start_).dot(K * compute_move(nodes[b], n, start_));
    });
    return 0.5 * sum;
  });
}

double Damping::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("damping.magnitude", stencils_.size(), [&](size_t i) {
    const std::span<const Index> nodes = group_.nodes_of(i);
    double sum = 0;
    for_each_entry(group_, i, stiffness_, [&](size_t a, size_t b, const Mat3& K) {
      sum += K.norm() * compute_move(nodes[a], n, start_).norm() * compute_move(nodes[b], n, start_).norm();
    });
    return sum;
  });
}

void Damping::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("damping.gradient", stencils_.size(), [&](size_t i) {
    const std::span<const Index> nodes = group_.nodes_of(i);
    const std::span<Vec3> local = group_.gradient_of(i);
    for (Vec3& v : local) v.setZero();
    for_each_entry(group_, i, stiffness_, [&](size_t a, size_t b, const Mat3& K) {
      local[a] += weight * (K * compute_move(nodes[b], n, start_));
    });
  });
  group_.add_gradient(g);
}

const StencilGroup* Damping::update_hessian(const VecX& /*n*/, double weight) {
  if (weight == hessian_weight_) return &group_;
  exec::parallel_for("damping.hessian", stiffness_.size(),
                     [&](size_t k) { group_.blocks[k] = weight * stiffness_[k]; });
  hessian_weight_ = weight;
  return &group_;
}

}  // namespace marrow
