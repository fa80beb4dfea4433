// The barrier energy of contacts: E = κ Σ m e b(f/ŝ), with multiplicity m, mollifier e and squared medial
// distance f.
//
// The positive semi-definite Hessian of a contact away from the mollifier's ramp is a closed form, without an
// eigen-solve (docs/models/distance.md, potentials/barrier_projection.h):
//
//   H⁺ = κ m [ (4 b″|c|²/ŝ² + 2 b′/ŝ) w wᵀ ⊗ n nᵀ − (2 b′/ŝ) S⁺ ],     S = P H⁻¹ Pᵀ − w wᵀ ⊗ (I − n nᵀ)
//
// On the ramp e and b both vary, and the 12×12 matrix is projected by its eigenvalues.
#pragma once

#include <array>

#include "contact/contact_set.h"
#include "potentials/contact_motion.h"
#include "potentials/contact_stencils.h"
#include "potentials/potential.h"

namespace marrow {

double compute_barrier_energy(const std::vector<Contact>& contacts, const ContactPoints& points,
                              double kappa);

// One stencil per contact, over the nodes its vertices follow.
void set_barrier_stencils(const std::vector<Contact>& contacts, const NodeMap& map,
                          ContactStencils& stencils);

// Fills the stencils' local gradients.
void update_barrier_gradients(const std::vector<Contact>& contacts, const ContactPoints& points,
                              const NodeMap& map, double kappa, ContactStencils& stencils);

// Fills the stencils' local Hessian blocks, projected to be positive semi-definite.
void update_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                             const NodeMap& map, double kappa, ContactStencils& stencils);

// … as they are, where that is offered.
void update_exact_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                                   const NodeMap& map, double kappa, ContactStencils& stencils);

// The barrier of all contacts as a term of the objective; it also carries the collision limit of a step.
class Barrier final : public Potential {
 public:
  // rest: all points at rest.
  Barrier(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map, Points rest, double d_hat,
          const std::vector<CertifiedSurface>& certified = {});

  // Forgets what earlier steps left, so that a resumed run gives the same bits.
  void reset();

  // Nodes will soon be asked about on this path: one search for pairs may do for all of it.
  void expect(const NodePath& path) { motion_.expect(path); }

  // κ, in the units of the objective [kg m²].
  void set_stiffness(double kappa) { kappa_ = kappa; }
  double stiffness() const { return kappa_; }

  // Factors of κ by body: a contact has the smaller one of its two bodies. Empty: all 1.
  void set_body_factors(std::vector<double> factors) { body_factors_ = std::move(factors); }

  // Pairs of bodies with a d̂ of their own, ascending; takes effect with the next reset.
  void set_activations(std::vector<PairActivation> activations) { activations_ = std::move(activations); }

  // Where these pairs of bodies first meet on a path (potentials/contact_motion.h).
  Meeting find_meeting(const NodePath& path, const std::vector<IndexPair>& bodies) {
    return motion_.find_meeting(path, bodies);
  }

  double d_hat() const { return motion_.d_hat(); }
  const NodeMap& map() const { return motion_.map(); }
  const CollisionMesh& mesh() const { return motion_.mesh(); }
  const CullingReport& culling() const { return motion_.culling(); }

  // The contacts at n; valid until the next call of any member.
  const std::vector<Contact>& contacts_at(const VecX& n) const;

  const char* name() const override { return "barrier"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  const StencilGroup* update_exact_hessian(const VecX& n, double weight) override;
  StepLimit compute_step_limit(const NodePath& path) const override;

  // The points of the last contacts_at: those of its contacts, and others that happen to be known.
  ContactPoints points() const { return {motion_.x(), rest_, mesh().radii, mesh().bodies, activations_}; }

 private:
  void update_stencils();
  bool recall(const VecX& n) const;
  void apply_body_factors() const;

  Points rest_;
  double kappa_ = 0;
  std::vector<double> body_factors_;
  std::vector<PairActivation> activations_;
  ContactStencils stencils_;
  std::vector<PairStencil> stencil_vertices_;  // of the contacts the stencils were made for
  // What is known of the positions last asked for, and of some before: a line search and the choice of a
  // start go back and forth.
  struct Known {
    VecX n;
    std::vector<Contact> contacts;
  };
  mutable ContactMotion motion_;
  mutable VecX n_;
  mutable std::vector<Contact> contacts_;
  mutable std::array<Known, 2> before_;  // the latest first
};

// The smallest gap among contacts; infinite if there are none. [m]
double compute_smallest_gap(const std::vector<Contact>& contacts);

}  // namespace marrow
