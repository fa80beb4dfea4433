#include "potentials/reduction/pulled_stencils.h"

#include <array>

#include "exec/parallel.h"

namespace marrow {

void compute_weighted_points(const ScalarMatrix& W, Index first_node, const VecX& n, VecX& x) {
  x.resize(3 * W.rows());
  exec::parallel_for(
      "reduced.points", static_cast<size_t>(W.rows()),
      [&](size_t i) {
        Vec3 sum = Vec3::Zero();
        for (Index k = W.offsets[i]; k < W.offsets[i + 1]; ++k) {
          sum += W.values[k] * n.segment<3>(3 * (first_node + W.indices[k]));
        }
        x.segment<3>(3 * static_cast<Index>(i)) = sum;
      },
      512);
}

PulledStencils::PulledStencils(const ScalarMatrix& W, const Nodes& nodes, std::span<const Index> offsets,
                               std::span<const Index> points)
    : nodes_(nodes), pull_back_(W, nodes.groups, offsets, points), point_count_(W.rows()) {
  build_stencils();
}

// A stencil has the nodes of one group, or of two; of two groups it has only the blocks that couple them.
void PulledStencils::build_stencils() {
  std::vector<Index> offsets = {0}, nodes, splits;
  const auto add_nodes = [&](Index group) {
    for (Index k = 0; k < pull_back_.node_count(group); ++k)
      nodes.push_back(nodes_.first + pull_back_.first_node(group) + k);
  };
  for (Index j = 0; j < pull_back_.group_count(); ++j) {
    first_stencils_.push_back(offsets.size() - 1);
    for (const Index i : pull_back_.partners_of(j)) {
      add_nodes(i);
      if (i != j) add_nodes(j);
      offsets.push_back(static_cast<Index>(nodes.size()));
      splits.push_back(i == j ? 0 : pull_back_.node_count(i));
    }
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), nodes_.count, std::move(splits));
}

void PulledStencils::add_gradient(const VecX& f, VecX& g) const {
  exec::parallel_for(
      "reduced.gradient", static_cast<size_t>(pull_back_.group_count()),
      [&](size_t group) {
        const auto j = static_cast<Index>(group);
        const auto width = static_cast<size_t>(pull_back_.node_count(j));
        const Index first = nodes_.first + pull_back_.first_node(j);
        std::array<Vec3, 12> sums;
        pull_back_.pull_vector(j, f, std::span(sums).first(width));
        for (size_t a = 0; a < width; ++a) g.segment<3>(3 * (first + static_cast<Index>(a))) += sums[a];
      },
      1);
}

// The blocks of one group and its partners.
void PulledStencils::write_group(Index j) {
  const auto stride = static_cast<size_t>(pull_back_.stride());
  pull_back_.run(j, [&](size_t s, std::span<const Mat3> H) {
    const std::span<Mat3> blocks = group_.blocks_of(first_stencils_[static_cast<size_t>(j)] + s);
    const Index i = pull_back_.partners_of(j)[s];
    const auto rows = static_cast<size_t>(pull_back_.node_count(i));
    const auto columns = static_cast<size_t>(pull_back_.node_count(j));
    size_t at = 0;
    for (size_t a = 0; a < rows; ++a) {
      for (size_t b = i == j ? a : 0; b < columns; ++b) blocks[at++] = H[a * stride + b];
    }
  });
}

void PulledStencils::update(const StencilGroup& elements) {
  const StencilGroup* fine = &elements;
  assembler_.assemble(std::span(&fine, 1), point_count_, K_);
  pull_back_.set_matrix(K_);
  exec::parallel_for(
      "reduced.hessian", static_cast<size_t>(pull_back_.group_count()),
      [&](size_t j) { write_group(static_cast<Index>(j)); }, 1);
}

}  // namespace marrow
