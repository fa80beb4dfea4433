#include "potentials/joints/joints.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace marrow {
namespace {

struct JointHeuristics {
  // κ = k s Σ |∂c/∂n|²/m, the factor by which a solve reduces the violation of a single joint. It starts low,
  // so that curved relations do not force Newton into short steps. [D9]
  double first_stiffness = 1e4;
  // Its growth from solve to solve, in which few Newton steps are then needed. 1: multipliers alone.
  // [ablation: joint_growth]
  double growth = 30;
  // Its largest value. [measured: docs/models/joints.md, a load of 1,000 kg on links of 0.3 g needs it]
  double largest_stiffness = 1e10;
  // Motors, which something may block, start at this fraction of it. [ablation: motor_softness]
  double motor_softness = 1e-2;
  // The largest rotation of a motor per step [rad]. [derived: below half a turn, beyond which the opposite
  // rotation is shorter]
  double farthest_turn = 2.8;
  // From this round on, rounds end if one leaves more than the second number, a fraction, of the residual:
  // something blocks the joint. [ablation: joint_patience]
  int patience = 5;
  double progress = 0.9;
};
constexpr JointHeuristics kJoints;

}  // namespace

void add_report(const JointReport& part, JointReport& total) {
  total.rounds += part.rounds;
  if (part.residual > total.residual) {
    total.residual = part.residual;
    total.loosest = part.loosest;
    total.is_motor = part.is_motor;
  }
  total.broken = part.broken;
}

Joints::Joints(const std::vector<Joint>& joints, const JointOptions& options, double size, Index node_count)
    : joints_(joints), tolerance_(options.tolerance * size), max_rounds_(options.max_rounds) {
  std::vector<Index> offsets = {0}, nodes;
  for (size_t j = 0; j < joints.size(); ++j) {
    for (JointRow& row : build_joint_rows(joints[j], j, multiplier_count_)) {
      nodes.insert(nodes.end(), row.stencil.nodes().begin(), row.stencil.nodes().end());
      offsets.push_back(static_cast<Index>(nodes.size()));
      rows_.push_back(std::move(row));
    }
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count);
}

JointMemory Joints::make_memory() const {
  JointMemory memory;
  memory.multipliers = VecX::Zero(multiplier_count_);
  for (const Joint& joint : joints_) {
    memory.joints.push_back({.coordinate = joint.coordinate ? joint.coordinate->initial : 0});
  }
  return memory;
}

void Joints::start_step(const JointMemory& memory, const VecX& n, const JointStep& step) {
  start_ = memory.joints.empty() ? make_memory() : memory;
  multipliers_ = start_.multipliers;
  force_share_ = step.scale / step.end_scale;
  stiffness_ = kJoints.first_stiffness;
  report_ = {};
  is_left_open_ = false;
  for (JointRow& row : rows_) set_row(n, step, row);
  is_loose_.assign(rows_.size(), 0);
}

void Joints::set_row(const VecX& n, const JointStep& step, JointRow& row) const {
  const Joint& joint = joints_[row.joint];
  row.is_broken = start_.joints[row.joint].is_broken;
  row.near = start_.joints[row.joint].coordinate;
  if (row.role == RowRole::Spring) {
    row.resistance = step.end_scale / step.scale * joint.spring->damping / step.length;
    return;
  }
  if (row.role == RowRole::Drive) {
    const JointMotor& motor = *joint.motor;
    row.target = motor.position ? motor.unit * motor.position->evaluate(step.end)
                                : row.near + step.length * motor.unit * motor.speed->evaluate(step.end);
    if (row.kind == CoordinateKind::Angle) {
      row.target =
          row.near + std::clamp(row.target - row.near, -kJoints.farthest_turn, kJoints.farthest_turn);
    }
  }
  // The mobility of the row, which determines its stiffness [1/kg].
  const StackedVec z = row.stencil.gather(n);
  const StackedVec slope = row.role == RowRole::Vanish
                               ? StackedVec(Vec3::UnitX())
                               : compute_joint_function(row.kind, z, row.near).gradient;
  const double mobility = row.stencil.compute_mobility(slope, step.inverse_resistance);
  row.stiffness = mobility > 0 ? stiffness_ / (step.scale * mobility) : 0;
  if (row.role != RowRole::Drive) return;
  row.stiffness *= kJoints.motor_softness;
  row.largest = joint.motor->max_force / force_share_;
  start_motor(multipliers_, row);
}

