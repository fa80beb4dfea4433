#include "witness/checker_turning.h"

#include <algorithm>

#include "math/rotation.h"

namespace marrow {
namespace {

// A way is cut into at most 2 to this many pieces.
constexpr int kMostCuts = 16;

// Of a point's place on the way, relative to its coordinates.
constexpr double kRounding = 1e-15;

class TurningWay {
 public:
  TurningWay(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
             const std::vector<BodyTurn>& turns, const CheckerOptions& options)
      : surfaces_(surfaces), x0_(x0), x1_(x1), options_(options), turn_of_point_(x0.size(), nullptr) {
    for (size_t i = 0; i < x0.size(); ++i) {
      const Index body = surfaces.bodies.empty() ? 0 : surfaces.bodies[i];
      for (const BodyTurn& turn : turns) {
        if (turn.body == body) turn_of_point_[i] = &turn;
      }
    }
  }

  TrajectoryReport check(double t0, double t1, int cuts) const {
    SurfaceSet grown = surfaces_;
    grown.radii.resize(x0_.size(), 0.0);
    for (size_t i = 0; i < x0_.size(); ++i) grown.radii[i] += compute_bow(i, t1 - t0);
    TrajectoryReport report = check_motion(grown, place(t0), place(t1), options_);
    for (OffendingPair& pair : report.pairs) pair.time = t0 + pair.time * (t1 - t0);
    if (report.is_clean() || cuts == kMostCuts) return report;
    const double middle = 0.5 * (t0 + t1);
    TrajectoryReport first = check(t0, middle, cuts + 1);
    if (!first.is_clean()) return first;
    return check(middle, t1, cuts + 1);
  }

 private:
  Points place(double t) const {
    Points x(x0_.size());
    for (size_t i = 0; i < x.size(); ++i) {
      const BodyTurn* turn = turn_of_point_[i];
      if (turn == nullptr) {
        x[i] = t == 0 ? x0_[i] : t == 1 ? x1_[i] : Vec3(x0_[i] + t * (x1_[i] - x0_[i]));
      } else {
        x[i] = turn->center + t * turn->shift +
               rotation_from_vector(t * turn->rotation) * (x0_[i] - turn->center);
      }
    }
    return x;
  }

  double compute_bow(size_t i, double h) const {
    const BodyTurn* turn = turn_of_point_[i];
    if (turn == nullptr) return 0;
    const double reach = (x0_[i] - turn->center).norm();
    const double size = x0_[i].norm() + x1_[i].norm() + reach;
    return h * h / 8 * turn->rotation.squaredNorm() * reach + kRounding * size;
  }

  const SurfaceSet& surfaces_;
  const Points &x0_, &x1_;
  const CheckerOptions& options_;
  std::vector<const BodyTurn*> turn_of_point_;
};

}  // namespace

TrajectoryReport check_turning_motion(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
                                      const std::vector<BodyTurn>& turns, const CheckerOptions& options) {
  if (turns.empty()) return check_motion(surfaces, x0, x1, options);
  return TurningWay(surfaces, x0, x1, turns, options).check(0, 1, 0);
}

}  // namespace marrow
