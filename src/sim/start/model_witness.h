// A model as the witness sees it: its surfaces and tets, less the pairs that the solver does not keep apart
// either (obstacles among themselves, bodies that ignore each other, medial primitives of one body that share
// a vertex or overlap at rest).
//
// The witness shares nothing with the solver (witness/). Only this list of what must not meet is taken from
// the model, and it is written here and nowhere else.
#pragma once

#include "sim/model/model.h"
#include "witness/witness.h"

namespace marrow {

// Radii count where bodies have them. Points are to be given by Witness::move_to.
Witness make_witness(const Model& model);

// How the rigid bodies turn on the path from n0 to n1, as the witness is told.
std::vector<BodyTurn> list_turns(const Kinematics& kinematics, const VecX& n0, const VecX& n1);

// The path of the nodes from n0 to n1: straight, but rigid bodies turn.
TrajectoryReport check_path(const Witness& witness, const Kinematics& kinematics, const VecX& n0,
                            const VecX& n1);

}  // namespace marrow
