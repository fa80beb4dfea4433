// The convex hull of points as a closed surface (CGAL).
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace marrow {

// Outward triangles over the corners of the hull. Throws InputError if the points lie in a plane; name is the
// file in it.
Mesh build_convex_hull(const Points& points, const std::string& name);

}  // namespace marrow
