#include "kinematics/charts.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>

#include "exec/parallel.h"
#include "math/psd.h"

namespace marrow {
namespace {

Mat3 cross_matrix(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Vec3 compute_center(const VecX& n, Index first_node) {
  Vec3 sum = Vec3::Zero();
  for (Index i = first_node; i < first_node + 4; ++i) sum += n.segment<3>(3 * i);
  return sum / 4;
}

}  // namespace

Charts::Charts(const Kinematics& kinematics) {
  first_unknown_.resize(static_cast<size_t>(kinematics.node_count));
  body_of_node_.assign(static_cast<size_t>(kinematics.node_count), kNone);
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const Body& body = kinematics.bodies[b];
    const bool is_rigid = std::find(kinematics.rigid.begin(), kinematics.rigid.end(),
                                    static_cast<Index>(b)) != kinematics.rigid.end();
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      if (!is_rigid || i == body.first_node) {
        cells_.push_back({i, unknown_count_, is_rigid ? static_cast<Index>(bodies_.size()) : kNone});
      }
      cell_of_node_.push_back(static_cast<Index>(cells_.size()) - 1);
      first_unknown_[i] = is_rigid ? unknown_count_ : unknown_count_++;
      if (is_rigid) body_of_node_[i] = static_cast<Index>(bodies_.size());
    }
    if (!is_rigid) continue;
    Eigen::AlignedBox3d box;
    for (const Vec3& x : body.rest.points) box.extend(x);
    const double size = 0.5 * box.diagonal().norm();
    bodies_.push_back(
        {static_cast<Index>(b), body.first_node, unknown_count_, body.mass.values[0], size > 0 ? size : 1});
    for (int k = 0; k < 6; ++k) {
      if (body.is_locked[static_cast<size_t>(k)]) locks_.add(unknown_count_ + k / 3, k % 3);
    }
    unknown_count_ += 2;
  }
}

