// Which faces, points or tets of a mesh PolyFEM gives which id.
//
// A selection is a list of regions, each with an id; the first that contains the middle of a face (the point,
// the middle of a tet) gives its id. A number in place of the list is the id of all.
#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <optional>
#include <vector>

#include "mesh/mesh.h"
#include "scene/polyfem/polyfem_file.h"

namespace marrow {

// The id of what no selection contains.
inline constexpr int kNoPolyfemId = std::numeric_limits<int>::max();

class PolyfemSelection {
 public:
  PolyfemSelection() = default;
  // box: of the mesh in the world. Throws InputError.
  PolyfemSelection(const JsonNode& node, const Eigen::AlignedBox3d& box, const PolyfemFile& file);

  // The id at a place; corners: of the face, in any order, for selections that list faces.
  int find(const Vec3& place, Triangle corners = {kNone, kNone, kNone}) const;

 private:
  using Region = std::function<std::optional<int>(const Vec3& place, const Triangle& corners)>;

  static Region read_region(const JsonNode& node, const Eigen::AlignedBox3d& box);
  static Region read_listed_faces(const JsonNode& node, const PolyfemFile& file);

  std::vector<Region> regions_;
};

}  // namespace marrow
