// How far the surface of a medial mesh is from that of the solid it stands for, and what it encloses.
#pragma once

#include "preprocess/volume/triangle_tree.h"

namespace marrow {

// Distances in both directions (Hausdorff); mean is the larger of the two means, max of the two maxima.
struct MedialError {
  double mean = 0;
  double max = 0;
  double mean_from_surface = 0;  // of points of the solid's surface to the medial mesh's
  double mean_to_surface = 0;    // and the other way round
};

// spacing: of the points measured on either surface.
MedialError measure_medial(const Mesh& surface, const TriangleTree& tree, const Mesh& medial, double spacing);

struct Enclosure {
  double vertices = 0;   // fraction of the surface's vertices in some primitive
  double triangles = 0;  // fraction of its triangles that lie whole in one primitive
};

Enclosure measure_enclosure(const Mesh& surface, const Mesh& medial);

}  // namespace marrow
