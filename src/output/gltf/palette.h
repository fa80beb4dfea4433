// Colours of bodies: those of the scene, else those that the viewer gives (viewer/src/colours.ts has the same
// lists).
#pragma once

#include <array>
#include <vector>

#include "output/frames/frame.h"

namespace marrow {

// Linear red, green and blue.
std::vector<std::array<double, 3>> choose_colors(const std::vector<OutputBody>& bodies);

}  // namespace marrow
