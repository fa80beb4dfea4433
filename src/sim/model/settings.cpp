#include "sim/model/settings.h"

namespace marrow {
namespace {

// The body of each material: every body that deforms has one of its own.
std::vector<Index> find_material_bodies(const Kinematics& kinematics, size_t material_count) {
  std::vector<Index> bodies(material_count, kNone);
  const std::vector<Index> of_nodes = list_bodies_of_nodes(kinematics);
  for (const Elements* elements : {&kinematics.elements, &kinematics.membranes, &kinematics.strands}) {
    for (size_t e = 0; e < elements->count(); ++e) {
      const Index node = elements->nodes[static_cast<size_t>(elements->offsets[e])];
      bodies[static_cast<size_t>(elements->materials[e])] = of_nodes[static_cast<size_t>(node)];
    }
  }
  for (const ReducedElements& reduced : kinematics.reduced) {
    for (const Index material : reduced.fine.materials) {
      bodies[static_cast<size_t>(material)] = of_nodes[static_cast<size_t>(reduced.first_node)];
    }
  }
  return bodies;
}

}  // namespace

SettingDefaults read_defaults(const Model& model) {
  return {model.gravity,
          model.materials,
          find_material_bodies(model.kinematics, model.materials.size()),
          model.contact.friction,
          model.contact.body_friction,
          model.contact.pair_friction};
}

void apply_settings(const Settings& settings, const SettingDefaults& defaults, Model& model) {
  model.gravity = settings.gravity.value_or(defaults.gravity);
  model.contact.friction = settings.friction.value_or(defaults.friction);
  model.contact.body_friction = defaults.body_friction;
  model.contact.pair_friction = defaults.pair_friction;
  if (settings.friction) {
    for (std::optional<double>& own : model.contact.body_friction) own.reset();
    model.contact.pair_friction.clear();
  }
  model.materials = defaults.materials;
  if (settings.stiffness.empty()) return;
  for (size_t m = 0; m < model.materials.size(); ++m) {
    if (defaults.material_bodies[m] == kNone) continue;
    const double factor = settings.stiffness[static_cast<size_t>(defaults.material_bodies[m])];
    model.materials[m].lame_mu *= factor;
    model.materials[m].lame_lambda *= factor;
  }
}

}  // namespace marrow
