#include "marrow/model_words.h"

#include <fmt/format.h>

#include "core/text.h"
#include "geometry/curved/lattice.h"

namespace marrow {
namespace {

// The elements that stand for affine bodies are no mesh of the user's.
size_t count_elements(const Kinematics& kinematics) {
  size_t count = kinematics.elements.count() - kinematics.affine_elements.size() +
                 kinematics.membranes.count() + kinematics.strands.count();
  for (const ReducedElements& reduced : kinematics.reduced) count += reduced.fine.count();
  for (const CurvedTets& tets : kinematics.curved) {  // a tet is one element, with points of quadrature
    count -= tets.element_count;
    count += tets.nodes.size() / static_cast<size_t>(count_lattice(tets.order));
  }
  return count;
}

}  // namespace

std::string describe_counts(const Kinematics& kinematics) {
  std::string text =
      fmt::format("{}, {}", format_count(static_cast<long>(kinematics.bodies.size()), "body", "bodies"),
                  format_count(kinematics.node_count, "node", "nodes"));
  if (const size_t elements = count_elements(kinematics); elements > 0) {
    text += ", " + format_count(static_cast<long>(elements), "element", "elements");
  }
  return text;
}

}  // namespace marrow
