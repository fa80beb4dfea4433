// The shapes of an IPC script in the world, on the way to a scene.
//
// A shape's point X goes to R(s∘X) + t with R = Rx Ry Rz. All shapes together may then be turned about half
// their box's extent (not its centre: that is what IPC does) and scaled so that their largest extent is the
// script's size, with the lowest corner of their box at the origin.
#pragma once

#include <Eigen/Geometry>

#include "scene/description.h"
#include "scene/import/ipc_script.h"

namespace marrow {

struct IpcBody {
  const IpcShape* shape = nullptr;
  int dimension = 3;           // 3 volume, 2 surface, 1 wires, 0 points
  size_t first_component = 0;  // IPC counts every copy as a component
  size_t component_count = 1;
  Mesh mesh;      // as in its file, one copy
  Points points;  // in the world, all copies
  BodyDescription description;

  Eigen::AlignedBox3d box() const;
};

struct IpcStage {
  const IpcScript& script;
  std::string file;    // of the script
  std::string target;  // of the scene: mesh names are relative to its folder
  std::vector<IpcBody> bodies;
  size_t component_count = 0;
  double diagonal = 1;  // of the box of all volumes: IPC's unit of length [m]
  std::vector<IpcNotice> notices;

  Eigen::AlignedBox3d box() const;
  void note(int line, const std::string& text) { notices.push_back({line, text}); }
  [[noreturn]] void fail(int line, const std::string& problem, const std::string& advice = {}) const;
};

// Moves everything, as some motions do at first.
void shift_stage(const Vec3& by, IpcStage& stage);

// Reads the meshes and places them. Throws InputError; a mesh that is not there is named with its line.
IpcStage build_ipc_stage(const IpcScript& script, const std::string& file, const std::string& target);

// A file of the script: its names are relative to a folder above the script. Empty if it is nowhere there.
std::string find_ipc_file(const std::string& script_file, const std::string& named);

// R = Rx Ry Rz of angles in degrees.
Mat3 ipc_rotation(const Vec3& degrees);

}  // namespace marrow
