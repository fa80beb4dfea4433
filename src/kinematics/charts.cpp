#include "kinematics/charts.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>

#include "core/trace.h"
#include "exec/parallel.h"
#include "math/eigen3.h"
#include "math/psd.h"
#include "math/rotation.h"
#include "mesh/point_box.h"

namespace marrow {
namespace {

Vec3 compute_center(const VecX& n, Index first_node) { return compute_mean(n, first_node, 4); }

}  // namespace

Charts::Charts(const Kinematics& kinematics) {
  first_unknown_.resize(static_cast<size_t>(kinematics.node_count));
  body_of_node_.assign(static_cast<size_t>(kinematics.node_count), kNone);
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const Body& body = kinematics.bodies[b];
    const bool is_rigid = body.kind == BodyKind::Rigid;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      if (!is_rigid || i == body.first_node)
        units_.push_back({i, is_rigid ? body.node_count : 1, unknown_count_, is_rigid ? 2 : 1});
      if (body.is_planar) locks_.add(unknown_count_, 2);
      first_unknown_[i] = is_rigid ? unknown_count_ : unknown_count_++;
      if (is_rigid) body_of_node_[i] = static_cast<Index>(bodies_.size());
      unit_of_node_.push_back(static_cast<Index>(units_.size()) - 1);
    }
    if (!is_rigid) continue;
    const double size = 0.5 * compute_diagonal(body.rest.points);
    bodies_.push_back(
        {static_cast<Index>(b), body.first_node, unknown_count_, body.mass.values[0], size > 0 ? size : 1});
    for (int k = 0; k < 6; ++k) {
      if (body.is_locked[static_cast<size_t>(k)]) locks_.add(unknown_count_ + k / 3, k % 3);
    }
    unknown_count_ += 2;
  }
}

// ∂x_node/∂u, for one of the unknowns the node follows.
Mat3 Charts::compute_tangent(Index node, Index unknown, const VecX& n) const {
  if (body_of_node_[node] == kNone) return Mat3::Identity();
  const RigidBody& body = bodies_[body_of_node_[node]];
  if (unknown == body.first_unknown) return Mat3::Identity();
  return -cross_matrix(n.segment<3>(3 * node) - compute_center(n, body.first_node)) / body.length;
}

VecX Charts::pull_gradient(const VecX& n, const VecX& g) const {
  VecX reduced(3 * unknown_count_);
  exec::parallel_for("charts.gradient", units_.size(), [&](size_t k) {
    const Unit& unit = units_[k];
    reduced.segment(3 * unit.first_unknown, 3 * unit.unknown_count).setZero();
    for (Index node = unit.first_node; node < unit.first_node + unit.node_count; ++node) {
      const Vec3 force = g.segment<3>(3 * node);
      reduced.segment<3>(3 * unit.first_unknown) += force;
      if (unit.unknown_count == 1) continue;
      const Index turn = unit.first_unknown + 1;
      reduced.segment<3>(3 * turn) += compute_tangent(node, turn, n).transpose() * force;
    }
  });
  locks_.clear_gradient(reduced);
  return reduced;
}

std::vector<char> Charts::pull_flags(const std::vector<char>& is_fixed) const {
  std::vector<char> flags(static_cast<size_t>(unknown_count_), 0);
  for (size_t i = 0; i < first_unknown_.size(); ++i) {
    if (body_of_node_[i] == kNone) flags[first_unknown_[i]] = is_fixed[i];
  }
  return flags;
}

SystemNodes Charts::pull_nodes(const SystemNodes& nodes) const {
  const auto count = static_cast<size_t>(unknown_count_);
  SystemNodes pulled = {VecX::Zero(3 * unknown_count_), std::vector<Index>(count, kNone),
                        std::vector<char>(count, 0)};
  for (size_t i = 0; i < first_unknown_.size(); ++i) {
    if (body_of_node_[i] != kNone) continue;
    const Index unknown = first_unknown_[i];
    pulled.positions.segment<3>(3 * unknown) = nodes.positions.segment<3>(3 * static_cast<Index>(i));
    pulled.bodies[unknown] = nodes.bodies[i];
    pulled.is_stiff[unknown] = nodes.is_stiff[i];
  }
  return pulled;
}

