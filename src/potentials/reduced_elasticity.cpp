#include "potentials/reduced_elasticity.h"

#include <algorithm>

#include "exec/parallel.h"

namespace marrow {
namespace {

// x = W n for the points of the tets.
void compute_volume_points(const ReducedElements& reduced, const VecX& n, VecX& x) {
  const Index first = 3 * reduced.first_node;
  const ScalarMatrix& W = reduced.W;
  x.resize(3 * W.rows());
  exec::parallel_for(
      "reduced.points", static_cast<size_t>(W.rows()),
      [&](size_t i) {
        Vec3 sum = Vec3::Zero();
        for (Index k = W.offsets[i]; k < W.offsets[i + 1]; ++k) {
          sum += W.values[k] * n.segment<3>(first + 3 * W.indices[k]);
        }
        x.segment<3>(3 * static_cast<Index>(i)) = sum;
      },
      512);
}

}  // namespace

double compute_elastic_energy(const ReducedElements& reduced, const std::vector<Material>& materials,
                              const VecX& n) {
  VecX x;
  compute_volume_points(reduced, n, x);
  return compute_elastic_energy(reduced.fine, materials, x);
}

ReducedElasticity::ReducedElasticity(const ReducedElements& reduced, const std::vector<Material>& materials,
                                     Index node_count, const HessianPatience& patience)
    : reduced_(reduced),
      patience_(patience),
      fine_(std::make_unique<Elasticity>(reduced.fine, materials, reduced.W.rows())),
      pull_back_(reduced.W, reduced.handle_nodes, reduced.fine.offsets, reduced.fine.nodes) {
  build_stencils(node_count);
}

// Value, gradient and Hessian are asked for at the same place.
const VecX& ReducedElasticity::compute_fine(const VecX& n) const {
  if (last_n_.size() == n.size() && last_n_ == n) return last_x_;
  compute_volume_points(reduced_, n, last_x_);
  last_n_ = n;
  return last_x_;
}

// One stencil for each two handles that share a tet: the nodes of the one, then of the other, which couple
// with those of the one only.
void ReducedElasticity::build_stencils(Index node_count) {
  const Index width = reduced_.handle_nodes;
  std::vector<Index> offsets = {0}, nodes, splits;
  const auto add_nodes = [&](Index handle) {
    for (Index k = 0; k < width; ++k) nodes.push_back(reduced_.first_node + width * handle + k);
  };
  for (Index j = 0; j < pull_back_.group_count(); ++j) {
    first_stencils_.push_back(offsets.size() - 1);
    for (const Index i : pull_back_.partners_of(j)) {
      add_nodes(i);
      if (i != j) add_nodes(j);
      offsets.push_back(static_cast<Index>(nodes.size()));
      splits.push_back(i == j ? 0 : width);
    }
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count, std::move(splits));
}

double ReducedElasticity::compute_value(const VecX& n) const { return fine_->compute_value(compute_fine(n)); }

// How much can be rounding need not be known well: once a step is enough.
double ReducedElasticity::compute_magnitude(const VecX& n) const {
  if (patience_.change == 0 || kept_magnitude_ < 0)
    kept_magnitude_ = fine_->compute_magnitude(compute_fine(n));
  return kept_magnitude_;
}

void ReducedElasticity::add_gradient(const VecX& n, double weight, VecX& g) {
  const VecX& x = compute_fine(n);
  VecX fine = VecX::Zero(x.size());
  fine_->add_gradient(x, weight, fine);
  const auto width = static_cast<size_t>(reduced_.handle_nodes);
  exec::parallel_for(
      "reduced.gradient", static_cast<size_t>(pull_back_.group_count()),
      [&](size_t j) {
        std::array<Vec3, 12> sums;
        pull_back_.pull_vector(static_cast<Index>(j), fine, std::span(sums).first(width));
        for (size_t a = 0; a < width; ++a) {
          g.segment<3>(3 * (reduced_.first_node + static_cast<Index>(j * width + a))) += sums[a];
        }
      },
      1);
}

// The blocks of one handle and its partners.
void ReducedElasticity::write_handle(Index j) {
  const auto width = static_cast<size_t>(reduced_.handle_nodes);
  pull_back_.run(j, [&](size_t s, std::span<const Mat3> H) {
    const std::span<Mat3> blocks = group_.blocks_of(first_stencils_[static_cast<size_t>(j)] + s);
    const bool is_own = pull_back_.partners_of(j)[s] == j;
    size_t at = 0;
    for (size_t a = 0; a < width; ++a) {
      for (size_t b = is_own ? a : 0; b < width; ++b) blocks[at++] = H[a * width + b];
    }
  });
}

// Whether no tet's F has changed too much since the Hessian was made.
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
  if (is_kept(x, weight)) return &group_;
  const StencilGroup* fine = fine_->update_hessian(x, weight);
  assembler_.assemble(std::span(&fine, 1), reduced_.W.rows(), K_);
  pull_back_.set_matrix(K_);
  exec::parallel_for(
      "reduced.hessian", static_cast<size_t>(pull_back_.group_count()),
      [&](size_t j) { write_handle(static_cast<Index>(j)); }, 1);
  kept_x_ = x;
  kept_weight_ = weight;
  return &group_;
}

StepLimit ReducedElasticity::compute_step_limit(const NodePath& path) const {
  NodePath fine;
  fine.start = compute_fine(path.start);
  compute_volume_points(reduced_, path.direction, fine.direction);
  return fine_->compute_step_limit(fine);
}

}  // namespace marrow
