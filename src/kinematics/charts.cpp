#include "kinematics/charts.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>

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
  VecX reduced = VecX::Zero(3 * unknown_count_);
  for (size_t i = 0; i < first_unknown_.size(); ++i) {
    const auto node = static_cast<Index>(i);
    const Vec3 force = g.segment<3>(3 * node);
    const Index unknown = first_unknown_[i];
    reduced.segment<3>(3 * unknown) += force;
    if (body_of_node_[i] == kNone) continue;
    reduced.segment<3>(3 * unknown + 3) += compute_tangent(node, unknown + 1, n).transpose() * force;
  }
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
  pairs_.clear();
  sources_.clear();
  pair_offsets_ = {0};
  for (size_t unit = 0; unit < units_.size(); ++unit) {
    list_pairs(full, static_cast<Index>(unit));
    pair_offsets_.push_back(static_cast<Index>(pairs_.size()));
  }
  write_pattern(reduced);
  reduced.version = full.version;
  version_ = full.version;
}

// Lists the pairs of units whose column is this unit. Units are numbered in the order of their nodes, so a
// block below the diagonal has the later unit as its row.
void Charts::list_pairs(const BlockPattern& full, Index unit) {
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
  Index rows = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    if (k == 0 || parts[k].row_unit != parts[k - 1].row_unit) {
      const auto first = static_cast<Index>(sources_.size());
      pairs_.push_back({parts[k].row_unit, first, first, rows});
      rows += units_[parts[k].row_unit].unknown_count;
    }
    sources_.push_back(parts[k].source);
    ++pairs_.back().last_source;
  }
}

void Charts::write_pattern(BlockPattern& reduced) const {
  reduced.column_offsets = {0};
  reduced.rows.clear();
  for (size_t unit = 0; unit < units_.size(); ++unit) {
    for (Index b = 0; b < units_[unit].unknown_count; ++b) {
      const Index column = units_[unit].first_unknown + b;
      for (Index p = pair_offsets_[unit]; p < pair_offsets_[unit + 1]; ++p) {
        const Unit& row = units_[pairs_[p].row_unit];
        for (Index i = row.first_unknown; i < row.first_unknown + row.unknown_count; ++i) {
          if (i >= column) reduced.rows.push_back(i);
        }
      }
      reduced.column_offsets.push_back(static_cast<Index>(reduced.rows.size()));
    }
  }
}

void Charts::pull_hessian(const VecX& n, const VecX& g, const BlockMatrix& H, BlockMatrix& reduced) {
  if (version_ != H.pattern.version || reduced.pattern.version != version_) {
    build_pattern(H.pattern, reduced.pattern);
  }
  reduced.blocks.resize(reduced.pattern.block_count());
  // ∂x/∂u₁ of each node of a rigid body; ∂x/∂u₀ is the same for all of them.
  std::vector<Mat3> turning(first_unknown_.size());
  for (const RigidBody& body : bodies_) {
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      turning[i] = compute_tangent(i, body.first_unknown + 1, n);
    }
  }
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
  for (const RigidBody& body : bodies_) {
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
  }
}

NodePath Charts::make_path(const VecX& n, const VecX& u) const {
  if (is_identity()) return {n, u, {}};
  NodePath path = {n, VecX(n.size()), {}};
  for (size_t i = 0; i < first_unknown_.size(); ++i) {
    path.direction.segment<3>(3 * static_cast<Index>(i)) = u.segment<3>(3 * first_unknown_[i]);
  }
  for (const RigidBody& body : bodies_) {
    Turn turn;
    turn.body = body.body;
    turn.first_node = body.first_node;
    turn.center = compute_center(n, body.first_node);
    turn.shift = u.segment<3>(3 * body.first_unknown);
    turn.rotation = u.segment<3>(3 * body.first_unknown + 3) / body.length;
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      path.direction.segment<3>(3 * i) += turn.rotation.cross(Vec3(n.segment<3>(3 * i) - turn.center));
    }
    path.turns.push_back(turn);
  }
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
