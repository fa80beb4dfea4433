#include "kinematics/charts.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <array>

#include "exec/parallel.h"
#include "math/psd.h"
#include "math/rotation.h"

namespace marrow {
namespace {

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
    const bool is_rigid = body.kind == BodyKind::Rigid;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
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

// Which blocks the reduced matrix has, and which blocks of the full one each is made of.
void Charts::build_pattern(const BlockPattern& full, BlockPattern& reduced) {
  struct Part {
    std::array<Index, 2> place;  // column, row
    Source source;
  };
  std::vector<Part> parts;
  const auto unknowns_of = [&](Index node) { return body_of_node_[node] == kNone ? 1 : 2; };
  const auto add = [&](Index slot, Index row_node, Index column_node, bool is_transposed) {
    for (Index a = 0; a < unknowns_of(row_node); ++a) {
      for (Index b = 0; b < unknowns_of(column_node); ++b) {
        const Index row = first_unknown_[row_node] + a, column = first_unknown_[column_node] + b;
        if (row < column) continue;
        parts.push_back({{column, row}, {slot, row_node, column_node, is_transposed}});
      }
    }
  };
  for (Index j = 0; j < full.node_count(); ++j) {
    for (Index s = full.column_offsets[j]; s < full.column_offsets[j + 1]; ++s) {
      const Index i = full.rows[s];
      add(s, i, j, false);
      if (i != j) add(s, j, i, true);
    }
  }
  reduced.column_offsets.assign(static_cast<size_t>(unknown_count_) + 1, 0);
  reduced.rows.clear();
  sources_.clear();
  source_offsets_ = {0};
  exec::parallel_sort("charts.pattern", parts,
                      [](const Part& a, const Part& b) { return a.place < b.place; });
  for (size_t k = 0; k < parts.size(); ++k) {
    const auto& [place, source] = parts[k];
    sources_.push_back(source);
    if (k + 1 < parts.size() && parts[k + 1].place == place) continue;
    reduced.rows.push_back(place[1]);
    ++reduced.column_offsets[place[0] + 1];
    source_offsets_.push_back(static_cast<Index>(sources_.size()));
  }
  for (Index j = 0; j < unknown_count_; ++j) reduced.column_offsets[j + 1] += reduced.column_offsets[j];
  reduced.version = full.version;
  version_ = full.version;
}

void Charts::pull_hessian(const VecX& n, const VecX& g, const BlockMatrix& H, BlockMatrix& reduced) {
  if (version_ != H.pattern.version || reduced.pattern.version != version_) {
    build_pattern(H.pattern, reduced.pattern);
  }
  reduced.blocks.resize(reduced.pattern.block_count());
  // What turning does to each node of a rigid body; its shift moves them all alike.
  std::vector<Mat3> turning(first_unknown_.size());
  for (const RigidBody& body : bodies_) {
    for (Index i = body.first_node; i < body.first_node + 4; ++i) {
      turning[i] = compute_tangent(i, body.first_unknown + 1, n);
    }
  }
  const auto fill_column = [&](size_t column) {
    const Index j = static_cast<Index>(column);
    for (Index k = reduced.pattern.column_offsets[j]; k < reduced.pattern.column_offsets[j + 1]; ++k) {
      Mat3 sum = Mat3::Zero();
      for (Index s = source_offsets_[k]; s < source_offsets_[k + 1]; ++s) {
        const Source& source = sources_[s];
        const Mat3& block = H.blocks[source.slot];
        Mat3 middle = source.is_transposed ? Mat3(block.transpose()) : block;
        if (j != first_unknown_[source.column_node]) middle = middle * turning[source.column_node];
        if (reduced.pattern.rows[k] != first_unknown_[source.row_node]) {
          middle = turning[source.row_node].transpose() * middle;
        }
        sum += middle;
      }
      reduced.blocks[k] = sum;
    }
  };
  exec::parallel_for("charts.hessian", static_cast<size_t>(unknown_count_), fill_column, 8);
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
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    if (kinematics.bodies[b].kind != BodyKind::Rigid) continue;
    Turn turn;
    turn.body = static_cast<Index>(b);
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
