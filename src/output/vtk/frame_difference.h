// Whether a frame that was read back has the topology of the run it is said to be of.
#pragma once

#include <optional>
#include <string>

#include "output/vtk/vtu.h"

namespace marrow {

// The first difference in words, or nothing: number of points, cells corner by corner, the body of every
// point and cell. "tet 17 is 3-4-9-12, in the scene 4-3-9-12".
std::optional<std::string> find_difference(const VtuFrame& frame, const OutputTopology& topology);

}  // namespace marrow
