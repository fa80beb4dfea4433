// The witness sees a model as its surfaces and tets, without the pairs that the solver does not keep apart
// either (obstacles among themselves, bodies that ignore each other, medial primitives of one body that share
// a vertex or overlap at rest).
//
// The witness shares nothing with the solver (witness/). Only this list of what must not meet is taken from
// the model, and only this file makes it.
#pragma once

#include "sim/model/model.h"
#include "witness/witness.h"

namespace marrow {

// Radii count if bodies have them. The caller sets the points with Witness::move_to.
Witness make_witness(const Model& model);

// The nodes as a list of points, as the witness takes them.
Points list_nodes(const VecX& nodes);

// The rotations of the rigid bodies on the path from n0 to n1, in the form that the witness takes.
std::vector<BodyTurn> list_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1);

// Checks the path of the nodes from n0 to n1: it is straight, except that rigid bodies turn.
TrajectoryReport check_path(const Witness& witness, const Kinematics& kinematics, const VecX& n0,
                            const VecX& n1);

}  // namespace marrow
