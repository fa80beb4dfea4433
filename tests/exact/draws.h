// Random points with small whole coordinates.
#pragma once

#include <random>

#include "core/types.h"

namespace marrow::exact {

inline Vec3 draw_point(std::mt19937_64& random, int span) {
  const auto draw = [&] { return static_cast<double>(random() % static_cast<unsigned>(span)); };
  const double x = draw();
  const double y = draw();
  return Vec3(x, y, draw());
}

}  // namespace marrow::exact
