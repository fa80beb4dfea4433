#include "witness/checker_turning.h"

#include <algorithm>

#include "math/rotation.h"

namespace marrow {
namespace {

struct TurningOptions {
  // A path is cut into at most 2 to this many pieces. The bow is then |rotation|² |x₀ − c| 2⁻³⁵: pairs nearer
  // than that cannot be shown free. More cuts show smaller gaps free. [derived: less than 10⁻¹⁰ of a scene,
  // the least gap that a run may start with]
  static constexpr int kMostCuts = 16;
};

// Rounding of places on the path in units of u = 2⁻⁵³ [derived: docs/models/checker.md, Turning].
struct TurningRounding {
  static constexpr double kUnit = 0x1p-53;
  static constexpr double kShift = 4;      // times |c| + |shift|
  static constexpr double kArm = 64;       // times |x₀ − c|
  static constexpr double kAngle = 4;      // times |rotation| |x₀ − c|
  static constexpr double kStraight = 4;   // times |x₀| + |x₁|, of points that go straight
  static constexpr double kRelative = 16;  // of bows and sums of radii
};

class TurningPath {
 public:
  TurningPath(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
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
    const bool is_whole = t0 == 0 && t1 == 1;
    for (size_t i = 0; i < x0_.size(); ++i) {
      const double more = turn_of_point_[i] != nullptr ? bound_turning(i, t1 - t0)
                          : is_whole                   ? 0
                                                       : bound_straight(i);
      if (more > 0) grown.radii[i] = kAbove * (grown.radii[i] + more);
    }
    TrajectoryReport report = check_motion(grown, place(t0), place(t1), options_);
    for (OffendingPair& pair : report.pairs) pair.time = t0 + pair.time * (t1 - t0);
    if (report.is_clean() || has_straight_pair(report) || cuts == TurningOptions::kMostCuts) return report;
    const double middle = 0.5 * (t0 + t1);
    TrajectoryReport first = check(t0, middle, cuts + 1);
    if (!first.is_clean()) return first;
    return check(middle, t1, cuts + 1);
  }

 private:
  // Pieces free no pair of which both go straight: that was decided on the whole path, without rounding.
  bool has_straight_pair(const TrajectoryReport& report) const {
    const auto turns = [&](const SurfaceElement& element) {
      return turn_of_point_[static_cast<size_t>(element.vertices[0])] != nullptr;
    };
    return std::any_of(report.pairs.begin(), report.pairs.end(),
                       [&](const OffendingPair& pair) { return !turns(pair.a) && !turns(pair.b); });
  }

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

  // How far a point is from the chord of a piece of length h at most: bow and rounding.
  double bound_turning(size_t i, double h) const {
    using Rounding = TurningRounding;
    const BodyTurn& turn = *turn_of_point_[i];
    const double arm = (x0_[i] - turn.center).norm(), angle = turn.rotation.norm();
    const double bow = h * h / 8 * turn.rotation.squaredNorm() * arm;
    const double size = Rounding::kShift * (turn.center.norm() + turn.shift.norm()) +
                        (Rounding::kArm + Rounding::kAngle * angle) * arm;
    return kAbove * bow + Rounding::kUnit * size;
  }

  // How far a place between the ends is from the straight path: rounding.
  double bound_straight(size_t i) const {
    return TurningRounding::kUnit * TurningRounding::kStraight * (x0_[i].norm() + x1_[i].norm());
  }

  static constexpr double kAbove = 1 + TurningRounding::kRelative * TurningRounding::kUnit;

  const SurfaceSet& surfaces_;
  const Points &x0_, &x1_;
  const CheckerOptions& options_;
  std::vector<const BodyTurn*> turn_of_point_;
};

}  // namespace

TrajectoryReport check_turning_motion(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
                                      const std::vector<BodyTurn>& turns, const CheckerOptions& options) {
  if (turns.empty()) return check_motion(surfaces, x0, x1, options);
  return TurningPath(surfaces, x0, x1, turns, options).check(0, 1, 0);
}

}  // namespace marrow
