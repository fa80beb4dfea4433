// Certificates of a mesh: for patches of its hierarchy, and for pairs of patches that share edges, the energy
// below which no two of their triangles can touch. Computed once (preprocess/certificates/certificates.h),
// kept in a file (certificate_file.h), tested at run time (self_collision.h, certified_regions.h).
#pragma once

#include <cstdint>

#include "geometry/certificates/patch_energy.h"

namespace marrow {

enum class CertifiedPairs : std::uint8_t {
  Triangles,  // triangles that share no vertex do not intersect
  Simplices   // corners and triangles, and edges, that share no vertex keep the clearance
};

struct CertificateOptions {
  Index leaf_size = 6;         // patches of so many triangles are not split further
  Index max_triangles = 1500;  // larger patches, and pairs of patches, have no certificate
  CertifiedPairs pairs = CertifiedPairs::Triangles;
  double clearance = 0;  // [m] that pulled-back patches keep
  PatchEnergyOptions energy;
};

// A plane through the shared vertices of a pair that share one or two: at rest, all else is strictly on its
// sides.
struct SeparatingPlane {
  Index pair = kNone;
  std::array<float, 3> normal = {};  // towards patch b
};

struct Certificates {
  CertificateOptions options;
  PatchTree tree;
  std::vector<float> node_limits;  // of √E, rounded down; 0: no certificate
  std::vector<float> pair_limits;
  std::vector<SeparatingPlane> planes;  // by pair, ascending

  size_t byte_count() const;       // in memory, with the mesh, its tree and the sums of one instant
  size_t data_byte_count() const;  // of that, what a tree of boxes would not have: limits, hinges, planes
};

// Which patches may have one: connected, of more than one triangle and few enough.
bool is_certifiable(const PatchTree& tree, const CertificateOptions& options, Index node);
bool is_certifiable(const PatchTree& tree, const CertificateOptions& options, const PatchPair& pair);

// The energies of all patches with a limit, made once per set of certificates.
class CertificateShapes {
 public:
  explicit CertificateShapes(const Certificates& certificates);

  // Null: no certificate.
  const PatchShape* of_node(Index node) const { return get(node_shapes_[static_cast<size_t>(node)]); }
  const PatchShape* of_pair(Index pair) const { return get(pair_shapes_[static_cast<size_t>(pair)]); }

 private:
  const PatchShape* get(Index i) const { return i == kNone ? nullptr : &shapes_[static_cast<size_t>(i)]; }

  std::vector<PatchShape> shapes_;
  std::vector<Index> node_shapes_, pair_shapes_;
};

// The shape of a patch without its limit, and what rounding of the rest shape costs the limit.
struct RestShape {
  PatchShape shape;
  double error = 0;
};
class RestShapes {
 public:
  RestShapes(const PatchTree& tree, const CertificateOptions& options);
  RestShape of_node(Index node) const;
  RestShape of_pair(const PatchPair& pair) const;

 private:
  RestShape make(const PatchSums& sums, const PatchMeasures& measures) const;
  PatchMeasures measure(Index node) const;

  const PatchTree& tree_;
  CertificateOptions options_;
  PatchInstant rest_;
};

// √energy as a limit: lowered for all rounding and to a float; 0 if nothing is left.
float make_limit(double energy, double rest_error);

}  // namespace marrow
