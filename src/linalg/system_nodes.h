// What the nodes of a system are, for solvers whose speed depends on it. No result depends on it beyond the
// solver's tolerance.
#pragma once

#include "core/types.h"

namespace marrow {

struct SystemNodes {
  // Points in space, three numbers per node [m]. If empty, only translations count as motions without strain.
  VecX positions;
  // The body of each node that is a point of it, as those of soft bodies are; kNone: another unknown, which
  // never stands for others. Empty: all are points of one body.
  std::vector<Index> bodies;
  // 1 for nodes in contact and others that a few stiff terms hold. Empty: none.
  std::vector<char> is_stiff;
};

}  // namespace marrow
