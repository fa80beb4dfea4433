// The inverse of the constant matrix and the normals of contacts: (A ⊗ I₃ + Σ_c (v_c v_cᵀ) ⊗ (n_c n_cᵀ))⁻¹.
//
// Woodbury: with U_c = A⁻¹ v_c the capacity matrix is C_ab = δ_ab + (n_a·n_b) v_aᵀ U_b. A body's nodes couple
// only with those of its group, so that v has a part in each group that a contact touches.
#pragma once

#include <vector>

#include "linalg/scalar/scalar_factor.h"

namespace marrow {

// One contact: a unit direction n and weights v over nodes, in which the root of its curvature is a factor.
struct ContactRow {
  std::vector<Index> nodes;
  std::vector<double> weights;
  Vec3 direction = Vec3::Zero();
};

// The nodes of a group, and its factor over them.
struct FactorOfNodes {
  ScalarFactor* factor = nullptr;
  const std::vector<Index>* nodes = nullptr;
};

class ContactInverse {
 public:
  // place_of: by node, its place in its group, or kNone; group_of_node: by node. Both must outlive this.
  ContactInverse(std::vector<FactorOfNodes> groups, const std::vector<Index>& place_of,
                 const std::vector<Index>& group_of_node);

  // False if there is no inverse to rounding.
  bool set_rows(const std::vector<ContactRow>& rows);

  // p over all nodes; 0 at nodes of no group.
  void apply(const VecX& g, VecX& p);

 private:
  void apply_plain(const VecX& g, VecX& p);

  struct Part {
    std::vector<Index> places;
    std::vector<double> weights;
    VecX column;  // A⁻¹ v
    Index group = 0;
    size_t row = 0;
  };

  std::vector<FactorOfNodes> groups_;
  const std::vector<Index>& place_of_;
  const std::vector<Index>& group_of_node_;
  std::vector<Part> parts_;  // by row, then group
  std::vector<Vec3> directions_;
  MatX capacity_;  // inverted
  VecX rhs_, solution_;
};

}  // namespace marrow
