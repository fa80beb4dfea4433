// Samples of a surface for its medial axis, in pairs where the solid is thinner than they are apart.
//
// The Voronoi complex of samples (medial_axis.h) finds the middle of a plate only if they are denser than the
// plate is thick: a plate of 1 m and 1 mm would need millions. Where they are not, every sample p with the
// normal n gets a partner on the other side: the ball inside the solid that touches the surface at p,
//
//   c = p − r n,   r = |p − q|²/(2 n·(p − q))   with q the point nearest to c, until there is none nearer
//   than r
//
// (shrinking balls; Ma, Bae and Choi 2012, "3D medial axis point approximation using nearest neighbors and
// the normal field"), touches it again at q. That ball is empty, so p and q are neighbours in the Delaunay
// triangulation, and all cells around their edge have their centres on the plane between them: the middle of
// the plate, however thin. q comes from the surface itself, not from samples, and only
// from triangles that face the other way, so that the edges of facets around p do not count.
#pragma once

#include "preprocess/volume/surface_samples.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

struct PairedSamples {
  Points points;                // none twice
  std::vector<Index> partners;  // of each, across the solid; kNone: it has none. Several may have the same
  Points centers;               // of the ball between a sample and its partner
};

PairedSamples pair_thin_samples(const std::vector<SpacedSample>& samples, const TriangleTree& surface);

}  // namespace marrow
