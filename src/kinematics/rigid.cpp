#include "kinematics/body.h"

namespace marrow {

Points add_rigid_body(const std::string& name, Mesh surface, const MassProperties& properties,
                      Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Rigid;
  body.rest = std::move(surface);
  return add_four_points(std::move(body), properties, kinematics);
}

}  // namespace marrow
