// How large a body is at rest, as collisions of fast bodies see it.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct BodySize {
  // Half of the smallest extent, along the body's own axes: who moves farther can get around it. Of what is
  // flat, half of its smaller side; of a wire half of its length; infinite for obstacles and loose points.
  // [m]
  double half_width = 0;
  double radius = 0;      // the farthest point from the mean of the nodes [m]
  double node_ratio = 1;  // the same over the farthest node; 1 where points are nodes
};

// nodes: all, at rest.
BodySize measure_body(const Body& body, const VecX& nodes);

}  // namespace marrow
