// Friction is smoothed Coulomb friction with lagged contact forces (docs/models/friction.md):
//
//   E = Σ_k µ λ_k f₀(|u_k|)        u = (I − n nᵀ) Σ_i w_i (x_i − xᵗ_i)
//
// If points have radii r, friction acts on the offset surface x ∓ r n, not on the centres. This surface moves
// with the frame of the point, which is that of an affine or rigid body, or of a medial handle, given by four
// nodes:
//
//   r n = Σ_a b_a n_a,  Σ_a b_a = 0          the nodes' weights get −|w_i| b_a
//
// so that a ball rolls. Soft points have no frame and do not turn.
//
// Normal n, weights w and normal force λ are those of an earlier solve. f₀′ = f₁ rises from 0 to 1 while the
// sliding distance grows to h ε_v, and stays 1: sticking contacts creep slower than ε_v.
#pragma once

#include "contact/options.h"
#include "potentials/contact/contact_finder.h"
#include "potentials/contact/contact_stencils.h"
#include "potentials/potential.h"

namespace marrow {

// f₀, f₁ and its derivative at the sliding distance y >= 0, for the smoothing distance ε > 0.
struct FrictionFunction {
  double value = 0;
  double over_y = 0;  // f₁(y)/y
  double second = 0;  // f₁′(y)
};
FrictionFunction compute_friction_function(double y, double epsilon);

// The magnitude of the normal force of a contact: −κ m e db/d|c|.
double compute_normal_force(const Contact& contact, const ContactPoints& points, double kappa);

class Friction final : public Potential {
 public:
  // bodies: the body of each point. model and map must outlive this.
  Friction(const ContactModel& model, const NodeMap& map, std::vector<Index> bodies);

  // Sets the positions from which sliding is measured, and the distance below which contacts stick: h ε_v.
  // [m]
  void set_start(VecX start, double epsilon);

  // Takes normals and forces from these contacts.
  void set_contacts(const ContactState& at, double kappa);

  // The weight of the majoriser of sliding contacts, 0 to 1: 0 is Newton's Hessian, 1 needs no line search.
  void set_sliding_majoriser(double share) { majoriser_share_ = share; }

  size_t contact_count() const { return contacts_.size(); }

  // A contact of friction at n: F on each node is −w times the gradient, and the same on each vertex, but for
  // the arms of radii.
  struct ContactForce {
    std::span<const Index> nodes, vertices;
    std::span<const double> node_weights, vertex_weights;
    Vec3 gradient;        // µ λ f₁ û
    double strength = 0;  // µ λ
    double slid = 0;      // |u| [m]
  };
  ContactForce compute_force(size_t contact, const VecX& n) const;

  // The positions from which sliding is measured, and the distance below which contacts stick [m].
  const VecX& start() const { return start_; }
  double epsilon() const { return epsilon_; }

  const char* name() const override { return "friction"; }
  bool is_stiff() const override { return true; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override { return compute_value(n); }
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  // A contact as friction sees it: a weighted sum of nodes that must not move across the normal.
  struct LaggedContact {
    Vec3 normal;
    double strength;  // µ λ
    PairStencil vertices;
    std::array<double, 4> weights;  // of the vertices
    size_t count;                   // of vertices
  };
  Vec3 compute_sliding(size_t contact, const VecX& n) const;
  // Its Hessian with respect to the sliding distance, as the sum of r rᵀ.
  std::array<Vec3, 2> factorize_local_hessian(size_t contact, const VecX& n) const;
  std::span<const double> weights_of(size_t contact) const;
  void add_arms(const VecX& n, const Contact& contact, std::span<const double> radii, size_t k);

  const ContactModel& model_;
  const NodeMap& map_;
  std::vector<Index> bodies_;
  VecX start_;
  double epsilon_ = 1;
  double majoriser_share_ = 0;
  std::vector<LaggedContact> contacts_;
  std::vector<Index> offsets_ = {0};  // into weights_, which go with the nodes of the contact's stencil
  std::vector<double> weights_;
  std::vector<Index> stencil_of_;  // by contact
  ContactStencils stencils_;
};

}  // namespace marrow
