// The law of a material: its energy, stress and Hessian as functions of F. Only code that evaluates elements
// includes this; it is slow to compile.
#pragma once

#include <type_traits>

#include "potentials/materials/arruda_boyce.h"
#include "potentials/materials/corotated.h"
#include "potentials/materials/material.h"
#include "potentials/materials/mooney_rivlin.h"
#include "potentials/materials/neo_hookean.h"
#include "potentials/materials/stable_neo_hookean.h"
#include "potentials/materials/stvk.h"
#include "potentials/materials/volume_guard.h"

namespace marrow {

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
