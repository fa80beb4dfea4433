#include "contact/certified_culling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/candidates.h"
#include "core/clock.h"
#include "core/macros.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/certificates/certified_regions.h"

namespace marrow {
namespace {

// These numbers decide when culling pays. Only the time depends on them, not the results.
struct CullingOptions {
  // The time to reject a pair on one thread, by its distance or by CCD [s]. [speed only]
  static constexpr double kPairSeconds = 6e-8;
  // After this many searches, first and later, one is made both with and without regions to compare them. So
  // comparing costs at most one search in forty. [speed only]
  static constexpr int kFirstSample = 3;
  static constexpr int kNextSample = 40;
};

// Finds simplices by their corners.
template <size_t N>
class SimplexNumbers {
 public:
  explicit SimplexNumbers(const std::vector<std::array<Index, N>>& simplices) {
    for (size_t i = 0; i < simplices.size(); ++i) list_.push_back(make(simplices[i], static_cast<Index>(i)));
    std::sort(list_.begin(), list_.end());
  }
  Index find(const std::array<Index, N>& corners) const {
    const auto at = std::lower_bound(list_.begin(), list_.end(), make(corners, 0));
    const bool is_found =
        at != list_.end() && std::equal(at->begin(), at->begin() + N, make(corners, 0).begin());
    return is_found ? at->back() : kNone;
  }

 private:
  using Entry = std::array<Index, N + 1>;
  static Entry make(std::array<Index, N> corners, Index number) {
    std::sort(corners.begin(), corners.end());
    Entry entry;
    std::copy(corners.begin(), corners.end(), entry.begin());
    entry.back() = number;
    return entry;
  }
  std::vector<Entry> list_;
};

}  // namespace

// One surface: its regions, and the numbers in the mesh of its points, edges and triangles. A place is a
// position in the order of its patch tree.
class CertifiedCulling::Surface {
 public:
  Surface(const CertifiedSurface& surface, const SimplexNumbers<3>& triangles, const SimplexNumbers<2>& edges,
          double distance)
      : certificates_(surface.certificates), regions_(*certificates_, distance) {
    for (const Index vertex : tree().vertices) points_.push_back(surface.points[vertex]);
    for (const Triangle& t : tree().triangles) {
      const Triangle corners = {points_[t[0]], points_[t[1]], points_[t[2]]};
      triangles_.push_back(triangles.find(corners));
      edges_.push_back({edges.find({corners[0], corners[1]}), edges.find({corners[1], corners[2]}),
                        edges.find({corners[2], corners[0]})});
      MARROW_ASSERT(triangles_.back() != kNone && edges_.back()[0] != kNone && edges_.back()[1] != kNone &&
                    edges_.back()[2] != kNone);
    }
  }

  const PatchTree& tree() const { return certificates_->tree; }
  const std::vector<Index>& points() const { return points_; }  // numbers in the mesh, by place
  Index triangle_of(Index place) const { return triangles_[place]; }
  const std::array<Index, 3>& edges_of(Index place) const { return edges_[place]; }
  const std::vector<Index>& regions() const { return regions_.nodes(); }

  void choose(const PointPaths& paths) {
    gather(paths);
    regions_.choose(x0_, x1_);
  }
  void choose_none() { regions_.choose_none(); }

  bool holds(const PointPaths& paths) {
    if (regions().empty()) return true;
    gather(paths);
    return regions_.holds(x0_, x1_);
  }

 private:
  void gather(const PointPaths& paths) {
    x0_.resize(points_.size());
    x1_.resize(points_.size());
    exec::parallel_for(
        "certified.gather", points_.size(),
        [&](size_t i) {
          x0_[i] = paths.x0[points_[i]];
          x1_[i] = paths.x1[points_[i]];
        },
        4096);
  }

