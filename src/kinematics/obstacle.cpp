#include "kinematics/body.h"

namespace marrow {

Points add_obstacle(const std::string& name, Mesh rest, Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Obstacle;
  body.W = build_identity(static_cast<Index>(rest.points.size()));
  body.mass = build_scalar_matrix(body.W.columns, body.W.columns, {});
  Points nodes = rest.points;
  body.rest = std::move(rest);
  append_body(std::move(body), kinematics);
  return nodes;
}

}  // namespace marrow