// Finds the blocks of the reduced matrix, and for each the blocks of the full matrix that it is made of.
void Charts::build_pattern(const BlockPattern& full, BlockPattern& reduced) {
  const trace::Scope scope("charts.pattern");
  std::vector<UnitPairs> lists(units_.size());
  exec::parallel_for("charts.pairs", units_.size(),
                     [&](size_t unit) { list_pairs(full, static_cast<Index>(unit), lists[unit]); });
  // Where the lists begin among all.
  std::vector<Index> first_source(units_.size() + 1, 0);
  pair_offsets_.assign(units_.size() + 1, 0);
  reduced.column_offsets.assign(static_cast<size_t>(unknown_count_) + 1, 0);
  for (size_t k = 0; k < units_.size(); ++k) {
    pair_offsets_[k + 1] = pair_offsets_[k] + static_cast<Index>(lists[k].pairs.size());
    first_source[k + 1] = first_source[k] + static_cast<Index>(lists[k].sources.size());
    // Of a body's own two unknowns, the first has both rows, the second its own.
    for (Index b = 0; b < units_[k].unknown_count; ++b) {
      const Index column = units_[k].first_unknown + b;
      reduced.column_offsets[column + 1] = reduced.column_offsets[column] + lists[k].rows - b;
    }
  }
  pairs_.resize(static_cast<size_t>(pair_offsets_.back()));
  sources_.resize(static_cast<size_t>(first_source.back()));
  reduced.rows.resize(static_cast<size_t>(reduced.column_offsets.back()));
  exec::parallel_for("charts.pairs", units_.size(), [&](size_t k) {
    std::copy(lists[k].sources.begin(), lists[k].sources.end(), sources_.begin() + first_source[k]);
    for (size_t p = 0; p < lists[k].pairs.size(); ++p) {
      UnitPair& pair = pairs_[static_cast<size_t>(pair_offsets_[k]) + p];
      pair = lists[k].pairs[p];
      pair.first_source += first_source[k];
      pair.last_source += first_source[k];
    }
    write_rows(static_cast<Index>(k), reduced);
  });
  reduced.version = full.version;
  version_ = full.version;
}

// Lists the pairs of units whose column is this unit. Units are numbered in the order of their nodes, so a
// block below the diagonal has the later unit as its row.
void Charts::list_pairs(const BlockPattern& full, Index unit, UnitPairs& list) const {
  struct Part {
    Index row_unit;
    Source source;
  };
  thread_local std::vector<Part> parts;
  parts.clear();
  const Unit& column = units_[unit];
  for (Index j = column.first_node; j < column.first_node + column.node_count; ++j) {
    const auto b = static_cast<std::int16_t>(j - column.first_node);
    for (Index s = full.column_offsets[j]; s < full.column_offsets[j + 1]; ++s) {
      const Index row_unit = unit_of_node_[full.rows[s]];
      const auto a = static_cast<std::int16_t>(full.rows[s] - units_[row_unit].first_node);
      parts.push_back({row_unit, {s, a, b, false}});
      if (row_unit == unit && a != b) parts.push_back({row_unit, {s, b, a, true}});
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.row_unit < b.row_unit; });
  for (size_t k = 0; k < parts.size(); ++k) {
    if (k == 0 || parts[k].row_unit != parts[k - 1].row_unit) {
      const auto first = static_cast<Index>(list.sources.size());
      list.pairs.push_back({parts[k].row_unit, first, first, list.rows});
      list.rows += units_[parts[k].row_unit].unknown_count;
    }
    list.sources.push_back(parts[k].source);
    ++list.pairs.back().last_source;
  }
}

// Writes the rows of the unit's columns.
void Charts::write_rows(Index unit, BlockPattern& reduced) const {
  for (Index b = 0; b < units_[unit].unknown_count; ++b) {
    const Index column = units_[unit].first_unknown + b;
    Index at = reduced.column_offsets[column];
    for (Index p = pair_offsets_[unit]; p < pair_offsets_[unit + 1]; ++p) {
      const Unit& row = units_[pairs_[p].row_unit];
      for (Index i = row.first_unknown; i < row.first_unknown + row.unknown_count; ++i) {
        if (i >= column) reduced.rows[at++] = i;
      }
    }
  }
}

void Charts::pull_hessian(const VecX& n, const VecX& g, const BlockMatrix& H, BlockMatrix& reduced) {
  const trace::Scope scope("charts.total");
  if (version_ != H.pattern.version || reduced.pattern.version != version_) {
    build_pattern(H.pattern, reduced.pattern);
  }
  reduced.blocks.resize(reduced.pattern.block_count());
  // ∂x/∂u₁ of each node of a rigid body; ∂x/∂u₀ is the same for all of them.
  std::vector<Mat3> turning(first_unknown_.size());
  exec::parallel_for("charts.turning", bodies_.size(), [&](size_t b) {
    const RigidBody& body = bodies_[b];
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      turning[i] = compute_tangent(i, body.first_unknown + 1, n);
    }
  });
  const auto fill_unit = [&](size_t unit) {
    for (Index p = pair_offsets_[unit]; p < pair_offsets_[unit + 1]; ++p) {
      pull_pair(pairs_[p], static_cast<Index>(unit), turning, H, reduced);
    }
  };
  exec::parallel_for("charts.hessian", units_.size(), fill_unit, 8);
  add_curvature(n, g, reduced);
  locks_.clear_hessian(reduced);
}

