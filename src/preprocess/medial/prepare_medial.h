// From a surface to a reduced body: medial mesh, tets around or inside the surface, and weights of the
// handles.
//
//   surface ── samples ── medial axis ── simplify ── fit ── gates ── enclose ── medial mesh
//      └────── tets (its own, or a lattice) ── biharmonic weights of the medial vertices
//
// Every vertex of the medial mesh is a handle. Results depend on the input alone, not on threads.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "linalg/scalar_matrix.h"
#include "preprocess/volume/lattice.h"

namespace marrow {

struct MedialOptions {
  int handles = 100;        // vertices of the medial mesh; at least 1
  double target_error = 0;  // if above 0: as few handles as keep the mean distance of the surfaces below this
                            // fraction of the box diagonal
  int cells = 0;  // of the lattice along the longest side, where the mesh has no tets; 0: as many as
                  // the solid's volume allows
  double weight_threshold = 1e-3;  // smaller weights are dropped; raising it makes handles more local
  Points extra_handles = {};
  std::vector<Points> anchor_groups = {};  // points of the mesh that handles do not move
  bool operator==(const MedialOptions&) const = default;
};

struct MedialReport {
  int handles = 0;
  int spheres = 0, cones = 0, slabs = 0;  // primitives
  double mean_error = 0, max_error = 0;   // of the result, fractions of the box diagonal
  double fitted_mean_error = 0;           // before the spheres were enlarged
  double enclosed = 0;                    // fraction of the vertices of its surface, cut into pieces
  double enclosed_triangles = 0;          // fraction of pieces of triangles that lie in one primitive
  int samples = 0, axis_vertices = 0;
  int volume_points = 0, tets = 0;
  double handles_per_point = 0;                         // mean number of handles that move a point
  std::vector<std::pair<std::string, double>> seconds;  // per stage, in order
  std::vector<std::string> notes;

  double total_seconds() const;
};

struct PreparedMedial {
  Mesh surface;                         // closed, as repaired
  Mesh medial;                          // radii, all edges, triangles
  Points handles;                       // medial vertices that are not anchored, then the extra ones
  std::vector<Index> columns;           // of weights, for each medial vertex: its handle's or its group's
  Mesh volume;                          // tets
  std::vector<double> fills;            // per tet, fraction inside the surface
  std::vector<EmbeddedPoint> embedded;  // the surface's points in the volume
  ScalarMatrix weights;                 // volume points × handles and groups of anchored points
  Points anchor_centers;  // one per group of anchored points; their columns follow those of the handles
  std::vector<std::string> notes;  // what a user should know
};

// A medial mesh made elsewhere.
struct GivenMedial {
  Mesh mesh;
  std::string name;  // of its file
};

// mesh: a closed surface, or tets whose boundary is one. Throws InputError; name is the file in it. given:
// null to make a medial mesh.
PreparedMedial prepare_medial(const Mesh& mesh, const std::string& name, const MedialOptions& options,
                              MedialReport& report, const GivenMedial* given = nullptr);

}  // namespace marrow