  std::shared_ptr<const Certificates> certificates_;
  CertifiedRegions regions_;
  std::vector<Index> points_;
  std::vector<Index> triangles_;  // numbers in the mesh, by place
  std::vector<std::array<Index, 3>> edges_;
  Points x0_, x1_;
};

CertifiedCulling::CertifiedCulling(const CollisionMesh& mesh, const std::vector<CertifiedSurface>& surfaces,
                                   double activation_distance)
    : mesh_(mesh), searches_left_(CullingOptions::kFirstSample) {
  if (surfaces.empty()) return;
  const SimplexNumbers<3> triangles(mesh.triangles);
  const SimplexNumbers<2> edges(mesh.edges);
  for (const CertifiedSurface& surface : surfaces) {
    double radius = 0;
    for (const Index point : surface.points) {
      if (!mesh.radii.empty()) radius = std::max(radius, mesh.radii[point]);
    }
    surfaces_.push_back(
        std::make_unique<Surface>(surface, triangles, edges, activation_distance + 2 * radius));
    is_forced_ = is_forced_ || surface.is_forced;
    report_.triangles += surface.certificates->tree.triangles.size();
  }
  report_.is_on = true;
}

CertifiedCulling::~CertifiedCulling() = default;

void CertifiedCulling::choose(const PointPaths& paths) {
  const Clock::time_point start = Clock::now();
  for (const auto& surface : surfaces_) surface->choose(paths);
  update_labels();
  asking_seconds_ += seconds_since(start);
}

void CertifiedCulling::choose_none() {
  for (const auto& surface : surfaces_) surface->choose_none();
  update_labels();
}

bool CertifiedCulling::holds(const PointPaths& paths) {
  if (surfaces_.empty()) return true;
  const trace::Scope scope("contact.certificates");
  const Clock::time_point start = Clock::now();
  ++uses_;
  const bool is_held = std::all_of(surfaces_.begin(), surfaces_.end(),
                                   [&](const auto& surface) { return surface->holds(paths); });
  asking_seconds_ += seconds_since(start);
  return is_held;
}

// Simplices on a seam get the label of the last of its regions.
void CertifiedCulling::update_labels() {
  point_regions_.assign(static_cast<size_t>(mesh_.point_count), kNone);
  edge_regions_.assign(mesh_.edges.size(), kNone);
  triangle_regions_.assign(mesh_.triangles.size(), kNone);
  report_.regions = 0;
  report_.certified_triangles = 0;
  for (const auto& surface : surfaces_) {
    for (const Index n : surface->regions()) {
      const auto region = static_cast<Index>(report_.regions++);
      const PatchNode& node = surface->tree().node(n);
      report_.certified_triangles += static_cast<size_t>(node.count());
      for (Index place = node.first; place < node.last; ++place) {
        triangle_regions_[surface->triangle_of(place)] = region;
        for (const Index edge : surface->edges_of(place)) edge_regions_[edge] = region;
        for (const Index corner : surface->tree().triangles[place]) {
          point_regions_[surface->points()[corner]] = region;
        }
      }
    }
  }
}

void CertifiedCulling::note_search() {
  ++report_.searches;
  ++searches_;
  ++uses_;
  --searches_left_;
}

void CertifiedCulling::note_renewal(double seconds) {
  ++report_.renewed;
  renewal_seconds_ += seconds;
}

void CertifiedCulling::note_sample(const Search& plain, const Search& certified) {
  report_.plain_pairs = plain.pairs;
  report_.kept_pairs = certified.pairs;
  const double pairs = static_cast<double>(plain.pairs) - static_cast<double>(certified.pairs);
  const double saved =
      static_cast<double>(uses_) * pairs * CullingOptions::kPairSeconds / exec::thread_count() +
      static_cast<double>(searches_) * (plain.seconds - certified.seconds) - asking_seconds_ -
      renewal_seconds_;
  report_.asking_seconds += asking_seconds_;
  report_.saved_seconds += saved;
  report_.is_on = is_forced_ || saved > 0;
  searches_left_ = CullingOptions::kNextSample;
  searches_ = uses_ = 0;
  asking_seconds_ = renewal_seconds_ = 0;
}

}  // namespace marrow
