// A material as a body states it: the law and its constants. laws.h has the laws themselves.
//
// The set of materials is closed. Each is a function of F alone, is written once, and is used by every kind
// of body. A new one needs a file like neo_hookean.h, a line in the enum and a case in visit_material.
#pragma once

#include "core/options.h"

namespace marrow {

enum class MaterialModel {
  NeoHookean,
  StableNeoHookean,
  FixedCorotated,
  StVenantKirchhoff,
  LinearCorotated,
  MooneyRivlin,
  ArrudaBoyce
};

template <>
struct EnumNames<MaterialModel> {
  static constexpr const char* names[] = {"neo_hookean",      "stable_neo_hookean", "fixed_corotated", "stvk",
                                          "linear_corotated", "mooney_rivlin",      "arruda_boyce"};
};

struct Material {
  MaterialModel model = MaterialModel::NeoHookean;
  double lame_mu = 0;          // [Pa]
  double lame_lambda = 0;      // [Pa]
  double mooney_share = 0.2;   // Mooney–Rivlin: C₂/(C₁ + C₂) [default]
  double locking_stretch = 3;  // Arruda–Boyce [default]
  double damping = 0;          // stiffness-proportional [s]
};

// Lamé's constants from Young's modulus [Pa] and Poisson's ratio.
inline Material make_material(MaterialModel model, double youngs_modulus, double poissons_ratio) {
  const double E = youngs_modulus, nu = poissons_ratio;
  return {model, E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
}

// True if the law itself gives flat elements infinite energy.
inline bool has_inversion_barrier(MaterialModel model) {
  return model == MaterialModel::NeoHookean || model == MaterialModel::MooneyRivlin ||
         model == MaterialModel::ArrudaBoyce;
}

}  // namespace marrow
