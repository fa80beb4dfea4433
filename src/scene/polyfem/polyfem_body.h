// The geometry of a PolyFEM scene as bodies, on the way to a scene of ours.
//
// A point X of a mesh goes to R (s ∘ X) + t. R turns about the axes in the order of rotation_mode, usually
// xyz: Rz Ry Rx. dimensions sets s so that the box of the mesh has these sizes.
#pragma once

#include <map>
#include <optional>

#include "geometry/curved/curved_mesh.h"
#include "scene/description.h"
#include "scene/polyfem/polyfem_selection.h"

namespace marrow {

struct PolyfemBody {
  JsonNode node;
  BodyDescription description;
  int id = 0;                                  // of its volume, by which materials name it
  std::optional<int> surface_id;               // of an obstacle
  Mesh mesh;                                   // in the world: all nodes, and the corners of tets
  std::vector<Triangle> faces;                 // of its boundary, by their corners
  std::vector<std::vector<Index>> face_nodes;  // all on each
  std::vector<int> face_ids;                   // of each
  std::map<Index, int> point_ids;              // of nodes of the boundary that are selected

  bool is_obstacle() const { return description.kind == BodyKind::Obstacle; }
};

struct PolyfemBodies {
  std::vector<PolyfemBody> list;
  std::vector<std::string> notices;
};

// order: of all tets. target: the file the scene goes to; mesh names are relative to its folder. Throws
// InputError.
PolyfemBodies read_polyfem_bodies(const PolyfemFile& file, int order, const std::string& target);

}  // namespace marrow
