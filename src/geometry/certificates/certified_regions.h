// Patches that keep a minimum distance for certain: no corner comes closer to a triangle, and no edge to an
// edge, without a common vertex, at any time while all points go straight from x0 to x1. What asks for
// proximity (contact/certified_culling.h) need not look within such a patch. The claim and its proof:
// docs/models/self_collision.md.
//
// Patches are chosen for one way, with room to spare, and asked again for others. Sums of ends that were
// asked about lately are known.
#pragma once

#include "geometry/certificates/certificates.h"

namespace marrow {

class CertifiedRegions {
 public:
  // The certificates must be of CertifiedPairs::Simplices, and outlive this. distance: of centres, so with
  // radii d̂ and the two largest of them.
  CertifiedRegions(const Certificates& certificates, double distance);

  // Takes the largest patches that keep the distance on this way. Points are in the order of the tree.
  void choose(const Points& x0, const Points& x1);
  void choose_none() { nodes_.clear(); }

  // Whether those chosen keep it on this way too. What does not is not chosen for a while.
  bool holds(const Points& x0, const Points& x1);

  // Nodes of the tree, none within another.
  const std::vector<Index>& nodes() const { return nodes_; }

 private:
  struct Instant {
    Points x;
    PatchInstant sums;
  };
  struct Ends {
    const PatchInstant &start, &end;
  };
  Ends find_ends(const Points& x0, const Points& x1);
  size_t find_instant(const Points& x, size_t kept);
  bool is_certified(Index node, const Ends& ends, double room) const;

  const Certificates& certificates_;
  double distance_;
  CertificateShapes shapes_;
  std::vector<Index> nodes_;
  std::vector<int> rests_until_;  // of every node: it is not chosen before
  int choices_ = 0;
  std::vector<Instant> instants_;
  size_t next_ = 0;
};

}  // namespace marrow
