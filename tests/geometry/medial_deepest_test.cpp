// The deepest penetration of medial primitives against sampling, on generic and on degenerate pairs.
#include "geometry/medial/deepest.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

namespace marrow {
namespace {

class PrimitivePairs {
 public:
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  Vec3 point(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  int count() { return std::uniform_int_distribution<int>(1, 3)(random_); }

  MedialBalls primitive(double radius, const Vec3& shift) {
    MedialBalls balls;
    balls.count = count();
    for (size_t i = 0; i < 3; ++i) {
      const size_t same = static_cast<size_t>(balls.count) - 1;
      if (i > same) {
        balls.x[i] = balls.x[same];
        balls.r[i] = balls.r[same];
        continue;
      }
      balls.x[i] = shift + point(1);
      balls.r[i] = uniform(0, radius);
    }
    return balls;
  }

 private:
  std::mt19937 random_{5};
};

void repeat_last(MedialBalls& balls) {
  for (size_t i = static_cast<size_t>(balls.count); i < 3; ++i) {
    balls.x[i] = balls.x[i - 1];
    balls.r[i] = balls.r[i - 1];
  }
}

struct Family {
  std::string name;
  std::function<std::pair<MedialBalls, MedialBalls>(PrimitivePairs&)> make;
  double scale = 1;
};

std::vector<Family> list_families() {
  const auto near = [](PrimitivePairs& p, double radius, double shift) {
    return std::pair(p.primitive(radius, p.point(shift)), p.primitive(radius, Vec3::Zero()));
  };
  const auto parallel = [](PrimitivePairs& p, double eps, bool has_taper) {
    auto pair = std::pair(p.primitive(0.4, p.point(0.5)), p.primitive(0.4, Vec3::Zero()));
    const Vec3 d = p.point(1).normalized();
    for (MedialBalls* balls : {&pair.first, &pair.second}) {
      for (size_t i = 1; i < 3; ++i) {
        balls->x[i] = balls->x[0] + p.uniform(-2, 2) * d + eps * p.point(1);
        if (!has_taper) balls->r[i] = balls->r[0];
      }
      repeat_last(*balls);
    }
    return pair;
  };
  const auto scaled = [=](double scale) {
    return [=](PrimitivePairs& p) {
      auto pair = near(p, 0.5, 0.7);
      for (MedialBalls* balls : {&pair.first, &pair.second}) {
        for (size_t i = 0; i < 3; ++i) {
          balls->x[i] *= scale;
          balls->r[i] *= scale;
        }
      }
      return pair;
    };
  };
  const auto flat = [=](PrimitivePairs& p) {  // coplanar and crossing
    auto pair = near(p, 0.3, 0.5);
    for (MedialBalls* balls : {&pair.first, &pair.second})
      for (Vec3& x : balls->x) x[2] = 0;
    return pair;
  };
  const auto coincident = [=](PrimitivePairs& p) {
    auto pair = near(p, 0.3, 0.5);
    for (size_t i = 0; i < 3; ++i) pair.second.x[i] = pair.first.x[(i + 1) % 3];
    repeat_last(pair.second);
    return pair;
  };
  const auto nested = [=](PrimitivePairs& p) {  // end balls inside each other
    auto pair = near(p, 0.2, 0.1);
    pair.first.r[0] = 3;
    pair.second.r[0] = 2;
    repeat_last(pair.first);
    repeat_last(pair.second);
    return pair;
  };
  // Axes that pass each other at 1e-4 to 1e-15.
  const auto grazing = [=](PrimitivePairs& p) {
    auto pair = near(p, 0.3, 0.5);
    const double eps = std::pow(10.0, p.uniform(-15, -4));
    const Vec3 normal = (pair.second.x[1] - pair.second.x[0]).cross(pair.second.x[2] - pair.second.x[0]);
    const Vec3 across = normal.norm() > 1e-9 ? Vec3(normal.normalized()) : Vec3::UnitZ();
    const Vec3 target =
        0.5 * pair.second.x[0] + 0.3 * pair.second.x[1] + 0.2 * pair.second.x[2] + eps * across;
    const Vec3 from = 0.4 * pair.first.x[0] + 0.6 * pair.first.x[1];
    for (Vec3& x : pair.first.x) x += target - from;
    return pair;
  };
  return {{"apart", [=](PrimitivePairs& p) { return near(p, 0.1, 4); }},
          {"penetrating", [=](PrimitivePairs& p) { return near(p, 0.5, 0.7); }},
          {"thin", [=](PrimitivePairs& p) { return near(p, 0, 0.7); }},
          {"steep", [=](PrimitivePairs& p) { return near(p, 2, 1); }},
          {"parallel", [=](PrimitivePairs& p) { return parallel(p, 0, false); }},
          {"parallel cones", [=](PrimitivePairs& p) { return parallel(p, 0, true); }},
          {"nearly parallel 1e-4", [=](PrimitivePairs& p) { return parallel(p, 1e-4, true); }},
          {"nearly parallel 1e-9", [=](PrimitivePairs& p) { return parallel(p, 1e-9, true); }},
          {"nearly parallel 1e-13", [=](PrimitivePairs& p) { return parallel(p, 1e-13, true); }},
          {"flat", flat},
          {"coincident", coincident},
          {"nested", nested},
          {"nearly crossing", grazing},
          {"tiny", scaled(1e-6), 1e-6},
          {"huge", scaled(1e6), 1e6},
          {"distant", [=](PrimitivePairs& p) {
             auto pair = near(p, 0.5, 0.7);
             const Vec3 away(1e5, -3e5, 2e5);
             for (MedialBalls* balls : {&pair.first, &pair.second})
               for (Vec3& x : balls->x) x += away;
             return pair;
           }}};
}

double gap_at(const MedialBalls& a, const MedialBalls& b, const Vec3& l, const Vec3& m) {
  Vec3 c = Vec3::Zero();
  double rho = 0;
  for (size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    c += l[k] * (a.x[i] - a.x[0]) - m[k] * (b.x[i] - a.x[0]);
    rho += l[k] * a.r[i] + m[k] * b.r[i];
  }
  return c.norm() - rho;
}

// The least gap of a grid of weights.
double sample_gap(const MedialBalls& a, const MedialBalls& b, int steps) {
  std::vector<Vec3> weights;
  for (int i = 0; i <= steps; ++i)
    for (int j = 0; i + j <= steps; ++j)
      weights.emplace_back(1.0 * i / steps, 1.0 * j / steps, 1.0 * (steps - i - j) / steps);
  double least = INFINITY;
  for (const Vec3& l : weights)
    for (const Vec3& m : weights) least = std::min(least, gap_at(a, b, l, m));
  return least;
}

TEST(MedialDeepest, is_the_least_gap_of_every_family) {
  PrimitivePairs sampler;
  for (const Family& family : list_families()) {
    double worst = 0;
    for (int k = 0; k < 2000; ++k) {
      const auto [a, b] = family.make(sampler);
      const Deepest deepest = find_deepest(a, b);
      const double scale = family.scale * 5;
      worst = std::max(worst, (deepest.gap - deepest.certified) / scale);
      EXPECT_NEAR(deepest.gap, gap_at(a, b, deepest.weights_a, deepest.weights_b), 1e-12 * scale);
      EXPECT_LE(deepest.certified, deepest.gap) << family.name;
      if (k % 20 == 0) {
        const double sampled = sample_gap(a, b, 12);
        EXPECT_GE(sampled, deepest.gap - 1e-12 * scale) << family.name << ' ' << k;
        EXPECT_GE(sampled, deepest.certified) << family.name << ' ' << k;
      }
    }
    EXPECT_LE(worst, 1e-9) << family.name;
    RecordProperty(family.name, std::to_string(worst));
  }
}

TEST(MedialDeepest, moving_by_the_depth_separates) {
  PrimitivePairs sampler;
  int penetrating = 0;
  for (int k = 0; k < 6000; ++k) {
    MedialBalls a = sampler.primitive(0.4, sampler.point(0.9)), b = sampler.primitive(0.4, Vec3::Zero());
    const Deepest deepest = find_deepest(a, b);
    if (deepest.gap > 0) {
      EXPECT_TRUE(deepest.is_apart());
      continue;
    }
    EXPECT_FALSE(deepest.is_apart());
    EXPECT_NEAR(deepest.normal.norm(), 1, 1e-12);
    const DeepestPoints points = locate_deepest(a, b, deepest);
    const Vec3 c = points.on_a - points.on_b - deepest.gap * deepest.normal;
    const bool is_crossing =
        (deepest.weights_a[0] * a.x[0] + deepest.weights_a[1] * a.x[1] + deepest.weights_a[2] * a.x[2] -
         deepest.weights_b[0] * b.x[0] - deepest.weights_b[1] * b.x[1] - deepest.weights_b[2] * b.x[2])
            .norm() < 1e-9;
    if (is_crossing) continue;
    ++penetrating;
    EXPECT_LT(c.norm(), 1e-9);
    for (Vec3& x : a.x) x -= deepest.gap * deepest.normal;
    EXPECT_NEAR(find_deepest(a, b).gap, 0, 1e-9);
  }
  EXPECT_GT(penetrating, 800);
}

// Two discs that cross: every direction across the line where they cross is a way out of the axes, and the
// one along the shortest way out of the crossing is found.
TEST(MedialDeepest, finds_the_way_out_of_crossing_axes) {
  MedialBalls slab, cone;
  slab.count = 3;
  slab.x = {Vec3(-3, -3, 0), Vec3(3, -3, 0), Vec3(0, 5, 0)};
  slab.r = {0.2, 0.2, 0.2};
  cone.count = 2;
  cone.x = {Vec3(0, 0, 0.5), Vec3(0.1, 0, -2), Vec3(0.1, 0, -2)};
  cone.r = {0.1, 0.1, 0.1};
  const Deepest deepest = find_deepest(cone, slab);
  EXPECT_NEAR(deepest.gap, -0.3, 1e-12);
  EXPECT_NEAR(deepest.normal.z(), -1, 1e-9);
  MedialBalls moved = cone;
  for (Vec3& x : moved.x) x += 0.8 * deepest.normal;
  EXPECT_NEAR(find_deepest(moved, slab).gap, 0, 1e-9);
}

TEST(MedialDeepest, knows_the_gap_of_known_pairs) {
  const auto sphere = [](const Vec3& x, double r) { return MedialBalls{{x, x, x}, {r, r, r}, 1}; };
  EXPECT_NEAR(find_deepest(sphere({0, 0, 0}, 1), sphere({3, 0, 0}, 1)).gap, 1, 1e-14);
  EXPECT_NEAR(find_deepest(sphere({0, 0, 0}, 1), sphere({0, 0, 0}, 2)).gap, -3, 1e-14);
  // A cone with the half angle of 30 degrees: its side is steeper than its axis.
  const MedialBalls cone{{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(2, 0, 0)}, {1, 0, 0}, 2};
  const Deepest side = find_deepest(sphere({1.5, 2, 0}, 0.5), cone);
  EXPECT_NEAR(side.gap, 0.5 * 1.5 + std::sqrt(0.75) * 2 - 1 - 0.5, 1e-12);
  EXPECT_NEAR(side.normal.x(), 0.5, 1e-12);
}

}  // namespace
}  // namespace marrow
