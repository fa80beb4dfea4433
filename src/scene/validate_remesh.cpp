#include "scene/validate_remesh.h"

#include <fmt/format.h>

#include <algorithm>

namespace marrow {
namespace {

using Problem = std::optional<SceneProblem>;

// Only tets that carry their own surface can change.
Problem check_refine(const JsonPath& path, const BodyDescription& body) {
  if (!body.refine) return {};
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{path / "refine",
                        fmt::format("only soft bodies are refined; this is {}", enum_name(body.kind)),
                        "Remove it, or make the body soft."};
  }
  const char* other = nullptr;
  if (body.thickness) other = "thickness";
  if (body.surface) other = "surface";
  if (body.mesh_part != MeshPart::Whole) other = "mesh_part";
  if (other == nullptr) return {};
  return SceneProblem{path / "refine", fmt::format("a body with {} is not refined", other),
                      "Remove one of the two."};
}

Problem check_remeshed_body(const JsonPath& path, const BodyDescription& body) {
  if (!body.remesh) return {};
  const JsonPath key = path / "remesh";
  if (body.kind != BodyKind::Soft) {
    return SceneProblem{key, fmt::format("only soft bodies are remeshed; this is {}", enum_name(body.kind)),
                        "Remove it, or make the body soft."};
  }
  const char* other = nullptr;
  if (body.order > 1) other = "an order above 1";
  if (body.surface) other = "a carried surface";
  if (body.thickness) other = "a thickness (shells, wires or points)";
  if (body.mesh_part != MeshPart::Whole) other = "a mesh_part";
  if (!body.forces.empty()) other = "forces (gravity acts as always)";
  if (body.pressure) other = "a pressure";
  if (body.material.damping > 0) other = "material damping";
  if (body.self_collision == SelfCollision::Certified) other = "certificates";
  for (const PrescribedDescription& part : body.prescribed) {
    if (part.sequence) other = "a sequence of meshes to follow";
    if (part.release) other = "prescribed points that are released";
  }
  if (other == nullptr) return {};
  return SceneProblem{key, fmt::format("a body with {} cannot be remeshed", other),
                      "Remove one of the two; refine cuts all tets, once and for all."};
}

// What of a run has no place for meshes that change.
Problem check_remeshed_run(const Scene& scene, const JsonPath& key) {
  if (scene.time.integrator == Integrator::Newmark) {
    return SceneProblem{JsonPath() / "time" / "integrator", "remeshing does not work with newmark",
                        "Use implicit_euler, bdf2 or quasi_static, or remove remesh."};
  }
  if (scene.solver.stepper == Stepper::Projective) {
    return SceneProblem{JsonPath() / "solver" / "stepper", "remeshing does not work with this stepper",
                        "Set it to \"newton\", or remove remesh."};
  }
  if (!scene.joints.empty()) {
    return SceneProblem{JsonPath() / "joints", "a scene with joints cannot be remeshed",
                        "Remove the joints, or remesh."};
  }
  const auto is_medial = [](const BodyDescription& body) { return body.kind == BodyKind::Medial; };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), is_medial)) {
    return SceneProblem{key, "a scene with medial bodies cannot be remeshed",
                        "Make them soft, or remove remesh."};
  }
  if (!scene.output.vtu) {
    return SceneProblem{JsonPath() / "output" / "vtu", "frames of meshes that change are VTU files only",
                        "Set it to true, or remove remesh."};
  }
  if (!scene.output.iterates) return {};
  return SceneProblem{JsonPath() / "output" / "iterates",
                      "the iterates of meshes that change cannot be recorded",
                      "Set it to false, or remove remesh."};
}

}  // namespace

std::optional<SceneProblem> find_remesh_problem(const Scene& scene) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const JsonPath path = JsonPath() / "bodies" / i;
    if (const Problem found = check_refine(path, scene.bodies[i])) return found;
    if (const Problem found = check_remeshed_body(path, scene.bodies[i])) return found;
    if (!scene.bodies[i].remesh) continue;
    if (const Problem found = check_remeshed_run(scene, path / "remesh")) return found;
  }
  return {};
}

}  // namespace marrow