void Joints::scale_stiffness(double factor) {
  stiffness_ *= factor;
  for (JointRow& row : rows_) row.stiffness *= factor;
}

bool Joints::tighten(const VecX& n) {
  const double last = report_.residual;
  report_.residual = 0;
  bool is_changed = false;
  for (size_t r = 0; r < rows_.size(); ++r) {
    if (!rows_[r].is_active()) continue;
    const RowState state = compute_row(rows_[r], multipliers_, n);
    const double residual = compute_row_residual(rows_[r], state, multipliers_);
    is_loose_[r] = residual > tolerance_;
    if (residual > report_.residual) {
      report_.residual = residual;
      report_.loosest = rows_[r].joint;
      report_.is_motor = rows_[r].role == RowRole::Drive;
    }
    if (update_multiplier(state, rows_[r], multipliers_)) is_changed = true;
  }
  ++report_.rounds;
  ++round_;
  const bool is_stuck =
      round_ >= kJoints.patience && !is_changed && report_.residual > kJoints.progress * last;
  if ((report_.residual <= tolerance_ && !is_changed) || round_ >= max_rounds_ || is_stuck) return false;
  if (stiffness_ < kJoints.largest_stiffness) scale_stiffness(kJoints.growth);
  return true;
}

// The force of a row at the end of the step. The multipliers hold the forces of the last solve, as tighten
// stored them. Of a spring's force, the part of the damper acts at the end of the step only.
RowState Joints::compute_acting(const JointRow& row, const VecX& n) const {
  JointRow acting = row;
  acting.resistance *= force_share_;
  RowState state = compute_row(acting, multipliers_, n);
  if (row.role == RowRole::Vanish) {
    state.force = multipliers_.segment<3>(row.multiplier);
  } else if (row.role != RowRole::Spring) {
    state.force = multipliers_[row.multiplier] * state.function.gradient;
  }
  return state;
}

std::vector<Joints::Load> Joints::compute_loads(const VecX& n) const {
  std::vector<Load> loads(joints_.size());
  std::vector<Vec3> pulls;
  for (const JointRow& row : rows_) {
    if (!row.is_active()) continue;
    const Joint& joint = joints_[row.joint];
    const Vec3 anchor = joint.anchor_a.at(n);
    const double share = row.role == RowRole::Spring ? 1 : force_share_;
    pulls.resize(row.stencil.nodes().size());
    row.stencil.pull_gradient(compute_acting(row, n).force, pulls);
    for (size_t k = 0; k < pulls.size(); ++k) {
      const Index node = row.stencil.nodes()[k];
      if (node < joint.first_node_a || node >= joint.first_node_a + joint.node_count_a) continue;
      loads[row.joint].force -= share * pulls[k];
      loads[row.joint].torque -= share * (n.segment<3>(3 * node) - anchor).cross(pulls[k]);
    }
  }
  return loads;
}

void Joints::add_forces(const VecX& n, VecX& forces) const {
  std::vector<Vec3> pulls;
  for (const JointRow& row : rows_) {
    if (!row.is_active()) continue;
    // The whole force of a row has the scale of forces through the step, that of a spring's damper too.
    const RowState state =
        row.role == RowRole::Spring ? compute_row(row, multipliers_, n) : compute_acting(row, n);
    pulls.resize(row.stencil.nodes().size());
    row.stencil.pull_gradient(state.force, pulls);
    for (size_t k = 0; k < pulls.size(); ++k) {
      forces.segment<3>(3 * row.stencil.nodes()[k]) -= force_share_ * pulls[k];
    }
  }
}

bool Joints::was_held_up(const JointMemory& memory) {
  return std::any_of(memory.joints.begin(), memory.joints.end(),
                     [](const JointStatus& joint) { return joint.is_held_up; });
}

