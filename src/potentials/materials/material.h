// The set of materials is closed. Each is a function of F alone, is written once, and is used by every kind
// of body. A new one needs a file like neo_hookean.h, a line in the enum and a case in visit_material.
#pragma once

#include <type_traits>

#include "core/options.h"
#include "potentials/materials/arruda_boyce.h"
#include "potentials/materials/corotated.h"
#include "potentials/materials/mooney_rivlin.h"
#include "potentials/materials/neo_hookean.h"
#include "potentials/materials/stable_neo_hookean.h"
#include "potentials/materials/stvk.h"
#include "potentials/materials/volume_guard.h"

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

// Calls f with the material's own type.
template <class Function>
auto visit_material(const Material& material, const Function& f) {
  const double mu = material.lame_mu, lambda = material.lame_lambda;
  switch (material.model) {
    case MaterialModel::NeoHookean:
      return f(NeoHookean{mu, lambda});
    case MaterialModel::StableNeoHookean:
      return f(StableNeoHookean::from_lame(mu, lambda));
    case MaterialModel::FixedCorotated:
      return f(FixedCorotated{mu, lambda});
    case MaterialModel::StVenantKirchhoff:
      return f(StVenantKirchhoff{mu, lambda});
    case MaterialModel::LinearCorotated:
      return f(LinearCorotated{mu, lambda});
    case MaterialModel::MooneyRivlin:
      return f(MooneyRivlin(mu, lambda, material.mooney_share));
    case MaterialModel::ArrudaBoyce:
      return f(ArrudaBoyce(mu, lambda, material.locking_stretch));
  }
  return f(NeoHookean{mu, lambda});
}

// The same, but laws that let elements become flat get a guard against it. Bodies use this one.
template <class Function>
auto visit_guarded_material(const Material& material, const Function& f) {
  if (has_inversion_barrier(material.model)) return visit_material(material, f);
  const double stiffness = material.lame_lambda + 2 * material.lame_mu;
  return visit_material(material, [&](const auto& law) {
    return f(VolumeGuard<std::decay_t<decltype(law)>>{law, stiffness});
  });
}

}  // namespace marrow
