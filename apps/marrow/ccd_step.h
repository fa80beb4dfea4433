// The whole collision step of a mesh that moves from one frame to the next.
#pragma once

#include <cstddef>
#include <string>

#include "geometry/ccd/ccd.h"

namespace marrow {

struct CollisionStep {
  size_t candidates_ee = 0, candidates_vf = 0;  // edge–edge and vertex–triangle
  size_t candidates_other = 0;                  // with wires and loose points
  double toi = 0;                               // the earliest; infinity if nothing touches
  double read_s = 0, broad_s = 0, stencil_s = 0, narrow_s = 0;
};

// Throws InputError if the frames are not of one mesh.
CollisionStep run_collision_step(const std::string& start_frame, const std::string& end_frame,
                                 const CcdOptions& options);

// Prints it as a small table or as one JSON object.
void print_collision_step(const CollisionStep& step, bool as_json);

}  // namespace marrow
