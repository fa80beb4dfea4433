// Certified culling finds patches of surfaces that are certain to stay apart from themselves, so that the
// broad phase need not search within them.
//
// A patch whose energy is below its certificate (geometry/certificates/certificates.h) has no corner and
// triangle, and no two edges, without a common vertex that come within D = activation distance + 2 largest
// radius on a straight path (docs/models/self_collision.md). The largest such patches are the regions. Every
// point, edge and triangle has at most one region, though those on a seam lie in two: pairs of the same
// region are left out.
//
// Regions are chosen for one path, with a margin, and checked again for every other path on which the pairs
// are used. A check costs the sums over the hinges of the surface, and nothing for path ends that were
// checked recently.
//
// The benefit is measured: the cost of checks and repeated searches against the pairs that need no search.
#pragma once

#include <memory>
#include <span>

#include "contact/certified_surface.h"
#include "contact/point_paths.h"
#include "geometry/certificates/certificates.h"

namespace marrow {

struct CollisionMesh;

class CertifiedCulling {
 public:
  // activation_distance: the largest gap at which a barrier acts. The mesh must outlive this.
  CertifiedCulling(const CollisionMesh& mesh, const std::vector<CertifiedSurface>& surfaces,
                   double activation_distance);
  ~CertifiedCulling();
  CertifiedCulling(const CertifiedCulling&) = delete;
  CertifiedCulling& operator=(const CertifiedCulling&) = delete;

  // True if there are surfaces whose certificates still pay.
  bool is_on() const { return report_.is_on; }

  // Takes the largest patches whose certificates hold on the path.
  void choose(const PointPaths& paths);
  void choose_none();

  // True if the certificates of the regions hold on this path too.
  bool holds(const PointPaths& paths);

  // The region of every point, edge and triangle of the mesh; kNone: none.
  const std::vector<Index>& point_regions() const { return point_regions_; }
  const std::vector<Index>& edge_regions() const { return edge_regions_; }
  const std::vector<Index>& triangle_regions() const { return triangle_regions_; }

  // True if regions are invalidated so often that searching all pairs is cheaper.
  bool is_restless() const { return kOften * report_.renewed > report_.searches; }

  // The number of pairs that a search found, and its cost.
  struct Search {
    double seconds = 0;
    size_t pairs = 0;
  };
  void note_search();
  void note_renewal(double seconds);

  // True if the next search should be compared with one without regions.
  bool wants_sample() const { return is_on() && searches_left_ <= 0; }
  void note_sample(const Search& plain, const Search& certified);

  const CullingReport& report() const { return report_; }

 private:
  // With fewer searches than this per renewal, all pairs are searched. [speed only]
  static constexpr size_t kOften = 8;
  class Surface;

  void update_labels();

  const CollisionMesh& mesh_;
  std::vector<std::unique_ptr<Surface>> surfaces_;
  std::vector<Index> point_regions_, edge_regions_, triangle_regions_;
  CullingReport report_;
  bool is_forced_ = false;  // some surface uses certificates whatever they cost
  // Since the last sample.
  int searches_left_ = 0;
  size_t searches_ = 0, uses_ = 0;
  double asking_seconds_ = 0, renewal_seconds_ = 0;
};

}  // namespace marrow
