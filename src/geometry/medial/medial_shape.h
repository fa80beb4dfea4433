// The solid that a medial mesh describes: the union of its spheres, cones and slabs.
//
// The gap of a point to a primitive is |x − c(t)| − r(t) at the weights t where it is smallest;
// it is negative inside. The gap to the union is the smallest one.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <limits>

#include "geometry/medial/primitives.h"

namespace marrow {

struct MedialPoint {
  Index primitive = kNone;
  Vec3 weights = Vec3::Zero();  // of the primitive's vertices
  Vec3 normal = Vec3::Zero();   // from the medial mesh to the point; zero if the point lies on it
  double gap = std::numeric_limits<double>::infinity();
};

class MedialShape {
 public:
  // The mesh must outlive this; after its centres or radii change, call update.
  explicit MedialShape(const Mesh& medial);
  void update();

  const std::vector<MedialPrimitive>& primitives() const { return primitives_; }

  // The primitive of the smallest gap. Many threads may ask at once.
  MedialPoint find_nearest(const Vec3& x) const;
  MedialPoint find_in_primitive(Index primitive, const Vec3& x) const;

  // Whether the gap of some primitive is below this. Cheaper than to find the smallest.
  bool is_below(const Vec3& x, double gap) const;

  // A lower bound of the gap to a primitive.
  double bound_gap(Index primitive, const Vec3& x) const {
    const Eigen::AlignedBox3d& box = boxes_[static_cast<size_t>(primitive)];
    return (x - x.cwiseMax(box.min()).cwiseMin(box.max())).norm() - largest_[static_cast<size_t>(primitive)];
  }

 private:
  const Mesh& medial_;
  std::vector<MedialPrimitive> primitives_;
  std::vector<Eigen::AlignedBox3d> boxes_;  // of the primitives' centres
  std::vector<double> largest_;             // of their radii
};

struct BestPrimitive {
  Index primitive = kNone;
  double need = std::numeric_limits<double>::infinity();  // the largest gap of the triangle's corners
};

// The primitive with the least need. A primitive is convex, so it holds a triangle whose corners it holds.
BestPrimitive find_best_primitive(const std::array<Vec3, 3>& corners, const MedialShape& shape);

}  // namespace marrow
