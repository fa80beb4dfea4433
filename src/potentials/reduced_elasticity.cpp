#include "potentials/reduced_elasticity.h"

#include <algorithm>
#include <set>

#include "exec/parallel.h"

namespace marrow {
namespace {

// x = W n for the points of the tets.
VecX compute_volume_points(const ReducedElements& reduced, const VecX& n) {
  const Index first = reduced.first_node, count = reduced.W.columns;
  VecX x;
  multiply(reduced.W, VecX(n.segment(3 * first, 3 * count)), x);
  return x;
}

using Columns = std::array<Mat3, 4>;
using Square = std::array<Mat3, 16>;

// sum_ab += w_a Y_b, over plain numbers: the innermost loop of the pull-back.
void add_scaled(const std::array<double, 4>& w, const Columns& Y, Square& sum) {
  static_assert(sizeof(Square) == 144 * sizeof(double));
  const double* from = Y[0].data();
  double* to = sum[0].data();
  for (size_t a = 0; a < 4; ++a, to += 36) {
    for (size_t k = 0; k < 36; ++k) to[k] += w[a] * from[k];
  }
}

}  // namespace

double compute_elastic_energy(const ReducedElements& reduced, const std::vector<Material>& materials,
                              const VecX& n) {
  return compute_elastic_energy(reduced.fine, materials, compute_volume_points(reduced, n));
}

ReducedElasticity::ReducedElasticity(const ReducedElements& reduced, const std::vector<Material>& materials,
                                     Index node_count)
    : reduced_(reduced),
      fine_(std::make_unique<Elasticity>(reduced.fine, materials, reduced.W.rows())),
      handle_count_(reduced.W.columns / 4) {
  build_rows();
  build_handle_points();
  build_stencils(node_count);
}

VecX ReducedElasticity::compute_fine(const VecX& n) const { return compute_volume_points(reduced_, n); }

// The rows of W by handle; all four weights of a handle are there or none is.
void ReducedElasticity::build_rows() {
  const ScalarMatrix& W = reduced_.W;
  row_offsets_ = {0};
  for (Index i = 0; i < W.rows(); ++i) {
    for (Index k = W.offsets[i]; k < W.offsets[i + 1]; k += 4) {
      rows_.push_back({W.indices[k] / 4, {W.values[k], W.values[k + 1], W.values[k + 2], W.values[k + 3]}});
    }
    row_offsets_.push_back(static_cast<Index>(rows_.size()));
  }
}

void ReducedElasticity::build_handle_points() {
  std::vector<std::vector<std::array<Index, 2>>> lists(static_cast<size_t>(handle_count_));
  for (Index point = 0; point + 1 < static_cast<Index>(row_offsets_.size()); ++point) {
    for (Index k = row_offsets_[point]; k < row_offsets_[point + 1]; ++k) {
      lists[rows_[k].handle].push_back({point, k});
    }
  }
  handle_offsets_ = {0};
  for (const auto& list : lists) {
    handle_rows_.insert(handle_rows_.end(), list.begin(), list.end());
    handle_offsets_.push_back(static_cast<Index>(handle_rows_.size()));
  }
}

// One stencil for each two handles that share a tet: the nodes of the one, then of the other.
void ReducedElasticity::build_stencils(Index node_count) {
  std::vector<std::set<Index>> partners(static_cast<size_t>(handle_count_));
  for (Index j = 0; j < handle_count_; ++j) partners[j].insert(j);
  std::vector<Index> handles;
  const Elements& fine = reduced_.fine;
  for (size_t e = 0; e < fine.count(); ++e) {
    handles.clear();
    for (Index v = fine.offsets[e]; v < fine.offsets[e + 1]; ++v) {
      for (Index k = row_offsets_[fine.nodes[v]]; k < row_offsets_[fine.nodes[v] + 1]; ++k) {
        handles.push_back(rows_[k].handle);
      }
    }
    std::sort(handles.begin(), handles.end());
    handles.erase(std::unique(handles.begin(), handles.end()), handles.end());
    for (const Index j : handles) {
      for (const Index i : handles) {
        if (i < j) partners[j].insert(i);
      }
    }
  }
  std::vector<Index> offsets = {0}, nodes;
  stencil_offsets_ = {0};
  for (Index j = 0; j < handle_count_; ++j) {
    for (const Index i : partners[j]) {
      for (Index k = 0; k < 4; ++k) nodes.push_back(reduced_.first_node + 4 * i + k);
      if (i != j) {
        for (Index k = 0; k < 4; ++k) nodes.push_back(reduced_.first_node + 4 * j + k);
      }
      offsets.push_back(static_cast<Index>(nodes.size()));
      stencil_partners_.push_back(i);
    }
    stencil_offsets_.push_back(static_cast<Index>(stencil_partners_.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count);
}

// Every row of K whole, from its lower half.
void ReducedElasticity::build_neighbors() {
  const BlockPattern& pattern = K_.pattern;
  std::vector<std::vector<Neighbor>> lists(static_cast<size_t>(pattern.node_count()));
  for (Index column = 0; column < pattern.node_count(); ++column) {
    for (Index k = pattern.column_offsets[column]; k < pattern.column_offsets[column + 1]; ++k) {
      const Index row = pattern.rows[k];
      lists[column].push_back({row, k, false});
      if (row != column) lists[row].push_back({column, k, true});
    }
  }
  neighbors_.clear();
  neighbor_offsets_ = {0};
  for (const auto& list : lists) {
    neighbors_.insert(neighbors_.end(), list.begin(), list.end());
    neighbor_offsets_.push_back(static_cast<Index>(neighbors_.size()));
  }
  neighbors_version_ = pattern.version;
}

double ReducedElasticity::compute_value(const VecX& n) const { return fine_->compute_value(compute_fine(n)); }

double ReducedElasticity::compute_magnitude(const VecX& n) const {
  return fine_->compute_magnitude(compute_fine(n));
}

void ReducedElasticity::add_gradient(const VecX& n, double weight, VecX& g) {
  const VecX x = compute_fine(n);
  VecX fine = VecX::Zero(x.size());
  fine_->add_gradient(x, weight, fine);
  exec::parallel_for(
      "reduced.gradient", static_cast<size_t>(handle_count_),
      [&](size_t j) {
        std::array<Vec3, 4> sums = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
        for (Index k = handle_offsets_[j]; k < handle_offsets_[j + 1]; ++k) {
          const auto [point, row] = handle_rows_[k];
          for (size_t c = 0; c < 4; ++c) sums[c] += rows_[row].weights[c] * fine.segment<3>(3 * point);
        }
        for (size_t c = 0; c < 4; ++c) {
          g.segment<3>(3 * (reduced_.first_node + 4 * static_cast<Index>(j) + static_cast<Index>(c))) +=
              sums[c];
        }
      },
      1);
}

// The blocks (i, j) for all partners i <= j of one handle.
void ReducedElasticity::pull_back_handle(Index j) {
  // Y = K W_j: for each point that a neighbour of handle j's points is, four blocks.
  std::vector<Index> slots(static_cast<size_t>(K_.node_count()), kNone);
  std::vector<Index> touched;
  std::vector<Columns> Y;
  for (Index k = handle_offsets_[j]; k < handle_offsets_[j + 1]; ++k) {
    const auto [source, row] = handle_rows_[k];
    const std::array<double, 4>& w = rows_[row].weights;
    for (Index m = neighbor_offsets_[source]; m < neighbor_offsets_[source + 1]; ++m) {
      const Neighbor& neighbor = neighbors_[m];
      Index& slot = slots[neighbor.point];
      if (slot == kNone) {
        slot = static_cast<Index>(Y.size());
        touched.push_back(neighbor.point);
        Y.push_back({Mat3::Zero(), Mat3::Zero(), Mat3::Zero(), Mat3::Zero()});
      }
      // K(neighbour, source): stored with the larger point as row.
      const Mat3& stored = K_.blocks[neighbor.block];
      const Mat3 block = neighbor.is_transposed ? Mat3(stored.transpose()) : stored;
      for (size_t c = 0; c < 4; ++c) Y[slot][c] += w[c] * block;
    }
  }
  // H_ij = W_iᵀ Y.
  const Index first = stencil_offsets_[j], last = stencil_offsets_[j + 1];
  std::vector<Index> place(static_cast<size_t>(j) + 1, kNone);
  for (Index s = first; s < last; ++s) place[stencil_partners_[s]] = s - first;
  Square zero;
  zero.fill(Mat3::Zero());
  std::vector<Square> H(static_cast<size_t>(last - first), zero);
  for (size_t t = 0; t < touched.size(); ++t) {
    for (Index k = row_offsets_[touched[t]]; k < row_offsets_[touched[t] + 1]; ++k) {
      // A point of no tet that has stiffness has a block of zeros, for handles that share no tet.
      if (rows_[k].handle > j || place[rows_[k].handle] == kNone) continue;
      add_scaled(rows_[k].weights, Y[t], H[place[rows_[k].handle]]);
    }
  }
  for (Index s = first; s < last; ++s) {
    const std::span<Mat3> blocks = group_.blocks_of(static_cast<size_t>(s));
    const Square& sum = H[s - first];
    if (stencil_partners_[s] == j) {
      size_t at = 0;
      for (size_t a = 0; a < 4; ++a) {
        for (size_t b = a; b < 4; ++b) blocks[at++] = sum[4 * a + b];
      }
      continue;
    }
    // Of the eight nodes only the blocks between the two handles.
    size_t at = 0;
    for (size_t a = 0; a < 8; ++a) {
      for (size_t b = a; b < 8; ++b, ++at) {
        blocks[at] = a < 4 && b >= 4 ? sum[4 * a + b - 4] : Mat3(Mat3::Zero());
      }
    }
  }
}

const StencilGroup* ReducedElasticity::update_hessian(const VecX& n, double weight) {
  const StencilGroup* fine = fine_->update_hessian(compute_fine(n), weight);
  assembler_.assemble(std::span(&fine, 1), reduced_.W.rows(), K_);
  if (neighbors_.empty() || neighbors_version_ != K_.pattern.version) build_neighbors();
  exec::parallel_for(
      "reduced.hessian", static_cast<size_t>(handle_count_),
      [&](size_t j) { pull_back_handle(static_cast<Index>(j)); }, 1);
  return &group_;
}

StepLimit ReducedElasticity::compute_step_limit(const NodePath& path) const {
  NodePath fine;
  fine.start = compute_fine(path.start);
  fine.direction = compute_fine(path.direction);
  return fine_->compute_step_limit(fine);
}

}  // namespace marrow
