// The solid that a medial mesh describes: the union of its spheres, cones and slabs.
//
// The gap of a point to a primitive is |x − c(t)| − r(t) at the weights t where it is smallest;
// it is negative inside. The gap to the union is the smallest one.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <limits>

#include "mesh/mesh.h"

namespace marrow {

// A slab, a cone (the last vertex repeated) or a sphere (one vertex three times).
struct MedialPrimitive {
  std::array<Index, 3> vertices;
  int count = 3;  // of different vertices
};

// Slabs, then the edges that are in none, then the vertices that are in neither.
std::vector<MedialPrimitive> list_primitives(const Mesh& medial);

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

}  // namespace marrow
