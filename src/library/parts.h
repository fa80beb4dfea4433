// Between the public types (include/marrow) and ours: parts of a scene, errors, reports, points.
#pragma once

#include <marrow/results.h>
#include <marrow/run.h>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/float_scope.h"
#include "core/types.h"
#include "linalg/blas.h"
#include "scene/description.h"
#include "sim/model/pose.h"
#include "sim/model/report.h"

namespace marrow {

struct api::Scene::Parts {
  marrow::Scene scene;
  std::string path;  // names of meshes are relative to it
  std::vector<std::string> notices;
  std::string text;                  // JSON: as it was read, so that errors name its lines
  std::vector<std::string> changes;  // "KEY=VALUE", made to it
};

// Calls body with floating point and BLAS as we need them; our errors become the caller's.
template <class Body>
auto call_library(const Body& body) {
  const FloatScope floats;
  const BlasScope blas;
  try {
    return body();
  } catch (const InputError& error) {
    throw api::InputError(error.what());
  }
}

api::StepReport make_public(const StepReport& report);
api::Pose make_public(const BodyPose& pose);
api::BodyForces make_public(const BodyForces& forces);
api::ContactForce make_public(const PairForces& pair, const Kinematics& kinematics);
api::JointForce make_public(const Joint& joint, const JointStatus& status, const Wrench& held,
                            const Kinematics& kinematics, const VecX& n);

inline api::Vec3 make_public(const Vec3& x) { return {x[0], x[1], x[2]}; }

// The same points: both are three numbers in a row.
inline std::span<const api::Vec3> view_points(const Points& x) {
  static_assert(sizeof(api::Vec3) == sizeof(Vec3));
  return {reinterpret_cast<const api::Vec3*>(x.data()), x.size()};
}

}  // namespace marrow
