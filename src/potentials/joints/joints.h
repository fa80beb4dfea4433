// The joints of a scene form an augmented Lagrangian over their rows (potentials/joints/joint_row.h).
//
//   E = Σ_rows  λ c + k c²/2      and, between solves of a step,  λ ← λ + k c  until |c| is small
//
// The multipliers are kept from step to step, so the first solve begins near the answer. k is chosen from the
// masses that move: 1/k is a small fraction of s Σ_i |∂c/∂n_i|²/m_i, the distance by which the row yields per
// step under a unit force. Method of multipliers: Hestenes (1969), Powell (1969);
// docs/decisions/0009-joints.md says why this one.
#pragma once

#include "potentials/joints/joint_row.h"
#include "potentials/potential.h"

namespace marrow {

// The properties of a step that joints need.
struct JointStep {
  double length = 0;                       // [s]
  double end = 0;                          // time at its end [s]
  double scale = 0;                        // s of the integrator [s²]
  double end_scale = 0;                    // of forces that act at the end of the step only [s²]
  std::vector<double> inverse_resistance;  // of each node [1/kg]; 0 if it is prescribed
};

// The outcome of the joints.
struct JointReport {
  int rounds = 0;         // solves
  double residual = 0;    // largest distance of a joint from holding [m]
  size_t loosest = 0;     // that joint
  bool is_motor = false;  // the residual is that of its motor
  int broken = 0;         // so far
};

// Rounds add up; the residual is the larger one, and the broken joints are those of the later part.
void add_report(const JointReport& part, JointReport& total);

class Joints final : public Potential {
 public:
  Joints(const std::vector<Joint>& joints, const JointOptions& options, double size, Index node_count);

  bool is_empty() const { return rows_.empty(); }

  // The memory at time 0.
  JointMemory make_memory() const;

  // Begins a step from n with this memory; an empty memory is that of time 0.
  void start_step(const JointMemory& memory, const VecX& n, const JointStep& step);

  // Begins a series of solves of the step.
  void start_solves() { round_ = 0; }

  // After a solve: multipliers take the forces found. Returns true if another solve is needed.
  bool tighten(const VecX& n);

  // True if something was in the way of a joint when the last step ended.
  static bool was_held_up(const JointMemory& memory);

  // In this step, joints that do not hold are left open.
  void accept_open() { is_left_open_ = true; }

  // Ends the step at n and returns its memory. Joints that carried too much force break.
  JointMemory finish_step(const VecX& n);

  // The rates that the joints hold at n, the end of a step of length h.
  std::vector<HeldRate> list_held_rates(const VecX& n, double h) const;

  JointReport report() const { return report_; }

  // Adds the forces that joints exert on the nodes in this step [N]: of held relations and motors those of
  // the last solve; of springs the part that acts at the end of the step, if the integrator carries over the
  // rest.
  void add_forces(const VecX& n, VecX& forces) const;

  // The forces on the first body of each joint, and their torques about its anchor; of springs those at n.
  struct Load {
    Vec3 force = Vec3::Zero();   // [N]
    Vec3 torque = Vec3::Zero();  // [N m]
  };
  std::vector<Load> compute_loads(const VecX& n) const;

  // Springs alone, without damping: their energy, and the forces that integrators carry over.
  double compute_spring_energy(const VecX& n) const;
  void add_spring_gradient(const VecX& n, double weight, VecX& g) const;

  const char* name() const override { return "joints"; }
  bool is_stiff() const override { return true; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  void set_row(const VecX& n, const JointStep& step, JointRow& row) const;
  void scale_stiffness(double factor);
  RowState compute_acting(const JointRow& row, const VecX& n) const;

  const std::vector<Joint>& joints_;
  double tolerance_;  // [m]
  int max_rounds_;
  std::vector<JointRow> rows_;
  Index multiplier_count_ = 0;
  StencilGroup group_;
  // Of the step.
  JointMemory start_;
  VecX multipliers_;
  double stiffness_ = 0;        // κ: k over the mass that moves
  double force_share_ = 1;      // of a multiplier that is a force through the whole step
  std::vector<char> is_loose_;  // rows that did not hold in the last round
  bool is_left_open_ = false;
  int round_ = 0;  // of the series
  JointReport report_;
};

}  // namespace marrow
