// Bodies put where their size and what is below them say: center, size and rest_on become positions, and
// planes become meshes.
//
// The order: center and size in the coordinates of the mesh, then rotation and position, at last rest_on,
// body by body from the ground up.
#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <string>

#include "mesh/mesh.h"
#include "scene/build/build_motion.h"
#include "scene/description.h"

namespace marrow {

// A body in the world, before it is moved up or down.
struct PlacedMesh {
  Mesh outside;  // what collides; radii only if they are the mesh's own
  Eigen::AlignedBox3d box;
};

// stacked: whether what collides is needed, not the box alone.
using MeshLoader =
    std::function<PlacedMesh(const BodyDescription& body, const BodyPlace& place, bool stacked)>;

// Fills in positions; returns the box around all bodies but planes, empty if nobody needs it. Throws
// InputError.
Eigen::AlignedBox3d place_bodies(Scene& scene, const std::string& scene_path, const MeshLoader& load);

// The plane as a square around what others are in their box. The bodies stand far inside of one triangle, so
// that no edge of the plane is near them.
Mesh build_plane(const PlaneDescription& plane, const Eigen::AlignedBox3d& others);

// The same in the plane z = 0: a long edge.
Mesh build_line(const PlaneDescription& plane, const Eigen::AlignedBox3d& others);

}  // namespace marrow
