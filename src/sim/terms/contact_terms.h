// A time step sees contact as barrier and friction terms over the surfaces of all bodies. The barrier's
// stiffness is chosen at the start of a step, and raised when gaps become too small.
//
// The least stiffness follows from what resists contact: the mass of a body, and its elastic stiffness times
// the step squared. In a pair the less resistant body counts (springs in series). So light and heavy bodies,
// soft and stiff ones, and long steps all keep gaps of a similar fraction of d_hat.
#pragma once

#include "potentials/contact/barrier.h"
#include "potentials/contact/friction.h"
#include "sim/terms/resistance.h"
#include "solve/line_search.h"

namespace marrow {

// The surfaces of all bodies, by the numbers of their points.
CollisionMesh build_collision_mesh(const Kinematics& kinematics);

// Selects the pairs that count. Obstacles may overlap each other. All other pairs count, those of prescribed
// points of other bodies too: a motion that leads such points into something is held up.
CandidateFilter make_candidate_filter(const Model& model);

// True if contact is on and it keeps apart any two bodies that are not both obstacles, or a body and itself.
bool keeps_any_apart(const Model& model);

class ContactTerms {
 public:
  // The model must outlive this. resistances: one per body.
  ContactTerms(const Model& model, std::vector<BodyResistance> resistances);

  ContactFinder& finder() { return finder_; }
  const ContactFinder& finder() const { return finder_; }
  Barrier& barrier() { return barrier_; }
  const Barrier& barrier() const { return barrier_; }
  Friction& friction() { return friction_; }
  const Friction& friction() const { return friction_; }
  bool has_friction() const { return model_.contact.has_friction(); }

  // Begins a step of length h from the start of the path that it is expected to take. scale: of forces that
  // act at the end of the step [s²]. activations: as update_activations gave them.
  void start_step(const NodePath& expected, double h, double scale,
                  const std::vector<PairActivation>& activations);

  // Updates the bodies with a d̂ of their own: at the first step those closer than d̂, whose activation
  // distance is then their gap; later it grows with their gap. Barrier and force are 0 at that gap, so a near
  // start stores no energy.
  void update_activations(const VecX& n, bool is_first, std::vector<PairActivation>& activations);

  // Chooses the κ at which barrier and other forces balance best. others: the gradient of all other terms at
  // n.
  void choose_stiffness(const VecX& n, const VecX& others, const std::vector<char>& is_fixed);

  // Begins a solve of the step: no sliding contact is held back.
  void start_solve();

  // After an iteration: raises κ while gaps are tiny and still shrink; holds sliding contacts back for the
  // rest of the solve if steps had to be shortened. Returns true if κ has changed.
  bool watch_iteration(const VecX& n, const StepLength& length);

  // Friction takes the normals and forces at n, with the κ of the solve that ended there. 0: none.
  void update_friction(const VecX& n, double stiffness);

  size_t count_contacts(const VecX& n) { return finder_.find(n)->contacts.size(); }
  double compute_gap(const VecX& n) { return compute_smallest_gap(finder_.find(n)->contacts); }

 private:
  std::vector<double> choose_least_stiffness(double scale);

  const Model& model_;
  std::vector<BodyResistance> resistances_;
  double least_stiffness_ = 0;  // κ of the least resistant body
  double tiny_gap_;
  double last_gap_ = 0;
  int whole_steps_ = 0;  // Newton iterations since one was halved
  ContactFinder finder_;
  Barrier barrier_;
  Friction friction_;
};

}  // namespace marrow
