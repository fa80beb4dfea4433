// What the writers of results need to know of the bodies.
#pragma once

#include "output/frames/frame.h"
#include "sim/model/model.h"

namespace marrow {

// Names, points and simplices. All bodies move freely.
OutputTopology make_topology(const Kinematics& kinematics, const SceneLook& look = {});

// The same with what rests and what follows a pose.
OutputTopology make_topology(const Model& model, const SceneLook& look = {});

}  // namespace marrow
