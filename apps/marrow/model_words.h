// What a model consists of, in the words that several verbs print.
#pragma once

#include <string>

#include "kinematics/body.h"

namespace marrow {

// "2 bodies, 375 nodes, 1152 elements": what deforms, of soft and medial bodies, shells and wires; left out
// if nothing does.
std::string describe_counts(const Kinematics& kinematics);

}  // namespace marrow
