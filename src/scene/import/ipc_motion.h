// The motions that IPC scripts name ("script twist") and have in code, as prescribed motions of a scene.
//
// IPC moves points step by step and looks at where they are; what stops or turns back at a place is turned
// into times here, on the assumption that the points get where they are sent.
#pragma once

#include "scene/import/ipc_stage.h"

namespace marrow {

// Gives the bodies the motion of the script. Throws InputError for one that we do not know.
void apply_ipc_motion(IpcStage& stage);

}  // namespace marrow
