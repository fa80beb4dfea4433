// The largest patches that keep a minimum distance for certain: no corner comes closer to a triangle, and no
// edge to an edge, without a common vertex, at any time while all points go straight from x0 to x1. What asks
// for proximity (contact) need not look within such a patch. The claim and its proof:
// docs/models/self_collision.md.
#pragma once

#include "geometry/certificates.h"

namespace marrow {

class CertifiedRegions {
 public:
  // The certificates must be of CertifiedPairs::Simplices, and outlive this.
  explicit CertifiedRegions(const Certificates& certificates);

  // Nodes of the tree, none within another. distance: of centres, so with radii d̂ and the two largest of
  // them.
  std::vector<Index> find(const Points& x0, const Points& x1, double distance);

 private:
  bool is_certified(Index node, double distance) const;

  const Certificates& certificates_;
  CertificateShapes shapes_;
  PatchInstant instant0_, instant1_;
  Points x0_, x1_;
};

}  // namespace marrow