JointMemory Joints::finish_step(const VecX& n) {
  JointMemory memory = start_;
  for (JointStatus& joint : memory.joints) joint.is_held_up = false;
  const std::vector<Load> loads = compute_loads(n);
  for (size_t j = 0; j < loads.size(); ++j) {
    memory.joints[j].force = loads[j].force.norm();
    memory.joints[j].torque = loads[j].torque.norm();
  }
  // A blocked row would accumulate force from step to step, so it keeps its multipliers of the start.
  memory.multipliers = multipliers_;
  for (size_t r = 0; r < rows_.size(); ++r) {
    const JointRow& row = rows_[r];
    if (row.role == RowRole::Spring || !is_loose_[r]) continue;
    memory.joints[row.joint].is_held_up = is_left_open_;
    memory.multipliers.segment(row.multiplier, row.size()) =
        start_.multipliers.segment(row.multiplier, row.size());
  }
  for (size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    JointStatus& status = memory.joints[j];
    if (joint.coordinate) {
      const VectorStencil stencil(joint.coordinate->vectors);
      status.coordinate =
          compute_joint_function(joint.coordinate->kind, stencil.gather(n), status.coordinate).value;
    }
    if (status.force > joint.break_force || status.torque > joint.break_torque) status.is_broken = true;
    report_.broken += status.is_broken ? 1 : 0;
  }
  return memory;
}

std::vector<HeldRate> Joints::list_held_rates(const VecX& n, double h) const {
  std::vector<HeldRate> rates;
  for (const JointRow& row : rows_) append_held_rates(row, multipliers_, n, h, rates);
  return rates;
}

double Joints::compute_spring_energy(const VecX& n) const {
  double sum = 0;
  for (const JointRow& row : rows_) {
    if (row.role != RowRole::Spring || row.is_broken) continue;
    JointRow spring = row;
    spring.resistance = 0;
    sum += compute_row(spring, multipliers_, n).energy;
  }
  return sum;
}

void Joints::add_spring_gradient(const VecX& n, double weight, VecX& g) const {
  std::vector<Vec3> pulls;
  for (const JointRow& row : rows_) {
    if (row.role != RowRole::Spring || row.is_broken) continue;
    JointRow spring = row;
    spring.resistance = 0;
    pulls.resize(row.stencil.nodes().size());
    row.stencil.pull_gradient(compute_row(spring, multipliers_, n).force, pulls);
    for (size_t k = 0; k < pulls.size(); ++k) g.segment<3>(3 * row.stencil.nodes()[k]) += weight * pulls[k];
  }
}

double Joints::compute_value(const VecX& n) const {
  return exec::parallel_sum("joints.value", rows_.size(), [&](size_t r) {
    return rows_[r].is_active() ? compute_row(rows_[r], multipliers_, n).energy : 0.0;
  });
}

double Joints::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("joints.magnitude", rows_.size(), [&](size_t r) {
    if (!rows_[r].is_active()) return 0.0;
    const RowState state = compute_row(rows_[r], multipliers_, n);
    return std::abs(state.energy) + rows_[r].stencil.compute_magnitude(state.force, n);
  });
}

void Joints::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("joints.gradient", rows_.size(), [&](size_t r) {
    const std::span<Vec3> local = group_.gradient_of(r);
    if (!rows_[r].is_active()) {
      std::fill(local.begin(), local.end(), Vec3::Zero());
      return;
    }
    rows_[r].stencil.pull_gradient(weight * compute_row(rows_[r], multipliers_, n).force, local);
  });
  group_.add_gradient(g);
}

const StencilGroup* Joints::update_hessian(const VecX& n, double weight) {
  if (rows_.empty()) return nullptr;
  exec::parallel_for("joints.hessian", rows_.size(), [&](size_t r) {
    const std::span<Mat3> blocks = group_.blocks_of(r);
    if (!rows_[r].is_active()) {
      std::fill(blocks.begin(), blocks.end(), Mat3::Zero());
      return;
    }
    const RowState state = compute_row(rows_[r], multipliers_, n);
    rows_[r].stencil.pull_hessian(weight * compute_row_hessian(rows_[r], state), blocks);
  });
  return &group_;
}

}  // namespace marrow
