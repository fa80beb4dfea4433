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

const char* const kOnlyInSpace = "Remove it, or set dimension to 3.";

Problem refuse_in_plane(const JsonPath& path, const std::string& what) {
  return SceneProblem{path, what + " in a scene of dimension 2", kOnlyInSpace};
}

bool is_in_plane(const Vec3& v) { return v.z() == 0; }
bool is_turn_in_plane(const Vec3& turn) { return turn.x() == 0 && turn.y() == 0; }

Problem check_planar_motion(const JsonPath& path, const PrescribedDescription& motion) {
  const auto leaves = [&](const char* key) {
    return SceneProblem{path / key, "the motion leaves the plane of a scene of dimension 2",
                        "Move along x and y and turn about z only."};
  };
  if (!is_in_plane(motion.velocity)) return leaves("velocity");
  if (!is_turn_in_plane(motion.angular_velocity)) return leaves("angular_velocity");
  if (motion.about && !is_in_plane(*motion.about)) return leaves("about");
  for (size_t i = 0; i < motion.keyframes.size(); ++i) {
    const Keyframe& frame = motion.keyframes[i];
    if (!is_in_plane(frame.translation) || !is_turn_in_plane(frame.rotation)) return leaves("keyframes");
  }
  if (motion.translation && !(motion.translation->z == Expression(0))) return leaves("translation");
  if (motion.angle && !is_turn_in_plane(motion.axis))
    return leaves(motion.axis == Vec3::UnitY() ? "angle" : "axis");
  if (motion.sequence) return refuse_in_plane(path / "sequence", "meshes cannot be followed");
  return {};
}

// What only bodies in space have.
Problem check_planar_keys(const JsonPath& path, const BodyDescription& body) {
  if (body.kind != BodyKind::Soft && body.kind != BodyKind::Obstacle) {
    return SceneProblem{path / "kind",
                        fmt::format("there are no {} bodies in a scene of dimension 2", enum_name(body.kind)),
                        "Make it soft or an obstacle, or set dimension to 3."};
  }
  if (body.thickness) return refuse_in_plane(path / "thickness", "bodies are 1 m deep and have no thickness");
  if (body.order > 1) return refuse_in_plane(path / "order", "elements have order 1");
  if (body.surface) return refuse_in_plane(path / "surface", "bodies carry no surface");
  if (body.tet_size) return refuse_in_plane(path / "tet_size", "bodies are not filled with tets");
  if (body.rest_on) return refuse_in_plane(path / "rest_on", "bodies are not placed on others");
  if (body.pressure) return refuse_in_plane(path / "pressure", "bodies have no pressure inside");
  if (body.self_collision == SelfCollision::Certified)
    return refuse_in_plane(path / "self_collision", "there are no certificates");
  if (body.kind == BodyKind::Soft && body.mesh_part != MeshPart::Whole)
    return refuse_in_plane(path / "mesh_part", "a soft body is made of triangles");
  if (body.repeat && (body.repeat->count_z != 1))
    return refuse_in_plane(path / "repeat", "copies lie along x and y only");
  if (body.shape && !is_flat(*body.shape)) {
    return SceneProblem{path / "shape",
                        fmt::format("the shape {} does not lie in the plane", shape_name(*body.shape)),
                        "Use rectangle or disk, or set dimension to 3."};
  }
  return {};
}

Problem check_planar_body(const JsonPath& path, const BodyDescription& body) {
  if (const Problem found = check_planar_keys(path, body)) return found;
  if (!is_in_plane(body.position)) return refuse_in_plane(path / "position", "bodies lie at z = 0");
  if (!is_turn_in_plane(body.rotation)) return refuse_in_plane(path / "rotation", "bodies turn about z only");
  if (!is_in_plane(body.velocity))
    return refuse_in_plane(path / "velocity", "bodies move along x and y only");
  if (!is_turn_in_plane(body.angular_velocity))
    return refuse_in_plane(path / "angular_velocity", "bodies turn about z only");
  if (body.plane && !is_in_plane(body.plane->normal))
    return refuse_in_plane(path / "plane", "the normal of a plane lies at z = 0");
  for (size_t i = 0; i < body.prescribed.size(); ++i) {
    if (const Problem found = check_planar_motion(path / "prescribed" / i, body.prescribed[i])) return found;
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

std::optional<SceneProblem> find_planar_problem(const Scene& scene) {
  if (scene.dimension == 3) return {};
  if (!is_in_plane(scene.gravity)) return refuse_in_plane(JsonPath() / "gravity", "gravity has no z");
  if (scene.solver.stepper != Stepper::Newton)
    return refuse_in_plane(JsonPath() / "solver" / "stepper", "steps are Newton's");
  if (!scene.joints.empty()) return refuse_in_plane(JsonPath() / "joints", "there are no joints");
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (const Problem found = check_planar_body(JsonPath() / "bodies" / i, scene.bodies[i])) return found;
  }
  return {};
}

}  // namespace marrow
