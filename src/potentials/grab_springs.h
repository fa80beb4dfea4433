// Grabs: a damped spring of limited force draws a point of a body to a target (docs/play.md).
//
//   E = Σ F (√(D² + |x − q|²) − D)     x = Σ w_k n_k,  K = k + c/h,  D = F/K,  q = (k p + c/h xᵗ)/K
//
// p is the target, xᵗ the point at the start of the part, h its length, k the stiffness, c the damping. Near
// q this is ½ K |x − q|², the spring ½ k |x − p|² and the damper ½ c/h |x − xᵗ|² together; far away the force
// of both together approaches F and never exceeds it. E is convex and smooth.
#pragma once

#include <vector>

#include "kinematics/weighted_point.h"
#include "potentials/potential.h"

namespace marrow {

struct Grab {
  WeightedPoint point;
  Vec3 target = Vec3::Zero();  // [m]
  double stiffness = 0;        // k [N/m]
  double damping = 0;          // c [N s/m]
  double most_force = 0;       // F [N]
};

class GrabSprings final : public Potential {
 public:
  explicit GrabSprings(Index node_count) : node_count_(node_count) {}

  // Replaces all grabs.
  void set(std::vector<Grab> grabs);
  bool is_empty() const { return grabs_.empty(); }

  // Begins a part of a step of length h [s] at n. Without inertia there is no damping.
  void start_step(const VecX& n, double h, bool is_damped);

  // Where the points are at n, and the forces on them.
  struct Pull {
    Vec3 at = Vec3::Zero();      // [m]
    Vec3 target = Vec3::Zero();  // [m]
    Vec3 force = Vec3::Zero();   // [N]
    double most_force = 0;       // [N]
  };
  std::vector<Pull> compute_pulls(const VecX& n) const;

  // The springs of this part, for those who treat them as rows of a matrix.
  struct Row {
    const WeightedPoint* point = nullptr;
    double stiffness = 0;        // K [N/m]
    Vec3 centre = Vec3::Zero();  // q [m]
    double reach = 1;            // D [m]
  };
  std::vector<Row> list_rows() const;

  const char* name() const override { return "grabs"; }
  bool is_stiff() const override { return true; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  // What a grab is in this part: E depends on x − centre only.
  struct Spring {
    Vec3 centre = Vec3::Zero();  // q
    double reach = 1;            // D
  };

  Index node_count_;
  std::vector<Grab> grabs_;
  std::vector<Spring> springs_;
  StencilGroup group_;
};

}  // namespace marrow
