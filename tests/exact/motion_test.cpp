// The trajectory test: against published queries with exact truth, against samples of the motion decided by
// the static test, and on motions that are degenerate throughout.
#include "exact/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "exact/draws.h"
#include "exact/polynomial.h"

namespace marrow::exact {
namespace {

namespace fs = std::filesystem;

Simplex edge(Index first) { return make_simplex(first, first + 1); }

// An integer of any length as a double; the quotients of the files are doubles exactly, so numerator and
// denominator (a power of two) round without loss after scaling.
double parse_quotient(const std::string& numerator, const std::string& denominator) {
  // Numerators beyond 53 bits end in zero bits; long double covers 64, strtold rounds correctly.
  return static_cast<double>(std::strtold(numerator.c_str(), nullptr) /
                             std::strtold(denominator.c_str(), nullptr));
}

struct QueryCount {
  int queries = 0;
  int positives = 0;
  int wrong = 0;
};

// 8 rows a query: four points at the start, four at the end. Columns: x, y, z as quotients, then the truth.
QueryCount check_file(const fs::path& path, const Simplex& A, const Simplex& B) {
  std::ifstream file(path);
  QueryCount count;
  Points x0(4);
  Points x1(4);
  int row = 0;
  for (std::string line; std::getline(file, line); ++row) {
    std::stringstream cells(line);
    std::array<std::string, 7> cell;
    for (std::string& c : cell) std::getline(cells, c, ',');
    Vec3& point = row % 8 < 4 ? x0[static_cast<size_t>(row % 8)] : x1[static_cast<size_t>(row % 8 - 4)];
    for (int k = 0; k < 3; ++k) {
      point[k] = parse_quotient(cell[static_cast<size_t>(2 * k)], cell[static_cast<size_t>(2 * k + 1)]);
    }
    if (row % 8 != 7) continue;
    const bool truth = cell[6][0] == '1';
    const bool found = find_meeting({x0, x1}, A, B).has_value();
    count.queries += 1;
    count.positives += truth ? 1 : 0;
    count.wrong += found != truth ? 1 : 0;
  }
  return count;
}

TEST(ExactMotion, published_queries_without_a_disagreement) {
  const fs::path folder = fs::path(MARROW_SOURCE_DIR) / "../shared/data/ccd/Sample-Queries";
  if (!fs::exists(folder)) GTEST_SKIP() << "needs ../shared/data/ccd/Sample-Queries";
  QueryCount total;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const bool is_edges = entry.path().parent_path().filename() == "edge-edge";
    const QueryCount count = is_edges ? check_file(entry.path(), edge(0), edge(2))
                                      : check_file(entry.path(), make_simplex(0), make_simplex(1, 2, 3));
    EXPECT_EQ(count.wrong, 0) << entry.path();
    total.queries += count.queries;
    total.positives += count.positives;
  }
  EXPECT_EQ(total.queries, 5634);
  EXPECT_EQ(total.positives, 278);
}

// Points at a dyadic time, exact for small integers.
Points interpolate(const Points& x0, const Points& x1, double t) {
  Points x(x0.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = x0[i] + t * (x1[i] - x0[i]);
  return x;
}

// Distance of the nearest points on a grid of weights: an upper bound, a grid cell above the distance.
double bound_distance(const Points& x, const Simplex& A, const Simplex& B) {
  const int steps = 48;
  double best = std::numeric_limits<double>::infinity();
  const auto point_of = [&](const Simplex& s, int i, int j) -> Vec3 {
    const double u = static_cast<double>(i) / steps;
    const double v = static_cast<double>(j) / steps;
    const auto at = [&](int k) -> const Vec3& { return x[static_cast<size_t>(s[k])]; };
    if (s.count == 1) return at(0);
    if (s.count == 2) return (1 - u) * at(0) + u * at(1);
    return (1 - u) * at(0) + u * (1 - v) * at(1) + u * v * at(2);
  };
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const bool is_segments = A.count == 2;
      const Vec3 p = point_of(A, i, 0);
      const Vec3 q = is_segments ? point_of(B, j, 0) : point_of(B, i, j);
      best = std::min(best, (p - q).norm());
    }
  }
  return best;
}

