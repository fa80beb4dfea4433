#include "sim/model.h"

#include <algorithm>
#include <cmath>

namespace marrow {

int Model::step_count() const {
  return std::max(1, static_cast<int>(std::lround(time.duration / time.step)));
}

double Model::stop_length(double h) const { return newton.tolerance * size * std::min(h, 1.0); }

}  // namespace marrow
