// The barrier energy of contacts is E = κ Σ m e b(f/ŝ), with multiplicity m, mollifier e and squared medial
// distance f.
//
// The positive semi-definite Hessian of a contact away from the mollifier's ramp is a closed form, without an
// eigen-solve (docs/models/distance.md, potentials/contact/barrier_projection.h):
//
//   H⁺ = κ m [ (4 b″|c|²/ŝ² + 2 b′/ŝ) w wᵀ ⊗ n nᵀ − (2 b′/ŝ) S⁺ ],     S = P H⁻¹ Pᵀ − w wᵀ ⊗ (I − n nᵀ)
//
// On the ramp e and b both vary, and the 12×12 matrix is projected by its eigenvalues.
#pragma once

#include "contact/contact_set.h"
#include "potentials/contact/contact_finder.h"
#include "potentials/contact/contact_stencils.h"
#include "potentials/potential.h"

namespace marrow {

double compute_barrier_energy(const std::vector<Contact>& contacts, const ContactPoints& points,
                              double kappa);

// The derivatives of a contact's energy by its vertices: the forces on them, times −1. scale: κ times the
// contact's multiplicity.
std::array<Vec3, 4> compute_local_gradient(const Contact& contact, const ContactPoints& points, double scale);

// One stencil per contact, over the nodes its vertices follow.
void set_barrier_stencils(const std::vector<Contact>& contacts, const NodeMap& map,
                          ContactStencils& stencils);

// Fills the stencils' local gradients.
void update_barrier_gradients(const std::vector<Contact>& contacts, const ContactPoints& points,
                              const NodeMap& map, double kappa, ContactStencils& stencils);

// Fills the stencils' local Hessian blocks, projected to be positive semi-definite.
void update_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                             const NodeMap& map, double kappa, ContactStencils& stencils);

// The same without the projection, for contacts that offer it.
void update_exact_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points,
                                   const NodeMap& map, double kappa, ContactStencils& stencils);

// The barrier of all contacts as a term of the objective; it also carries the collision limit of a step.
class Barrier final : public Potential {
 public:
  // The finder must outlive this.
  explicit Barrier(ContactFinder& finder) : finder_(finder) {}

  // κ, in the units of the objective [kg m²].
  void set_stiffness(double kappa) { kappa_ = kappa; }
  double stiffness() const { return kappa_; }

  const char* name() const override { return "barrier"; }
  bool is_stiff() const override { return true; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  const StencilGroup* update_exact_hessian(const VecX& n, double weight) override;
  StepLimit compute_step_limit(const NodePath& path) const override { return finder_.compute_limit(path); }

 private:
  void update_stencils(const std::vector<Contact>& contacts);

  ContactFinder& finder_;
  double kappa_ = 0;
  ContactStencils stencils_;
  std::vector<PairStencil> stencil_vertices_;  // of the contacts for which the stencils were made
};

}  // namespace marrow
