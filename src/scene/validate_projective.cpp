#include "scene/validate_projective.h"

#include <fmt/format.h>

#include <algorithm>

namespace marrow {
namespace {

using Problem = std::optional<SceneProblem>;

const char* const kUseCertified =
    "Set solver.projective.contact to \"certified\", or solver.stepper to \"newton\".";

Problem check_unused(const ProjectiveOptions& options, const JsonPath& path) {
  const bool is_certified = options.contact == ProjectiveContact::Certified;
  const char* limit = options.least_stretch  ? "least_stretch"
                      : options.most_stretch ? "most_stretch"
                                             : nullptr;
  if (is_certified && limit != nullptr) {
    return SceneProblem{path / limit,
                        "the certified step ends with the forces of the material, which has no limit",
                        "Remove it, or set solver.projective.contact to \"detected\"."};
  }
  if (!is_certified && options.newton_iterations) {
    return SceneProblem{path / "newton_iterations", "the detected step has no Newton iterations",
                        "Remove it, or set solver.projective.contact to \"certified\"."};
  }
  return {};
}

// What the detected step has no projections for.
Problem check_detected(const Scene& scene) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDescription& body = scene.bodies[i];
    const JsonPath path = JsonPath() / "bodies" / i;
    if (is_affine_or_rigid(body.kind)) {
      return SceneProblem{path / "kind",
                          fmt::format("the projective stepper with detected contact does not move {} bodies",
                                      enum_name(body.kind)),
                          std::string("Make it soft, medial or an obstacle. ") + kUseCertified};
    }
    if (body.material.damping > 0) {
      return SceneProblem{path / "material" / "damping",
                          "the projective stepper with detected contact has no material damping",
                          std::string("Remove it. ") + kUseCertified};
    }
  }
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    if (scene.joints[i].type == JointType::Ball) continue;
    return SceneProblem{JsonPath() / "joints" / i / "type",
                        "the projective stepper with detected contact has only ball joints",
                        std::string("Make it a ball joint. ") + kUseCertified};
  }
  return {};
}

}  // namespace

std::optional<SceneProblem> find_projective_problem(const Scene& scene) {
  const JsonPath path = JsonPath() / "solver" / "projective";
  const ProjectiveOptions& options = scene.solver.projective;
  if (scene.solver.stepper != Stepper::Projective) {
    if (options == ProjectiveOptions()) return {};
    return SceneProblem{path, "these options have no effect: the stepper is newton",
                        "Set solver.stepper to \"projective\", or remove them."};
  }
  if (scene.time.integrator != Integrator::ImplicitEuler) {
    return SceneProblem{JsonPath() / "time" / "integrator", "the projective stepper is implicit Euler",
                        "Set time.integrator to \"implicit_euler\", or solver.stepper to \"newton\"."};
  }
  const auto is_elastic = [](const BodyDescription& body) {
    return body.kind == BodyKind::Soft || body.kind == BodyKind::Medial;
  };
  if (std::none_of(scene.bodies.begin(), scene.bodies.end(), is_elastic)) {
    return SceneProblem{JsonPath() / "solver" / "stepper",
                        "the projective stepper needs a soft or medial body",
                        "Set solver.stepper to \"newton\"."};
  }
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (options.local != LocalStep::Full || scene.bodies[i].kind != BodyKind::Medial) continue;
    return SceneProblem{path / "local",
                        fmt::format("bodies[{}] is medial: it has no unknowns at every vertex", i),
                        "Set local to \"semi\", or make the body soft."};
  }
  if (const Problem found = check_unused(options, path)) return found;
  return options.contact == ProjectiveContact::Detected ? check_detected(scene) : Problem();
}

}  // namespace marrow