// ∂x_node/∂u₁ of a node of a rigid body.
Mat3 Charts::compute_tangent(Index node, const VecX& n) const {
  const RigidBody& body = bodies_[body_of_node_[node]];
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
    reduced.segment<3>(3 * unknown + 3) += compute_tangent(node, n).transpose() * force;
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

// Which pairs of cells have blocks in the full matrix, and which. Cells ascend with their nodes, so the lower
// half of the one matrix goes into the lower half of the other.
void Charts::list_pairs(const BlockPattern& full) {
  pairs_.clear();
  sources_.resize(full.rows.size());
  std::vector<Index> count(cells_.size(), 0), rows, next(cells_.size(), 0);
  Index source_count = 0;
  for (size_t j = 0; j < cells_.size(); ++j) {
    const Cell& column = cells_[j];
    const Index first = full.column_offsets[column.first_node];
    const Index last = full.column_offsets[column.first_node + column.node_count()];
    rows.clear();
    for (Index s = first; s < last; ++s) {
      const Index row = cell_of_node_[full.rows[s]];
      if (count[row]++ == 0) rows.push_back(row);
    }
    std::sort(rows.begin(), rows.end());
    for (const Index row : rows) {
      pairs_.push_back({row, static_cast<Index>(j), source_count});
      next[row] = source_count;
      source_count += count[row];
      count[row] = 0;
    }
    for (Index node = column.first_node; node < column.first_node + column.node_count(); ++node) {
      for (Index s = full.column_offsets[node]; s < full.column_offsets[node + 1]; ++s) {
        sources_[next[cell_of_node_[full.rows[s]]]++] = {s, full.rows[s], node};
      }
    }
  }
  pairs_.push_back({kNone, kNone, source_count});
}

void Charts::build_pattern(const BlockPattern& full, BlockPattern& reduced) {
  list_pairs(full);
  reduced.column_offsets.assign(1, 0);
  reduced.rows.clear();
  size_t begin = 0;
  for (size_t j = 0; j < cells_.size(); ++j) {
    size_t end = begin;
    while (pairs_[end].column == static_cast<Index>(j)) ++end;
    for (Index b = 0; b < cells_[j].unknown_count(); ++b) {
      const Index column = cells_[j].first_unknown + b;
      for (size_t p = begin; p < end; ++p) {
        const Cell& row = cells_[pairs_[p].row];
        for (Index a = 0; a < row.unknown_count(); ++a) {
          if (row.first_unknown + a < column) continue;
          pairs_[p].slots[a][b] = static_cast<Index>(reduced.rows.size());
          reduced.rows.push_back(row.first_unknown + a);
        }
      }
      reduced.column_offsets.push_back(static_cast<Index>(reduced.rows.size()));
    }
    begin = end;
  }
  reduced.version = full.version;
  version_ = full.version;
}

// The blocks between two cells: T_iᵀ H_ij T_j, summed over the nodes of both.
void Charts::fill_pair(size_t pair, const BlockMatrix& H, BlockMatrix& reduced) const {
  const CellPair& blocks = pairs_[pair];
  const Cell &row = cells_[blocks.row], &column = cells_[blocks.column];
  // Over the column's nodes first: Σ_j H_ij and Σ_j H_ij T_j for each node i of the row.
  std::array<Mat3, 4> shifted, turned;
  shifted.fill(Mat3::Zero());
  turned.fill(Mat3::Zero());
  const auto add = [&](const Mat3& block, Index i, Index j) {
    shifted[i - row.first_node] += block;
    if (column.rigid != kNone) turned[i - row.first_node].noalias() += block * tangents_[j];
  };
  for (Index s = blocks.first_source; s < pairs_[pair + 1].first_source; ++s) {
    const Source& source = sources_[s];
    const Mat3& block = H.blocks[source.slot];
    add(block, source.row_node, source.column_node);
    if (blocks.row == blocks.column && source.row_node != source.column_node) {
      add(block.transpose(), source.column_node, source.row_node);
    }
  }
  std::array<std::array<Mat3, 2>, 2> sums;
  for (auto& of_row : sums) of_row.fill(Mat3::Zero());
  for (Index i = 0; i < row.node_count(); ++i) {
    sums[0][0] += shifted[i];
    sums[0][1] += turned[i];
    if (row.rigid == kNone) continue;
    const Mat3& T = tangents_[row.first_node + i];
    sums[1][0].noalias() += T.transpose() * shifted[i];
    sums[1][1].noalias() += T.transpose() * turned[i];
  }
  for (Index a = 0; a < row.unknown_count(); ++a) {
    for (Index b = 0; b < column.unknown_count(); ++b) {
      if (blocks.row != blocks.column || a >= b) reduced.blocks[blocks.slots[a][b]] = sums[a][b];
    }
  }
}

void Charts::pull_hessian(const VecX& n, const VecX& g, const BlockMatrix& H, BlockMatrix& reduced) {
  if (version_ != H.pattern.version || reduced.pattern.version != version_) {
    build_pattern(H.pattern, reduced.pattern);
  }
  reduced.blocks.resize(reduced.pattern.block_count());
  tangents_.resize(first_unknown_.size());
  for (const RigidBody& body : bodies_) {
    for (Index i = body.first_node; i < body.first_node + 4; ++i) tangents_[i] = compute_tangent(i, n);
  }
  exec::parallel_for(
      "charts.hessian", pairs_.size() - 1, [&](size_t pair) { fill_pair(pair, H, reduced); }, 64);
  add_curvature(n, g, reduced);
  locks_.clear_hessian(reduced);
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
    const Mat3 whole = project_psd(Mat3(inertia + curvature));
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
  for (const Index b : kinematics.rigid) {
    Turn turn;
    turn.body = b;
    turn.first_node = kinematics.bodies[b].first_node;
    turn.center = compute_center(n0, turn.first_node);
    const Vec3 end = compute_center(n1, turn.first_node);
    turn.shift = end - turn.center;
    // The rotation that takes the arms before to those after.
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
