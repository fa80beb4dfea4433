#include "geometry/certified_regions.h"

#include "core/macros.h"
#include "geometry/matrix_norm.h"

namespace marrow {

CertifiedRegions::CertifiedRegions(const Certificates& certificates)
    : certificates_(certificates),
      shapes_(certificates),
      instant0_(certificates.tree, certificates.options.max_triangles),
      instant1_(certificates.tree, certificates.options.max_triangles) {
  MARROW_ASSERT(certificates.options.pairs == CertifiedPairs::Simplices);
}

bool CertifiedRegions::is_certified(Index node, double distance) const {
  const PatchShape* shape = shapes_.of_node(node);
  if (shape == nullptr) return false;
  Mat3 A;
  const double bound = bound_patch_motion(*shape, instant0_.of(node), instant0_.size(), instant1_.of(node),
                                          instant1_.size(), &A);
  return bound < shape->limit && bound_spectral_norm(A) * distance <= certificates_.options.clearance;
}

std::vector<Index> CertifiedRegions::find(const Points& x0, const Points& x1, double distance) {
  const PatchTree& tree = certificates_.tree;
  tree.gather(x0, x0_);
  tree.gather(x1, x1_);
  instant0_.update(x0_);
  instant1_.update(x1_);
  std::vector<Index> found;
  std::vector<Index> open = {0};
  while (!open.empty()) {
    const Index n = open.back();
    open.pop_back();
    if (is_certified(n, distance)) {
      found.push_back(n);
    } else if (!tree.node(n).is_leaf()) {
      open.push_back(tree.node(n).right);
      open.push_back(tree.node(n).left);
    }
  }
  return found;
}

}  // namespace marrow
