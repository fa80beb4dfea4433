// What an OBJ file says beside points and triangles: the line of each triangle, texture coordinates, and the
// materials of its MTL files.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace marrow {

using TexturePoint = std::array<double, 2>;  // u, v; v runs upwards

struct ObjDetails {
  // By triangle, in the order of parse_obj: polygons are cut as there.
  std::vector<int> lines;
  std::vector<std::array<Index, 3>> texture_corners;  // into texture_points; kNone where a corner has none
  std::vector<Index> materials;                       // into material_names; kNone: none

  std::vector<TexturePoint> texture_points;
  std::vector<std::string> material_names;
  std::vector<std::string> libraries;  // MTL files, relative to the OBJ

  bool has_texture() const { return !texture_points.empty(); }
};

// Of a text that parse_obj accepts; statements that it would refuse are skipped.
ObjDetails read_obj_details(std::string_view text);

struct ObjMaterial {
  std::string name;
  std::optional<std::array<double, 3>> color;  // Kd, linear as it stands there
  double opacity = 1;
  std::string texture;  // map_Kd, relative to the MTL file; empty: none
};

std::vector<ObjMaterial> read_mtl(std::string_view text);

}  // namespace marrow
