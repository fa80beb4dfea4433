// The closed set of materials. Each is a function of F alone, written once, used by every kind of body; a new
// one is a file like neo_hookean.h, a line in the enum and a case in visit_material.
#pragma once

#include "core/options.h"
#include "potentials/neo_hookean.h"

namespace marrow {

enum class MaterialModel { NeoHookean };

template <>
struct EnumNames<MaterialModel> {
  static constexpr const char* names[] = {"neo_hookean"};
};

struct Material {
  MaterialModel model = MaterialModel::NeoHookean;
  double lame_mu = 0;      // [Pa]
  double lame_lambda = 0;  // [Pa]
};

// Lamé's constants from Young's modulus [Pa] and Poisson's ratio.
inline Material make_material(MaterialModel model, double youngs_modulus, double poissons_ratio) {
  const double E = youngs_modulus, nu = poissons_ratio;
  return {model, E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
}

// Calls f with the material's own type.
template <class Function>
auto visit_material(const Material& material, const Function& f) {
  switch (material.model) {
    case MaterialModel::NeoHookean:
      return f(NeoHookean{material.lame_mu, material.lame_lambda});
  }
  return f(NeoHookean{material.lame_mu, material.lame_lambda});
}

}  // namespace marrow
