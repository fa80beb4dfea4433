#include "potentials/joints/joint_row.h"

#include <algorithm>
#include <cmath>

#include "math/psd.h"

namespace marrow {
namespace {

// The energy of a relation c with its first and second derivative. Its force stays within [lowest, highest].
struct Response {
  double energy = 0;
  double slope = 0;
  double curvature = 0;
};

Response compute_clamped(double lambda, double k, double c, double lowest, double highest) {
  const double force = lambda + k * c;
  if (force >= lowest && force <= highest) return {lambda * c + 0.5 * k * c * c, force, k};
  // The energy is linear beyond the point where the force reaches its bound.
  const double bound = std::clamp(force, lowest, highest);
  return {(bound * bound - lambda * lambda) / (2 * k) + bound * (c - (bound - lambda) / k), bound, 0};
}

Response compute_response(const JointRow& row, double lambda, double q) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double c = q - row.target;
  switch (row.role) {
    case RowRole::Maximum:
      return compute_clamped(lambda, row.stiffness, c, 0, kInfinity);
    case RowRole::Minimum:
      return compute_clamped(lambda, row.stiffness, c, -kInfinity, 0);
    case RowRole::Drive:
      if (row.push != 0) return {row.push * row.largest * c, row.push * row.largest, 0};
      break;
    case RowRole::Spring: {
      const double moved = q - row.near;
      return {0.5 * row.spring * c * c + 0.5 * row.resistance * moved * moved,
              row.spring * c + row.resistance * moved, row.spring + row.resistance};
    }
    case RowRole::Vanish:
    case RowRole::Hold:
      break;
  }
  return {lambda * c + 0.5 * row.stiffness * c * c, lambda + row.stiffness * c, row.stiffness};
}

JointRow make_row(size_t joint, RowRole role, const JointCoordinate& of, double unit, double target) {
  JointRow row{.joint = joint, .role = role, .kind = of.kind, .stencil = VectorStencil(of.vectors)};
  row.unit = of.kind == CoordinateKind::Angle ? unit : 1;
  row.target = target;
  return row;
}

}  // namespace

std::vector<JointRow> build_joint_rows(const Joint& joint, size_t number, Index& multiplier) {
  std::vector<JointRow> rows;
  for (const WeightedPoint& vector : joint.vanishing) {
    rows.push_back({.joint = number, .role = RowRole::Vanish, .stencil = VectorStencil({vector})});
  }
  for (const JointCoordinate& pair : joint.right_angles) {
    rows.push_back(make_row(number, RowRole::Hold, pair, joint.length, pair.initial));
  }
  const auto add = [&](RowRole role, double target) {
    rows.push_back(make_row(number, role, *joint.coordinate, joint.length, target));
  };
  if (joint.held) add(RowRole::Hold, *joint.held);
  if (std::isfinite(joint.max)) add(RowRole::Maximum, joint.max);
  if (std::isfinite(joint.min)) add(RowRole::Minimum, joint.min);
  if (joint.motor) {
    add(RowRole::Drive, 0);
    rows.back().largest = joint.motor->max_force;
  }
  if (joint.spring) {
    add(RowRole::Spring, joint.spring->rest);
    rows.back().spring = joint.spring->stiffness;
  }
  for (JointRow& row : rows) {
    row.multiplier = multiplier;
    if (row.role != RowRole::Spring) multiplier += row.size();
  }
  return rows;
}

RowState compute_row(const JointRow& row, const VecX& multipliers, const VecX& n) {
  RowState state;
  state.z = row.stencil.gather(n);
  if (row.role == RowRole::Vanish) {
    const Vec3 lambda = multipliers.segment<3>(row.multiplier);
    state.energy = lambda.dot(state.z) + 0.5 * row.stiffness * state.z.squaredNorm();
    state.force = lambda + row.stiffness * state.z;
    state.curvature = row.stiffness;
    return state;
  }
  state.function = compute_joint_function(row.kind, state.z, row.near);
  const double lambda = row.role == RowRole::Spring ? 0 : multipliers[row.multiplier];
  const Response response = compute_response(row, lambda, state.function.value);
  state.energy = response.energy;
  state.slope = response.slope;
  state.curvature = response.curvature;
  state.force = response.slope * state.function.gradient;
  return state;
}

StackedMat compute_row_hessian(const JointRow& row, const RowState& state) {
  if (row.role == RowRole::Vanish) return state.curvature * Mat3::Identity();
  const JointFunction& q = state.function;
  return project_psd(MatX(state.curvature * q.gradient * q.gradient.transpose() + state.slope * q.hessian));
}

void append_held_rates(const JointRow& row, const VecX& multipliers, const VecX& n, double h,
                       std::vector<HeldRate>& rates) {
  if (!row.is_active() || row.role == RowRole::Spring || row.push != 0) return;
  const bool is_limit = row.role == RowRole::Maximum || row.role == RowRole::Minimum;
  if (is_limit && multipliers[row.multiplier] == 0) return;
  const std::vector<Index>& nodes = row.stencil.nodes();
  const auto append = [&](const StackedVec& slope, double rate) {
    HeldRate held = {&nodes, std::vector<Vec3>(nodes.size()), rate, is_limit};
    row.stencil.pull_gradient(slope, held.slopes);
    rates.push_back(std::move(held));
  };
  if (row.role == RowRole::Vanish) {
    for (int k = 0; k < 3; ++k) append(StackedVec(Vec3::Unit(k)), 0);
    return;
  }
  const StackedVec slope = compute_joint_function(row.kind, row.stencil.gather(n), row.near).gradient;
  const double rate = row.role == RowRole::Drive ? (row.target - row.near) / h : 0;
  append(row.role == RowRole::Minimum ? StackedVec(-slope) : slope, rate);
}

void start_motor(const VecX& multipliers, JointRow& row) {
  const double lambda = multipliers[row.multiplier];
  const bool is_pushing = std::abs(lambda) >= row.largest;
  row.push = is_pushing ? (lambda > 0 ? 1 : -1) : 0;
}

bool update_multiplier(const RowState& state, JointRow& row, VecX& multipliers) {
  if (row.role == RowRole::Spring) return false;
  if (row.role == RowRole::Vanish) {
    multipliers.segment<3>(row.multiplier) = state.force;
    return false;
  }
  multipliers[row.multiplier] = state.slope;
  if (row.role != RowRole::Drive) return false;
  // A motor that needs more than its largest force pushes with that force; past the target it holds again.
  const int push = row.push;
  if (push == 0 && std::abs(state.slope) > row.largest) {
    multipliers[row.multiplier] = std::copysign(row.largest, state.slope);
    row.push = state.slope > 0 ? 1 : -1;
  } else if (push * (state.function.value - row.target) < 0) {
    row.push = 0;
  }
  return row.push != push;
}

double compute_row_residual(const JointRow& row, const RowState& state, const VecX& multipliers) {
  if (row.role == RowRole::Spring || row.push != 0) return 0;
  if (row.role == RowRole::Vanish) return state.z.norm();
  return row.unit * std::abs(state.slope - multipliers[row.multiplier]) / row.stiffness;
}

}  // namespace marrow
