// Curved paths: the bow bound holds, no contact is missed or reported late, and public queries meet their
// conditions.
#include "geometry/ccd/curved.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "geometry/distance/gap.h"

namespace marrow {
namespace {

struct PoseRandom {
  std::mt19937_64 engine;
  explicit PoseRandom(unsigned seed) : engine(seed) {}
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vec3 point(double scale) { return scale * Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
  RigidPose pose(double shift, double turn) { return {point(shift), point(turn)}; }
};

double gap_at(const CurvedQuery& q, double t) {
  PairBalls balls;
  for (int i = 0; i < 4; ++i) {
    const int body = i < front_count(q.kind) ? 0 : 1;
    balls.x[i] = transform_point(interpolate(q.start[body], q.end[body], t), q.points[i]);
    balls.r[i] = q.radii[i];
  }
  return find_gap(q.kind, balls).compute_gap();
}

Vec3 read_vec(const nlohmann::json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}

RigidPose read_pose(const nlohmann::json& j) { return {read_vec(j["position"]), read_vec(j["rotation"])}; }

CurvedQuery read_query(const std::filesystem::path& file) {
  std::ifstream in(file);
  const auto j = nlohmann::json::parse(in);
  CurvedQuery q;
  std::array<const char*, 2> sides = {"edge0", "edge1"};
  std::vector<Vec3> points;
  if (j["type"] == "ee") {
    q.kind = PairKind::EdgeEdge;
    for (const char* side : sides)
      points.insert(points.end(), {read_vec(j[side]["vertex0"]), read_vec(j[side]["vertex1"])});
  } else {
    q.kind = PairKind::PointTriangle;
    sides = {"vertex", "face"};
    points.push_back(read_vec(j["vertex"]["vertex"]));
    for (const char* name : {"vertex0", "vertex1", "vertex2"}) points.push_back(read_vec(j["face"][name]));
  }
  for (int i = 0; i < 4; ++i) q.points[i] = points[static_cast<size_t>(i)];
  for (int b : {0, 1}) {
    q.start[b] = read_pose(j[sides[b]]["pose_t0"]);
    q.end[b] = read_pose(j[sides[b]]["pose_t1"]);
  }
  return q;
}

const std::filesystem::path kQueryFolder =
    std::filesystem::path(MARROW_SOURCE_DIR) / "../shared/data/ccd/rigid-ipc-nonlinear/tests/data";

std::vector<std::filesystem::path> list_queries(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(kQueryFolder / folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST(CcdCurved, no_path_leaves_its_chord_by_more_than_the_bound) {
  PoseRandom random(1);
  for (int k = 0; k < 3000; ++k) {
    const double turn = std::pow(10, random.uniform(-3, 0.8));
    const RigidPose start = random.pose(1, turn), end = random.pose(1, turn);
    const Vec3 X = random.point(2);
    const double t0 = random.uniform(0, 0.9), h = random.uniform(0.01, 1 - t0);
    const Vec3 a = transform_point(interpolate(start, end, t0), X),
               b = transform_point(interpolate(start, end, t0 + h), X);
    const double bound = compute_bow_bound(start, end, X.norm(), h);
    for (double s = 0.05; s < 1; s += 0.05) {
      const Vec3 x = transform_point(interpolate(start, end, t0 + s * h), X);
      ASSERT_LE((x - (a + s * (b - a))).norm(), bound + 1e-13);
    }
  }
}

TEST(CcdCurved, no_sampled_contact_is_missed_or_reported_late) {
  PoseRandom random(2);
  int hits = 0, free = 0;
  for (int k = 0; k < 4000; ++k) {
    CurvedQuery q;
    q.kind = k % 2 == 0 ? PairKind::EdgeEdge : PairKind::PointTriangle;
    const double turn = std::pow(10, random.uniform(-2, 0.7));
    for (int i = 0; i < 4; ++i) q.points[i] = random.point(1);
    if (k % 3 == 0) q.radii = {0.05, 0.1, 0.02, 0.2};
    for (int b : {0, 1}) {
      q.start[b] = random.pose(1.2, turn);
      q.end[b] = random.pose(1.2, turn);
    }
    if (gap_at(q, 0) <= 1e-3) continue;
    const CcdResult result = detect_curved_collision(q, {});
    const double until = result.is_hit ? result.toi : 1;
    for (int s = 0; s <= 400; ++s) {
      ASSERT_GT(gap_at(q, until * s / 400), q.radii[0] > 0 ? 0 : 1e-12) << "contact before the reported time";
    }
    if (result.is_hit) {
      ASSERT_LE(gap_at(q, result.toi), 2e-6) << "stopped without being close";
    }
    ++(result.is_hit ? hits : free);
  }
  EXPECT_GT(hits, 300);
  EXPECT_GT(free, 300);
}

TEST(CcdCurved, wrecking_ball_queries_are_free_up_to_their_time_of_impact) {
  if (!std::filesystem::exists(kQueryFolder)) GTEST_SKIP() << "../shared/data is not here";
  int count = 0;
  for (const auto& file : list_queries("wrecking-ball")) {
    ++count;
    CurvedQuery q = read_query(file);
    const CcdResult first = detect_curved_collision(q, {});
    const double until = first.is_hit ? first.toi : 1;
    for (int s = 0; s <= 200; ++s) ASSERT_GT(gap_at(q, until * s / 200), 0) << file;
    if (!first.is_hit) continue;
    for (int b : {0, 1}) q.end[b] = interpolate(q.start[b], q.end[b], first.toi);
    CcdOptions again;
    again.tolerance = 0;
    EXPECT_FALSE(detect_curved_collision(q, again).is_hit) << file;
  }
  EXPECT_GT(count, 200);
}

// A vertex on the way down to a triangle of 40 m, and on: double precision certifies no direction there.
TEST(CcdCurved, gaps_far_below_the_size_of_a_triangle_leave_a_part_of_the_way) {
  for (const double gap : {1e-6, 1e-7, 1e-8, 1e-9}) {
    for (const double turn : {0.0, 1e-4, 0.1}) {
      CurvedQuery q;
      q.kind = PairKind::PointTriangle;
      q.points = {Vec3(-0.1, gap, -0.07), Vec3(-20, 0, -20), Vec3(20, 0, -20), Vec3(-20, 0, 20)};
      for (int b : {0, 1}) q.start[b].rotation = q.end[b].rotation = Vec3(0.3, 0.2, 0.5);
      q.end[0].position = transform_point(q.start[0], Vec3(0, -5 * gap, 0));
      q.end[0].rotation.z() += turn * gap;
      CcdOptions options;
      options.min_separation = 0.1 * gap;
      options.tolerance = 0.1 * options.min_separation;
      const CcdResult result = detect_curved_collision(q, options);
      ASSERT_TRUE(result.is_hit) << gap;
      EXPECT_GT(result.toi, 0.15) << gap << " " << turn;
      EXPECT_GT(gap_at(q, result.toi), 0.09 * gap) << gap << " " << turn;
    }
  }
}

TEST(CcdCurved, kinematic_queries_start_with_a_step_of_positive_length) {
  if (!std::filesystem::exists(kQueryFolder)) GTEST_SKIP() << "../shared/data is not here";
  for (const char* folder : {"kinematic", "."}) {
    for (const auto& file : list_queries(folder)) {
      const CcdResult result = detect_curved_collision(read_query(file), {});
      if (result.is_hit) {
        EXPECT_GT(result.toi, 0) << file;
      }
    }
  }
}

}  // namespace marrow
