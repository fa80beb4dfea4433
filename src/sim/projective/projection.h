// The projective stepper: implicit Euler by local projections and a constant global matrix
// (docs/models/projective.md).
//
//   E(n) = ½ |n − ñ|²_M + h² (loads·n + Σ_e Σ_c ½ w_c min_{P ∈ C_c} |F_e − P|²)
//
//   local    P_e ← the point of C_c closest to F_e                  every tet by itself (local_step.h)
//   global   (M + h² K) n = M ñ + h² (Σ w_c Gᵀ P − loads)           K = Σ w_c Gᵀ G, scalar ⊗ I₃
//
// G takes nodes to F. The matrix depends on neither n nor time; it is factorised once, and again only where
// other nodes are prescribed. Nodes that are prescribed are taken out; ball joints are terms ½ w |z|².
//
// What collides is another matter: a step that must keep bodies apart starts the usual solve at the result
// (sim/projective_start.h), one that need not is the result (sim/projective_step.h).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kinematics/weighted_point.h"
#include "sim/model/model.h"
#include "sim/model/report.h"
#include "sim/projective/contact_inverse.h"

namespace marrow {

// A vertex that is drawn to a place; only in solves with contact.
struct GhostTarget {
  Index point = kNone;        // of all bodies
  Vec3 shift = Vec3::Zero();  // from where it is [m]
};

// Called in every iteration with the nodes n and the points x of all bodies: appends where vertices are
// drawn, at most once each.
using FindTargets = std::function<void(const VecX& n, const Points& x, std::vector<GhostTarget>& targets)>;

// A spring of limited force from a point to a place q: E = ½ K |x − q|² near q, K D |x − q| far away. It is a
// row K of the matrix; drawing the point to x + D/√(D² + |q − x|²) (q − x) gives the force of E.
struct SpringRow {
  const WeightedPoint* point = nullptr;
  double stiffness = 0;       // K [N/m]
  Vec3 place = Vec3::Zero();  // q [m]
  double reach = 0;           // D [m]
};

class Projection {
 public:
  // The model must outlive this.
  explicit Projection(const Model& model);
  ~Projection();
  Projection(const Projection&) = delete;
  Projection& operator=(const Projection&) = delete;

  // Prepares for parts of length h with these nodes prescribed; costs nothing if both are as before.
  void prepare(const std::vector<char>& is_fixed, double h);

  // Moves the nodes of the bodies that it knows from where they are towards the minimum; all others, and
  // prescribed ones, stay. prediction: ñ; loads: their gradient [N]; springs: of points of single bodies.
  // find_targets: contact, or empty.
  ProjectiveReport solve(const VecX& prediction, const VecX& loads, const std::vector<SpringRow>& springs,
                         const FindTargets& find_targets, VecX& n);

  // Whether every node that is not prescribed is one that projections move.
  bool moves_all_free() const;

  // Whether all matrices are dense.
  bool is_dense() const;

  // The inverse of the matrix last prepared; valid until the next is.
  ContactInverse make_contact_inverse();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
