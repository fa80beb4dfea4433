// The meshes that a body names or describes, with small faults mended and told (mesh/mend.h).
#pragma once

#include <string>
#include <vector>

#include "mesh/io/curved_file.h"
#include "scene/build/build_motion.h"

namespace marrow {

// What happens to small faults of meshes.
struct MeshCare {
  bool is_strict = false;           // they are refused
  std::vector<std::string>& notes;  // what was mended
};

// The body's mesh file or shape, as it stands there. Errors name the file, or the place in the scene. The
// second refuses curved tets.
CurvedFile read_body_file(const BodyDescription& body, const BodyPlace& place, const MeshCare& care);
Mesh read_body_mesh(const BodyDescription& body, const BodyPlace& place, const MeshCare& care);

// A mesh file that the body names under this key.
Mesh read_named_mesh(const std::string& file, const Location& named, bool keeps_points, const MeshCare& care);

// The mesh file or the shape, for messages.
std::string name_mesh(const BodyDescription& body, const BodyPlace& place);

// From the coordinates of the mesh to the world.
void place_points(const BodyDescription& body, Points& points);

}  // namespace marrow
