// Convergence of a cantilever's deflection under refinement: P1 elements should gain a factor of 4 per
// halving.
//
// A beam 1 × 0.2 × 0.2 m, clamped at one end, ν = 0, under a small weight; the static limit is reached by
// steps of 1000 s. Compared with Timoshenko's beam, which is exact here up to the warping at the clamp.
#include <fmt/format.h>

#include <cmath>

#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace {

using namespace marrow;

constexpr double kYoung = 1e6, kDensity = 1000, kGravity = 0.02;

double compute_tip_deflection(int k, size_t& tets) {
  const std::string text = fmt::format(R"({{
    "time": {{"step": 1000, "duration": 4000}},
    "gravity": [0, {}, 0],
    "solver": {{"tolerance": 1e-12}},
    "bodies": [{{
      "shape": {{"type": "box", "size": [1, 0.2, 0.2], "cells_x": {}, "cells_y": {}, "cells_z": {}}},
      "material": {{"density": {}, "youngs_modulus": {}, "poissons_ratio": 0}},
      "prescribed": [{{"select": {{"relative_box": {{"min": [0, 0, 0], "max": [0, 1, 1]}}}}}}]
    }}]
  }})",
                                       -kGravity, 10 * k, 2 * k, 2 * k, kDensity, kYoung);
  BuiltScene built = build_scene(parse_scene(text, "beam"), "beam");
  const VecX initial = built.state.nodes;
  tets = built.model.kinematics.elements.count();
  simulate(built.model, built.state, {});
  // The mean over the free end's section.
  double sum = 0;
  int count = 0;
  for (Index i = 0; i < initial.size(); i += 3) {
    if (initial[i] < 0.5 - 1e-9) continue;
    sum += initial[i + 1] - built.state.nodes[i + 1];
    ++count;
  }
  return sum / count;
}

}  // namespace

int main() {
  // q L⁴/(8 E I) + q L²/(2 κ G A), κ = 5/6, G = E/2
  const double area = 0.04, inertia = 0.2 * 0.008 / 12, load = kDensity * kGravity * area;
  const double timoshenko = load / (8 * kYoung * inertia) + load / (2 * 5.0 / 6 * kYoung / 2 * area);
  fmt::print("Timoshenko: {:.6e} m.\n\n", timoshenko);
  fmt::print(
      "| cells | tets | tip deflection (m) | error against Timoshenko | order |\n|---|---|---|---|---|\n");
  double previous = 0;
  int previous_k = 0;
  for (const int k : {1, 2, 3, 4, 6, 8}) {
    size_t tets = 0;
    const double deflection = compute_tip_deflection(k, tets);
    const double error = std::abs(deflection / timoshenko - 1);
    const double order = std::log(previous / error) / std::log(static_cast<double>(k) / previous_k);
    fmt::print("| {}×{}×{} | {} | {:.6e} | {:.3f} % | {} |\n", 10 * k, 2 * k, 2 * k, tets, deflection,
               100 * error, previous > 0 ? fmt::format("{:.2f}", order) : "");
    previous = error;
    previous_k = k;
  }
  fmt::print("\n");
}