// Whatever meets at a sampled time must be found; what is found must be close at the time that is named.
void check_random_motions(const Simplex& A, const Simplex& B, unsigned seed, int rounds) {
  std::mt19937_64 random(seed);
  Points x0(4);
  Points x1(4);
  int meeting = 0;
  for (int round = 0; round < rounds; ++round) {
    const int span = 2 + round % 7;
    for (Vec3& p : x0) p = draw_point(random, span);
    for (Vec3& p : x1) p = draw_point(random, span);
    // Coplanar throughout; collinear throughout; a common translation at the end.
    if (round % 5 == 1) {
      for (Points* x : {&x0, &x1}) {
        for (Vec3& p : *x) p[2] = p[0] + 2 * p[1];
      }
    }
    if (round % 11 == 2) {
      for (Points* x : {&x0, &x1}) {
        for (Vec3& p : *x) p[1] = p[2] = p[0];
      }
    }
    if (round % 7 == 3) {
      for (size_t i = 0; i < 4; ++i) x1[i] = x0[i] + x1[0];
    }
    const std::optional<double> time = find_meeting({x0, x1}, A, B);
    ASSERT_EQ(find_meeting({x1, x0}, B, A).has_value(), time.has_value()) << "backwards, round " << round;
    for (int k = 0; k <= 32; ++k) {
      const Points x = interpolate(x0, x1, k / 32.0);
      const bool meets = meet(PointSigns{x}, A, B);
      ASSERT_TRUE(!meets || time.has_value()) << "missed at sample " << k << ", round " << round;
    }
    if (!time) continue;
    ASSERT_LT(bound_distance(interpolate(x0, x1, *time), A, B), span * 0.06) << "round " << round;
    ++meeting;
  }
  EXPECT_GT(meeting, rounds / 20);
  EXPECT_LT(meeting, rounds);
}

TEST(ExactMotion, point_and_triangle_against_samples) {
  check_random_motions(make_simplex(0), make_simplex(1, 2, 3), 1, 8000);
}
TEST(ExactMotion, two_segments_against_samples) { check_random_motions(edge(0), edge(2), 2, 8000); }
TEST(ExactMotion, point_and_segment_against_samples) {
  check_random_motions(make_simplex(0), edge(1), 3, 8000);
}
TEST(ExactMotion, two_points_against_samples) {
  check_random_motions(make_simplex(0), make_simplex(1), 4, 8000);
}

// The filter may only speak where the exact test agrees.
TEST(ExactMotion, filter_is_never_wrong) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  int decided = 0;
  for (int round = 0; round < 20000; ++round) {
    Points x0(4);
    Points x1(4);
    for (Points* x : {&x0, &x1}) {
      for (Vec3& p : *x) p = Vec3(unit(random), unit(random), unit(random));
    }
    // Touching exactly at time 1/2: the midpoints of both edges pass through the origin there.
    for (const size_t i : {size_t{1}, size_t{3}}) {
      x0[i] = -x0[i - 1];
      x1[i] = -x1[i - 1];
    }
    decided += is_surely_apart({x0, x1}, edge(0), edge(2)) ? 1 : 0;
    ASSERT_TRUE(find_meeting({x0, x1}, edge(0), edge(2)).has_value());
  }
  EXPECT_EQ(decided, 0);
}

// A point passes a triangle's edge at a distance of one unit in the last place, or touches it in passing.
TEST(ExactMotion, grazing) {
  Points x0 = {{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  Points x1 = x0;
  x1[0][2] = -1;
  const Simplex triangle = make_simplex(1, 2, 3);
  EXPECT_EQ(find_meeting({x0, x1}, make_simplex(0), triangle), 0.5);
  x0[0][1] = x1[0][1] = -std::numeric_limits<double>::denorm_min();
  EXPECT_FALSE(find_meeting({x0, x1}, make_simplex(0), triangle).has_value());
}

// A double root: an edge swings down to another, touches it and swings back as the other moves on.
TEST(ExactMotion, roots_that_are_not_rational_and_double_ones) {
  const Polynomial p({1.0, -4.0, 2.0});  // 1 ± 1/√2
  std::vector<Root> roots = find_roots(p);
  ASSERT_EQ(roots.size(), 1U);
  EXPECT_DOUBLE_EQ(roots[0].approximate(), 1 - std::sqrt(0.5));
  EXPECT_EQ(roots[0].sign_of(p), 0);
  EXPECT_EQ(roots[0].sign_of(p * Polynomial({-3.0, 1.0})), 0);
  EXPECT_EQ(roots[0].sign_of(p - Polynomial({0x1p-900})), -1);
  // (t − 1/4)² (t − 3/4)
  const Polynomial q = Polynomial({-0.25, 1.0}) * Polynomial({-0.25, 1.0}) * Polynomial({-0.75, 1.0});
  roots = find_roots(q);
  ASSERT_EQ(roots.size(), 2U);
  EXPECT_EQ(roots[0].approximate(), 0.25);
  EXPECT_EQ(roots[1].approximate(), 0.75);
  EXPECT_EQ(roots[1].sign_of(Polynomial({-0.25, 1.0})), 1);
}

}  // namespace
}  // namespace marrow::exact
