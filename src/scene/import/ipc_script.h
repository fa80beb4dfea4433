// The text scripts of the IPC reference code, as they stand: one keyword a line, followed by its values.
//
// This is only the reading; what a script means is in ipc_scene.h. Keywords that do not change what happens
// (the view, the choice of a solver) and those that are unknown become notices: nothing is dropped silently.
// Blocks "section NAME … section end" count if the constraint solver named so far is among the names.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/types.h"

namespace marrow {

struct IpcNotice {
  int line = 0;
  std::string text;
};

struct IpcMaterial {
  double density = 1000;
  double youngs_modulus = 1e5;
  double poissons_ratio = 0.4;
};

// Points held or moved (DBC), or pulled (NBC): those of the surface inside a box that runs from 0 to 1 across
// the mesh as it is in its file.
struct IpcBoundary {
  int line = 0;
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();
  Vec3 value = Vec3::Zero();             // DBC: velocity [m/s]; NBC: acceleration [m/s²]
  Vec3 angular_velocity = Vec3::Zero();  // DBC only [degrees/s]
  double start = 0, end = 0;             // [s]; end 0: for ever
};

struct IpcShape {
  int line = 0;
  std::string path;  // as the script says it
  Vec3 translation = Vec3::Zero();
  Vec3 degrees = Vec3::Zero();  // R = Rx Ry Rz
  Vec3 scale = Vec3::Ones();
  std::array<int, 3> count = {1, 1, 1};  // of a shapeMatrix
  Vec3 step = Vec3::Zero();
  std::optional<IpcMaterial> material;
  std::optional<Vec3> linear_velocity;
  std::optional<Vec3> angular_velocity;  // [degrees/s]
  std::optional<Vec3> initial_velocity;
  Vec3 initial_spin = Vec3::Zero();  // [degrees/s]
  std::vector<IpcBoundary> held;     // DBC
  std::vector<IpcBoundary> pulled;   // NBC
  std::string sequence;              // a folder of meshes; empty: none
};

// A mesh that does not move, normalised: its mean point goes to origin, its largest extent becomes size.
struct IpcMeshObstacle {
  int line = 0;
  std::string path;
  Vec3 origin = Vec3::Zero();
  Vec3 degrees = Vec3::Zero();
  double size = 1;
  double friction = 0;
};

struct IpcHalfSpace {
  int line = 0;
  Vec3 origin = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  // of length 1
  double friction = 0;
};

struct IpcScript {
  std::string energy = "NH";
  std::string integration = "BE";
  double duration = 5, step = 0.025;
  IpcMaterial material;
  bool has_gravity = true;
  double size = -1;  // largest extent of all shapes together after scaling [m]; not above 0: no scaling
  Vec3 rotation_axis = Vec3::UnitX();
  double rotation_degrees = 0;  // of all shapes
  double handle_ratio = 0.01;
  double damping_stiffness = 0, damping_ratio = 0;
  bool has_self_collision = true;
  double self_friction = 0;
  double d_hat = 1e-3;      // a fraction of the box diagonal, unless is_absolute
  double epsilon_v = 1e-3;  // the same a second
  bool is_absolute = false;
  int friction_iterations = 1;
  double tolerance = 1e-2;  // Newton's, a fraction of the box diagonal a second
  std::string motion = "null";
  int motion_line = 0;
  std::vector<double> motion_values;
  std::vector<IpcShape> shapes;
  std::vector<IpcMeshObstacle> obstacles;
  std::vector<IpcHalfSpace> half_spaces;
  std::vector<IpcNotice> notices;
};

// file: for messages. Throws InputError with the line.
IpcScript parse_ipc_script(const std::string& text, const std::string& file);

}  // namespace marrow
