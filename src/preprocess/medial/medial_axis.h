// The inner Voronoi complex of a solid: the raw material of its medial mesh.
//
// Samples of the surface are triangulated (Delaunay); the centres of the cells' circumscribed balls that lie
// in the solid are the complex's vertices, with the distance to the surface as radius. Its faces are dual to
// the Delaunay edges whose cells all have their centre inside (a polygon of these centres, cut into a fan),
// its edges to the facets between two such cells. For dense samples it has the solid's homotopy type and
// contains the medial axis, and besides it spikes that end near the surface: simplification
// removes them first (simplify_medial.h).
//
// Where the solid is thin, samples come in pairs across it (thin_parts.h). A cell that holds a pair is inside
// whatever its centre says: if that is outside, as in bent shells, or far away, as in flat cells, the ball of
// the pair takes its place.
#pragma once

#include "mesh/mesh.h"
#include "preprocess/medial/thin_parts.h"

namespace marrow {

// surface: closed and outward oriented. The result has radii, all edges, and triangles; every vertex lies
// inside, or close to the ball between two partners.
Mesh build_medial_axis(const PairedSamples& samples, const TriangleTree& surface);

}  // namespace marrow
