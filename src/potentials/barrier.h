// The barrier energy of contacts: E = κ Σ m e b(f/ŝ), with multiplicity m, mollifier e and squared medial
// distance f.
//
// The positive semi-definite Hessian of a contact away from the mollifier's ramp is a closed form of rank at
// most three, without an eigen-solve (docs/models/distance.md):
//
//   H⁺ = κ m [ (4 b″|c|²/ŝ² + 2 b′/ŝ) w wᵀ ⊗ n nᵀ − (2 b′/ŝ) P H⁻¹ Pᵀ ]
//
// On the ramp e and b both vary, and the 12×12 matrix is projected by its eigenvalues.
#pragma once

#include "contact/contact_set.h"
#include "linalg/assembly.h"

namespace marrow {

double compute_barrier_energy(const std::vector<Contact>& contacts, const ContactPoints& points,
                              double kappa);

// One stencil per contact, over the vertices.
void set_barrier_stencils(const std::vector<Contact>& contacts, Index vertex_count, StencilGroup& group);

// Fills the group's local gradients.
void update_barrier_gradients(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa,
                              StencilGroup& group);

// Fills the group's local Hessian blocks, projected to be positive semi-definite.
void update_barrier_hessians(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa,
                             StencilGroup& group);

}  // namespace marrow
