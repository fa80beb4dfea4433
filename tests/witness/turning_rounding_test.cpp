// The rounding margin of the witness over paths that turn: points that touch by next to nothing somewhere on
// their exact paths are never shown free, near the origin and far from it, at every size.
//
// A point without radius turns; another stands still or goes straight, a tiny distance beside the place of
// the first at some time. Its radius is that distance in 64 bits, rounded up: they touch then, for certain.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "witness/checker_turning.h"

namespace marrow {
namespace {

using Long = Eigen::Matrix<long double, 3, 1>;

// x(t), by Rodrigues' formula in 64 bits.
Long place(const BodyTurn& turn, const Vec3& x0, long double t) {
  const Long c = turn.center.cast<long double>(), v = x0.cast<long double>() - c;
  const Long rotation = turn.rotation.cast<long double>();
  const long double angle = rotation.norm();
  if (angle == 0) return c + t * turn.shift.cast<long double>() + v;
  const Long k = rotation / angle;
  const long double cosine = std::cos(t * angle), sine = std::sin(t * angle);
  return c + t * turn.shift.cast<long double>() + cosine * v + sine * k.cross(v) +
         (1 - cosine) * k.dot(v) * k;
}

struct Pass {
  SurfaceSet surfaces;
  Points x0, x1;
  BodyTurn turn;
  CheckerOptions options;
  double touching_radius = 0;  // of the other point: they touch
  double size = 0;             // of the coordinates

  bool is_shown_free(double radius) {
    surfaces.radii = {0, radius};
    return check_turning_motion(surfaces, x0, x1, {turn}, options).is_clean();
  }
};

// arm: of the turn; offset: of its centre from the origin; gap: between the points; travel: of both, the
// other one straight.
class Passes {
 public:
  explicit Passes(unsigned seed) : random_(seed) {}

  Pass make(double arm, double offset, double gap, double travel) {
    Pass pass;
    pass.turn.center = offset * vector();
    pass.turn.rotation = uniform(0.1, 2.5) * vector();
    pass.turn.shift = std::min(travel, arm) * vector();
    const Vec3 x = pass.turn.center + arm * vector();
    const double t = uniform(0.05, 0.95), step = 1e-6;
    const Long here = place(pass.turn, x, t);
    const Vec3 way = travel * vector();
    const Long velocity = (place(pass.turn, x, t + step) - place(pass.turn, x, t - step)) / (2 * step) -
                          way.cast<long double>();
    const Long beside = velocity.cross(vector().cast<long double>()).normalized();
    const Vec3 other = (here + gap * beside).cast<double>();
    pass.x0 = {x, other - t * way};
    pass.x1 = {place(pass.turn, x, 1).cast<double>(), pass.x0[1] + way};
    const Long other_here = pass.x0[1].cast<long double>() +
                            t * (pass.x1[1].cast<long double>() - pass.x0[1].cast<long double>());
    pass.size = here.norm() + arm + travel;
    const long double distance = (other_here - here).norm() + 16 * 0x1p-64L * pass.size;
    pass.touching_radius = std::nextafter(static_cast<double>(distance), 1e300);
    pass.surfaces.loose_points = {0, 1};
    pass.surfaces.bodies = {0, 1};
    pass.surfaces.points = pass.x0;
    pass.options.ignored_bodies = {{0, 0}, {1, 1}};
    return pass;
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double power(double low, double high) { return std::pow(10, uniform(low, high)); }
  Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }

 private:
  std::mt19937_64 random_;
};

TEST(TurningRounding, what_touches_by_next_to_nothing_is_never_shown_free) {
  Passes passes(1);
  int count = 0;
  for (const double scale : {1e-60, 1e-6, 1.0, 1e6, 1e60}) {
    for (const double offset : {0.0, 1.0, 1e3, 1e8}) {
      for (int k = 0; k < 150; ++k, ++count) {
        Pass pass = passes.make(scale, scale * offset, scale * passes.power(-15, -6), k % 2 == 0 ? 0 : scale);
        ASSERT_FALSE(pass.is_shown_free(pass.touching_radius))
            << "scale " << scale << ", offset " << offset << ", pass " << k;
      }
    }
  }
  EXPECT_EQ(count, 3000);
}

// A place between two far ends is rounded by these, wherever it is.
TEST(TurningRounding, what_comes_from_far_away_and_touches_is_never_shown_free) {
  Passes passes(4);
  for (const double travel : {1e3, 1e6, 1e9}) {
    for (int k = 0; k < 300; ++k) {
      Pass pass = passes.make(1, 0, passes.power(-15, -6), travel);
      ASSERT_FALSE(pass.is_shown_free(pass.touching_radius)) << "travel " << travel << ", pass " << k;
    }
  }
}

// The margin is no wider than it must be: what keeps a millionth of a millionth of its size is shown free.
TEST(TurningRounding, what_keeps_a_small_gap_is_shown_free) {
  Passes passes(2);
  for (const double offset : {0.0, 1.0}) {
    for (int k = 0; k < 100; ++k) {
      Pass pass = passes.make(1, offset, 1e-7, k % 2 == 0 ? 0 : 1);
      EXPECT_TRUE(pass.is_shown_free(pass.touching_radius - 1e-9)) << offset << " " << k;
    }
  }
}

// Cutting the path frees no pair that goes straight and touches.
TEST(TurningRounding, what_goes_straight_and_touches_is_listed_beside_what_turns) {
  Passes passes(3);
  for (int k = 0; k < 100; ++k) {
    Pass pass = passes.make(1, 0, 1e-3, 0);
    const Vec3 meeting = pass.turn.center + Vec3(3, 3, 3) + passes.vector(), way = passes.vector();
    // Two points that meet half way, and a turning one that the whole chord's bow does not free.
    pass.surfaces.loose_points = {0, 1, 2, 3};
    pass.surfaces.bodies = {0, 1, 2, 3};
    pass.x0.insert(pass.x0.end(), {meeting - way, meeting + way});
    pass.x1.insert(pass.x1.end(), {meeting + way, meeting - way});
    pass.surfaces.radii = {0, 0.5 * pass.touching_radius, 1e-15, 0};
    EXPECT_FALSE(check_turning_motion(pass.surfaces, pass.x0, pass.x1, {pass.turn}, pass.options).is_clean());
  }
}

}  // namespace
}  // namespace marrow
