// The surface in pieces, each of which belongs to one primitive of the medial mesh at rest.
//
// A triangle is flat in every frame, so a point of it with constant weights b of its corners is Σ b y. Large
// triangles are halved along their longest side until no side is longer than a limit, as the preparation does
// before it encloses them.
#pragma once

#include "geometry/medial/medial_shape.h"
#include "mesh/buckets.h"

namespace marrow {

// A corner of a piece: weights of the corners of a triangle.
struct PiecePoint {
  Index triangle = kNone;
  Vec3 weights = Vec3::Zero();
  Vec3 along = Vec3::Zero();  // weights of the primitive's balls, where its gap to the point is least
  double gap = 0;             // that gap
};

struct SurfacePieces {
  Buckets<PiecePoint> points;  // of every primitive, each once
  Buckets<Index> triangles;    // of every primitive, ascending
  std::vector<double> needs;   // per primitive: by how much its radii must grow to hold its pieces at rest
};

SurfacePieces assign_pieces(const Mesh& surface, const MedialShape& shape, double longest_side);

inline Vec3 locate(const PiecePoint& point, const Mesh& surface, const Points& x) {
  const Triangle& t = surface.triangles[static_cast<size_t>(point.triangle)];
  Vec3 y = Vec3::Zero();
  for (int i = 0; i < 3; ++i)
    if (point.weights[i] != 0) y += point.weights[i] * x[static_cast<size_t>(t[static_cast<size_t>(i)])];
  return y;
}

}  // namespace marrow