// With R_i = Σ_j H_ij and S_i = Σ_j H_ij T_j, the four blocks between two bodies are Σ R_i, Σ T_iᵀ R_i, Σ S_i
// and Σ T_iᵀ S_i.
void Charts::pull_pair(const UnitPair& pair, Index column_unit, const std::vector<Mat3>& turning,
                       const BlockMatrix& H, BlockMatrix& reduced) const {
  const Unit &row = units_[pair.row_unit], &column = units_[column_unit];
  const bool turns_column = column.unknown_count == 2;
  std::array<Mat3, 4> R, S;
  for (Index i = 0; i < row.node_count; ++i) R[i] = S[i] = Mat3::Zero();
  for (Index k = pair.first_source; k < pair.last_source; ++k) {
    const Source& source = sources_[k];
    const Mat3& stored = H.blocks[source.slot];
    const Mat3 block = source.is_transposed ? Mat3(stored.transpose()) : stored;
    R[source.row] += block;
    if (turns_column) S[source.row].noalias() += block * turning[column.first_node + source.column];
  }
  const auto write = [&](const std::array<Mat3, 4>& sums, Index unknown) {
    Mat3* at = reduced.blocks.data() + reduced.pattern.column_offsets[column.first_unknown + unknown] +
               pair.rows_before - unknown;
    // In the column of the second unknown, the first row of the same body lies above the diagonal.
    if (pair.row_unit != column_unit || unknown == 0) {
      at[0] = sums[0];
      for (Index i = 1; i < row.node_count; ++i) at[0] += sums[i];
    }
    if (row.unknown_count == 1) return;
    at[1] = Mat3::Zero();
    for (Index i = 0; i < row.node_count; ++i)
      at[1].noalias() += turning[row.first_node + i].transpose() * sums[i];
  };
  write(R, 0);
  if (turns_column) write(S, 1);
}

void Charts::add_curvature(const VecX& n, const VecX& g, BlockMatrix& reduced) const {
  exec::parallel_for("charts.curvature", bodies_.size(), [&](size_t b) {
    const RigidBody& body = bodies_[b];
    const Vec3 p = compute_center(n, body.first_node);
    Mat3 inertia = Mat3::Zero(), curvature = Mat3::Zero();
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      const Vec3 r = n.segment<3>(3 * i) - p, force = g.segment<3>(3 * i);
      inertia += inertia_ * body.node_mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
      curvature += 0.5 * (r * force.transpose() + force * r.transpose()) - force.dot(r) * Mat3::Identity();
    }
    Mat3 whole = inertia + curvature;
    if (!is_positive_definite(whole)) whole = project_psd(MatX(whole));
    reduced.blocks[reduced.pattern.column_offsets[body.first_unknown + 1]] +=
        (whole - inertia) / (body.length * body.length);
  });
}

NodePath Charts::make_path(const VecX& n, const VecX& u) const {
  if (is_identity()) return {n, u, {}};
  NodePath path = {n, VecX(n.size()), {}};
  exec::parallel_for("charts.path", first_unknown_.size(), [&](size_t i) {
    path.direction.segment<3>(3 * static_cast<Index>(i)) = u.segment<3>(3 * first_unknown_[i]);
  });
  path.turns.resize(bodies_.size());
  exec::parallel_for("charts.path", bodies_.size(), [&](size_t b) {
    const RigidBody& body = bodies_[b];
    Turn& turn = path.turns[b];
    turn.body = body.body;
    turn.first_node = body.first_node;
    turn.center = compute_center(n, body.first_node);
    turn.shift = u.segment<3>(3 * body.first_unknown);
    turn.rotation = u.segment<3>(3 * body.first_unknown + 3) / body.length;
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      path.direction.segment<3>(3 * i) += turn.rotation.cross(Vec3(n.segment<3>(3 * i) - turn.center));
    }
  });
  return path;
}

std::vector<Turn> find_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1) {
  std::vector<Turn> turns;
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    if (kinematics.bodies[b].kind != BodyKind::Rigid) continue;
    Turn turn;
    turn.body = static_cast<Index>(b);
    turn.first_node = kinematics.bodies[b].first_node;
    turn.center = compute_center(n0, turn.first_node);
    const Vec3 end = compute_center(n1, turn.first_node);
    turn.shift = end - turn.center;
    // The rotation that takes the arms at n0 to those at n1.
    Mat3 covariance = Mat3::Zero();
    for (Index i = turn.first_node; i < turn.first_node + 4; ++i) {
      covariance += (n1.segment<3>(3 * i) - end) * (n0.segment<3>(3 * i) - turn.center).transpose();
    }
    const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 R = svd.matrixU() * svd.matrixV().transpose();
    if (R.determinant() < 0) {
      Mat3 mirrored = svd.matrixU();
      mirrored.col(2) *= -1;
      R = mirrored * svd.matrixV().transpose();
    }
    const Eigen::AngleAxisd angle(R);
    turn.rotation = angle.angle() * angle.axis();
    turns.push_back(turn);
  }
  return turns;
}

}  // namespace marrow
