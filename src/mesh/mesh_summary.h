// The figures of a mesh that `marrow info` prints. Works on any mesh whose indices are in range.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

struct MeshSummary {
  int points = 0;
  int edges = 0;  // as the mesh lists them
  int triangles = 0;
  int tets = 0;
  int loose_points = 0;  // in no element
  int components = 0;    // connected through elements; each loose point is one
  Vec3 lower = Vec3::Zero();
  Vec3 upper = Vec3::Zero();
  double area = 0;        // of the listed triangles; of the boundary if there are only tets
  double volume = 0;      // sum of the tets; without tets, enclosed by the triangles if closed
  bool closed = false;    // the surface has triangles, and each of its edges lies in an even number of them
  bool manifold = false;  // no edge of the surface in more than two triangles
  bool oriented = false;  // no edge of the surface run along twice in the same direction
  int euler_characteristic = 0;  // vertices − edges + triangles of the surface
  double min_edge_length = 0;    // over the edges of all elements
  double max_edge_length = 0;
  double worst_tet_quality = 1;  // smallest compute_tet_quality; 1 without tets
  double min_tet_volume = 0;     // signed: negative if some tet is inverted
  double min_radius = 0;
  double max_radius = 0;
};

MeshSummary summarize(const Mesh& mesh);

// Signed volume of the tet a, b, c, d: positive in positive orientation.
double compute_tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Mean ratio 12 (3|V|)^⅔ / Σ l², with the sign of the volume: 1 for the regular tet, 0 for a flat one.
double compute_tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Volume enclosed by a closed, outward oriented surface.
double compute_enclosed_volume(const Points& points, const std::vector<Triangle>& triangles);

}  // namespace marrow
