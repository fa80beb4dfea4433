// Contact as a time step sees it: barrier and friction terms over the surfaces of all bodies, with the
// barrier's stiffness chosen at the start of a step and raised where gaps get too small.
#pragma once

#include "potentials/barrier.h"
#include "potentials/friction.h"
#include "sim/model.h"

namespace marrow {

// The surfaces of all bodies, by the numbers of their points.
CollisionMesh build_collision_mesh(const Kinematics& kinematics);

// All points at rest.
Points collect_rest_points(const Kinematics& kinematics);

// Below this κ contacts would have to come too close to bear the weight of the bodies (thesis, A.6). [kg m²]
double compute_least_stiffness(const Model& model);

class ContactTerms {
 public:
  // The model must outlive this. is_prescribed: one flag per node.
  ContactTerms(const Model& model, const std::vector<char>& is_prescribed);

  Barrier& barrier() { return barrier_; }
  Friction& friction() { return friction_; }
  bool has_friction() const { return model_.contact.has_friction(); }

  // Begins a step of length h from n; scale is the integrator's.
  void start_step(const VecX& n, double h, double scale);

  // Chooses κ where barrier and other forces balance best. others: the gradient of all other terms at n.
  void choose_stiffness(const VecX& n, const VecX& others, const std::vector<char>& is_fixed);

  // After an iteration: raises κ while gaps are tiny and still shrink.
  void watch_gap(const VecX& n);

  // Friction takes the normals and forces at n.
  void update_friction(const VecX& n);

  size_t count_contacts(const VecX& n) const { return barrier_.contacts_at(n).size(); }
  double compute_gap(const VecX& n) const { return compute_smallest_gap(barrier_.contacts_at(n)); }

 private:
  const Model& model_;
  double least_stiffness_;
  double tiny_gap_;
  double last_gap_ = 0;
  Barrier barrier_;
  Friction friction_;
};

}  // namespace marrow
