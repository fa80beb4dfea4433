// Ways that turn never pass the first contact, and are not stopped without reason.
#include "contact/turning_limit.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/distance/gap.h"

namespace marrow {
namespace {

// A tetrahedron that turns, another that goes straight; all pairs of the two.
struct TwoTets {
  Points x0, x1;
  std::vector<Index> frame_of_point = {0, 0, 0, 0, kNone, kNone, kNone, kNone};
  std::vector<TurningFrame> frames;
  PairStencils pairs;

  explicit TwoTets(unsigned seed, double turn) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    TurningFrame frame;
    frame.center = vector();
    frame.shift = vector();
    frame.rotation = turn * vector();
    frames = {frame};
    for (int i = 0; i < 4; ++i) {
      x0.push_back(frame.center + 0.8 * vector());
      x1.push_back(frame.place(x0.back(), 1));
    }
    const Vec3 other = frame.center + Vec3(2.2, 0.5, 0) + 0.5 * vector(),
               shift = 0.5 * vector() - Vec3(1, 0, 0);
    for (int i = 0; i < 4; ++i) {
      x0.push_back(other + 0.8 * vector());
      x1.push_back(x0.back() + shift);
    }
    const int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const int faces[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    for (const auto& a : edges) {
      for (const auto& b : edges) pairs.edge_edge.push_back({a[0], a[1], 4 + b[0], 4 + b[1]});
    }
    for (int i = 0; i < 4; ++i) {
      for (const auto& f : faces) {
        pairs.vertex_face.push_back({i, 4 + f[0], 4 + f[1], 4 + f[2]});
        pairs.vertex_face.push_back({4 + i, f[0], f[1], f[2]});
      }
    }
  }

  TurningPoints paths() const { return {x0, x1, {}, frame_of_point, frames}; }

  Vec3 place(size_t i, double t) const {
    return frame_of_point[i] == kNone ? Vec3(x0[i] + t * (x1[i] - x0[i])) : frames[0].place(x0[i], t);
  }

  std::vector<double> grow() const {
    std::vector<double> grown(8);
    grow_radii(paths(), std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7}, grown);
    return grown;
  }

  double gap_at(double t) const {
    double gap = 1e9;
    const auto look = [&](PairKind kind, const std::vector<PairStencil>& list) {
      for (const PairStencil& p : list) {
        PairBalls balls;
        for (size_t i = 0; i < 4; ++i) balls.x[i] = place(static_cast<size_t>(p[i]), t);
        balls.r = {0, 0, 0, 0};
        gap = std::min(gap, find_gap(kind, balls).compute_gap());
      }
    };
    look(PairKind::PointTriangle, pairs.vertex_face);
    look(PairKind::EdgeEdge, pairs.edge_edge);
    return gap;
  }
};

}  // namespace

TEST(TurningLimit, stops_before_the_first_contact_and_not_much_before) {
  int stopped = 0, free = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const TwoTets tets(seed, 2.0 * (seed % 4));
    const double start = tets.gap_at(0);
    if (start < 0.02) continue;
    const std::vector<double> bows = tets.grow();
    const StepLimit limit = compute_turning_collision_limit(tets.paths(), bows, tets.pairs);
    ASSERT_GT(limit.alpha, 0) << seed;
    // Up to the limit all stay apart.
    double smallest = start;
    for (int k = 0; k <= 400; ++k) smallest = std::min(smallest, tets.gap_at(limit.alpha * k / 400));
    EXPECT_GT(smallest, 1e-3 * start) << seed;
    if (limit.alpha < 1) {
      ++stopped;
      // Just beyond, some pair is close.
      EXPECT_LT(tets.gap_at(limit.alpha), 0.5) << seed;
      continue;
    }
    ++free;
  }
  EXPECT_GT(stopped, 50);
  EXPECT_GT(free, 50);
}

TEST(TurningLimit, bows_bound_the_way) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const TwoTets tets(seed, 1.5);
    const std::vector<double> bows = tets.grow();
    for (size_t i = 0; i < 8; ++i) {
      for (int k = 0; k <= 20; ++k) {
        const double t = k / 20.0;
        const Vec3 chord = tets.x0[i] + t * (tets.x1[i] - tets.x0[i]);
        EXPECT_LE((tets.place(i, t) - chord).norm(), bows[i] + 1e-15);
      }
    }
  }
}

}  // namespace marrow
