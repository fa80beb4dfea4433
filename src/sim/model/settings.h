// Settings may change between two steps of a run: gravity, friction, and how stiff the bodies are. Nothing
// moves when they do, so the state stays as it is. The terms of the steps must be made anew (sim/simulate.h,
// StepInputs).
#pragma once

#include <optional>
#include <vector>

#include "sim/model/model.h"

namespace marrow {

// Empty: as the scene has it.
struct Settings {
  std::optional<Vec3> gravity;     // [m/s²]
  std::optional<double> friction;  // coefficient of all pairs
  std::vector<double> stiffness;   // factor of each body's elastic constants; or empty
  bool operator==(const Settings&) const = default;
};

// The part of a model that settings replace, as the scene has it.
struct SettingDefaults {
  Vec3 gravity = Vec3::Zero();
  std::vector<Material> materials;
  std::vector<Index> material_bodies;  // the body of each material; kNone: of none
  double friction = 0;
  std::vector<std::optional<double>> body_friction;
  std::map<IndexPair, double> pair_friction;
};
SettingDefaults read_defaults(const Model& model);

// Gives a model with these defaults the settings. Damping is proportional to stiffness and changes with it.
void apply_settings(const Settings& settings, const SettingDefaults& defaults, Model& model);

}  // namespace marrow
