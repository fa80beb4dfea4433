// Contacts that act on the same nodes share one stencil, as all contacts between two affine or rigid bodies
// do. So the matrix has one block for each pair of nodes, and not one for each contact.
#pragma once

#include "contact/contact_set.h"
#include "kinematics/node_map.h"
#include "linalg/assembly.h"

namespace marrow {

inline std::span<const Index> vertices_of(const Contact& contact) {
  return std::span(contact.vertices).first(static_cast<size_t>(contact.shape.count));
}

class ContactStencils {
 public:
  StencilGroup group;

  // vertices: those of each contact.
  void set(std::span<const std::span<const Index>> vertices, const NodeMap& map);

  // The contacts of a stencil, ascending.
  std::span<const Index> contacts_of(size_t stencil) const {
    return {contacts_.data() + offsets_[stencil], contacts_.data() + offsets_[stencil + 1]};
  }

  // The number of stencils per task: about 64 contacts.
  size_t grain() const { return 1 + 64 * group.stencil_count() / (contacts_.size() + 1); }

 private:
  std::vector<Index> offsets_ = {0}, contacts_;
};

}  // namespace marrow
