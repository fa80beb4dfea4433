// What people are told of bodies with curved tets: their order, and how far what collides is from the curved
// surface.
#pragma once

#include <string>
#include <vector>

#include "sim/model/model.h"

namespace marrow {

struct CurvedBodyFacts {
  Index body = 0;
  int order = 2;
  size_t tets = 0;
  size_t nodes = 0;
  int cells = 0;         // every face is cut into cells² triangles; 0: the surface is another one
  double deviation = 0;  // a bound on the distance of the triangles from the curved surface [m]
};

// Where the nodes are.
std::vector<CurvedBodyFacts> list_curved_bodies(const Kinematics& kinematics, const VecX& nodes);

// "order 3, 30 curved tets, faces cut into 3 × 3 triangles, at most 0.0012 m from the curved surface".
std::string describe_curved_body(const CurvedBodyFacts& facts);

}  // namespace marrow
