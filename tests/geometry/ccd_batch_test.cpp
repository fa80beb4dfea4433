// The batch gives the bits of the single query, on every instruction set and any number of threads.
#include "geometry/ccd/batch.h"

#include <gtest/gtest.h>

#include <random>

#include "exec/parallel.h"
#include "geometry/distance/distance.h"

namespace marrow {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Random balls with random motion; every pair has four balls of its own.
struct Crowd {
  Points x0, x1;
  std::vector<double> radii;
  std::vector<PairStencil> pairs;

  Crowd(int count, double speed, double radius, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto point = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    for (int k = 0; k < count; ++k) {
      const Vec3 shift = 2 * point();
      PairStencil pair;
      for (int i = 0; i < 4; ++i) {
        pair[i] = static_cast<Index>(x0.size());
        const bool is_front = i < 2;
        x0.push_back(point() + (is_front ? Vec3(Vec3::Zero()) : shift));
        x1.push_back(x0.back() + speed * point());
        radii.push_back(radius * (1 + uniform(random)));
      }
      pairs.push_back(pair);
    }
  }
  MovingPoints points() const { return {x0, x1, radii}; }

  CcdQuery query(PairKind kind, size_t k) const {
    CcdQuery q;
    q.kind = kind;
    for (int i = 0; i < 4; ++i) {
      q.x0[i] = x0[pairs[k][i]];
      q.x1[i] = x1[pairs[k][i]];
      q.r0[i] = q.r1[i] = radii[pairs[k][i]];
    }
    return q;
  }
};

class BatchTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto targets = list_batch_targets();
    if (std::find(targets.begin(), targets.end(), GetParam()) == targets.end()) {
      GTEST_SKIP() << "this processor has no " << GetParam();
    }
    set_batch_target(GetParam());
  }
  void TearDown() override { set_batch_target(""); }
};

}  // namespace

TEST_P(BatchTest, squared_gaps_are_bounded_alike_on_every_target) {
  for (const double radius : {0.0, 0.05}) {
    for (const PairKind kind : {PairKind::EdgeEdge, PairKind::PointTriangle}) {
      const Crowd crowd(1003, 1.5, radius, 11);
      const MovingPoints points = crowd.points();
      std::vector<double> f(crowd.pairs.size()), portable(f);
      bound_squared_gaps(kind, crowd.pairs, points.x0, points.radii, f);
      set_batch_target("portable");
      bound_squared_gaps(kind, crowd.pairs, points.x0, points.radii, portable);
      set_batch_target(GetParam());
      EXPECT_EQ(f, portable);
    }
  }
}

TEST_P(BatchTest, equals_single_queries_to_the_last_bit) {
  for (const double radius : {0.0, 0.05}) {
    for (const double keep : {0.0, 0.1}) {
      for (const PairKind kind : {PairKind::EdgeEdge, PairKind::PointTriangle}) {
        const Crowd crowd(3001, 1.5, radius, 7);
        BatchOptions options;
        options.keep = keep;
        std::vector<double> toi(crowd.pairs.size());
        detect_collisions(kind, crowd.pairs, crowd.points(), options, toi);
        CcdOptions single;
        single.keep = keep;
        int hits = 0;
        for (size_t k = 0; k < toi.size(); ++k) {
          const CcdResult result = detect_by_advancement(crowd.query(kind, k), single);
          ASSERT_EQ(toi[k], result.is_hit ? result.toi : kNever) << k;
          hits += result.is_hit;
        }
        EXPECT_GT(hits, 50);
        EXPECT_LT(hits, 2900);
      }
    }
  }
}

TEST_P(BatchTest, earliest_is_the_least_of_all) {
  for (const PairKind kind : {PairKind::EdgeEdge, PairKind::PointTriangle}) {
    const Crowd crowd(20000, 1.0, 0.02, 3);
    BatchOptions options;
    options.keep = 0.1;
    std::vector<double> toi(crowd.pairs.size());
    detect_collisions(kind, crowd.pairs, crowd.points(), options, toi);
    double least = kNever;
    for (const double t : toi) least = std::min(least, t);
    for (const int threads : {1, 2, 3}) {
      exec::set_thread_count(threads);
      EXPECT_EQ(find_earliest_collision(kind, crowd.pairs, crowd.points(), options), least);
    }
    exec::set_thread_count(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, BatchTest, ::testing::Values("portable", "avx2", "avx512"),
                         [](const auto& c) { return c.param; });

TEST(CcdBatch, nothing_to_do) {
  const Crowd crowd(0, 1, 0, 1);
  EXPECT_EQ(find_earliest_collision(PairKind::EdgeEdge, crowd.pairs, crowd.points(), {}), kNever);
}

TEST(CcdBatch, queries_that_start_in_contact_are_hits_at_once) {
  Points x = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, -1, 0), Vec3(0.5, 1, 0)};
  const Points y = {Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0.5, -1, 0), Vec3(0.5, 1, 0)};
  const std::vector<PairStencil> pairs = {{0, 1, 2, 3}};
  std::vector<double> toi(1);
  detect_collisions(PairKind::EdgeEdge, pairs, {x, y, {}}, {}, toi);
  EXPECT_EQ(toi[0], 0);
  // Apart by the smallest gap there is, and moving away: free.
  x[0][2] = x[1][2] = 1e-300;
  detect_collisions(PairKind::EdgeEdge, pairs, {x, y, {}}, {}, toi);
  EXPECT_LE(toi[0], kNever);
  x[0][2] = x[1][2] = 1e-20;
  detect_collisions(PairKind::EdgeEdge, pairs, {x, y, {}}, {}, toi);
  EXPECT_EQ(toi[0], kNever);
}

}  // namespace marrow
