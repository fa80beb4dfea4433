#include "sim/model/model.h"

#include <algorithm>
#include <cmath>

namespace marrow {
namespace {

// The longest step length that counts without inertia, because it does not say how exact an equilibrium must
// be [s]. [derived: the default of time.step, so that equilibria are as exact as steps of that length]
constexpr double kQuasiStaticStep = 0.01;

}  // namespace

int Model::step_count() const {
  return std::max(1, static_cast<int>(std::lround(time.duration / time.step)));
}

double Model::stop_length(double h) const {
  const double longest = time.integrator == Integrator::QuasiStatic ? kQuasiStaticStep : 1;
  return newton.tolerance * size * std::min(h, longest);
}

}  // namespace marrow
