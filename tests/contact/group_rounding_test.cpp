// The rounding margins of points that move as one (contact/group_rounding.h): boxes made from frames hold the
// points that collision detection sees, made from nodes, and no search is taken to cover a path that it does
// not. Far from the origin, for bodies that reach far beyond their nodes, and at gaps that are exact ties.
#include "contact/group_rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "contact/proximity.h"
#include "math/rotation.h"

namespace marrow {
namespace {

using Corners = Eigen::Matrix<double, 3, 4>;

Corners list_corners() {
  const double s = 1 / std::sqrt(3.0);
  Corners corners;
  corners << s, s, -s, -s, s, -s, s, -s, s, -s, -s, s;
  return corners;
}

// Points that follow four nodes; frames and coordinates as potentials/contact/contact_motion makes them.
struct NodeBody {
  Corners nodes, corners;
  std::vector<std::array<double, 4>> weights;
  Points coordinates;

  // axes: along which the coordinates are turned.
  NodeBody(const Corners& of, const Points& places, const Mat3& axes) : nodes(of), corners(list_corners()) {
    for (const Vec3& y : places) {
      weights.push_back({});
      for (int a = 0; a < 4; ++a) weights.back()[a] = 0.25 + 0.75 * corners.col(a).dot(y);
      coordinates.push_back(corners * Eigen::Map<const Eigen::Vector4d>(weights.back().data()));
    }
    corners = axes.transpose() * corners;
    for (Vec3& y : coordinates) y = axes.transpose() * y;
  }

  AffineFrame frame() const {
    AffineFrame frame;
    frame.A.noalias() = 0.75 * nodes * corners.transpose();
    frame.t = 0.25 * nodes.rowwise().sum();
    return frame;
  }
  Vec3 point(size_t i) const {
    Vec3 x = Vec3::Zero();
    for (int a = 0; a < 4; ++a) x += weights[i][a] * nodes.col(a);
    return x;
  }
};

class Bodies {
 public:
  explicit Bodies(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  // Nodes of a body of about this size at a place, and points at coordinates up to reach.
  NodeBody make(const Vec3& place, double size, double reach, size_t count) {
    const Mat3 A = size * (rotation_from_vector(vector(2)) + 0.2 * rotation_from_vector(vector(2)));
    Points places;
    for (size_t i = 0; i < count; ++i) places.push_back(vector(reach));
    const Corners nodes = (A * list_corners()).colwise() + place;
    return {nodes, places, rotation_from_vector(vector(2))};
  }

 private:
  std::mt19937_64 random_;
};

// Two bodies of loose points, each of which moves as one.
struct TwoGroups {
  CollisionMesh mesh;
  MovedGroups groups;
  std::array<NodeBody, 2> bodies;

  TwoGroups(NodeBody a, NodeBody b) : bodies{std::move(a), std::move(b)} {
    for (const Index body : {0, 1}) {
      for (const Vec3& y : bodies[static_cast<size_t>(body)].coordinates) {
        mesh.loose.push_back(mesh.point_count++);
        mesh.bodies.push_back(body);
        groups.group_of_point.push_back(body);
        groups.coordinates.push_back(y);
      }
    }
    groups.count = 2;
    groups.scales = {1, 1};
  }
  CandidateFilter filter() const {
    return {.ignored_bodies = {{0, 0}, {1, 1}}, .neighbours = {}, .fixed = {}, .overlapping = {}};
  }
  size_t count() const { return bodies[0].coordinates.size(); }

  std::vector<AffineFrame> frames() const { return {bodies[0].frame(), bodies[1].frame()}; }
  Points points() const {
    Points x;
    for (const NodeBody& body : bodies) {
      for (size_t i = 0; i < count(); ++i) x.push_back(body.point(i));
    }
    return x;
  }
  // The nearest two by their boxes, and how far apart these are along some axis, exactly.
  IndexPair find_nearest(const Points& x, long double& distance) const {
    IndexPair nearest = {0, 0};
    distance = 1e300L;
    for (size_t i = 0; i < count(); ++i) {
      for (size_t j = count(); j < 2 * count(); ++j) {
        const long double d = (x[i].cast<long double>() - x[j].cast<long double>()).lpNorm<Eigen::Infinity>();
        if (!(d < distance)) continue;
        distance = d;
        nearest = {static_cast<Index>(i), static_cast<Index>(j)};
      }
    }
    return nearest;
  }
};

bool has_pair(const std::vector<IndexPair>& pairs, const IndexPair& pair) {
  return std::find(pairs.begin(), pairs.end(), pair) != pairs.end();
}

}  // namespace

TEST(GroupRounding, points_are_within_the_bound_of_their_frames) {
  Bodies bodies(1);
  double worst = 0;
  for (const double offset : {0.0, 1.0, 1e4, 1e8}) {
    for (const double reach : {0.1, 1.0, 5.0, 100.0}) {
      for (int k = 0; k < 100; ++k) {
        const NodeBody body = bodies.make(bodies.vector(offset), 1, reach, 30);
        const AffineFrame frame = body.frame();
        const CenterBox box = box_of_points(body.coordinates);
        for (size_t i = 0; i < body.coordinates.size(); ++i) {
          const Eigen::Matrix<long double, 3, 1> placed =
              frame.A.cast<long double>() * body.coordinates[i].cast<long double>() +
              frame.t.cast<long double>();
          const long double error = (placed - body.point(i).cast<long double>()).lpNorm<Eigen::Infinity>();
          worst = std::max(worst,
                           static_cast<double>(error) / (GroupRounding::kFrame * measure_frame(frame, box)));
        }
      }
    }
  }
  EXPECT_LE(worst, 1);
  EXPECT_GE(worst, 0.01);  // a bound a hundred times smaller does not hold
}

TEST(GroupRounding, pairs_at_exact_ties_are_found) {
  Bodies bodies(2);
  for (const double offset : {0.0, 1.0, 1e4, 1e8}) {
    for (const double size : {1e-3, 1.0, 1e3}) {
      for (int k = 0; k < 100; ++k) {
        const Vec3 place = bodies.vector(offset), beside = place + Vec3(size * bodies.uniform(3, 20), 0, 0);
        const double reach = k % 2 == 0 ? 1 : 20;
        const TwoGroups two(bodies.make(place, size, reach, 40), bodies.make(beside, size, reach, 40));
        const Points x = two.points();
        long double exact = 0;
        const IndexPair nearest = two.find_nearest(x, exact);
        const double distance = std::nextafter(static_cast<double>(exact), 1e300);
        const std::vector<AffineFrame> frames = two.frames();
        Candidates found;
        BroadPhase(two.mesh, two.filter(), two.groups).find({x, x, frames, frames}, distance, found);
        ASSERT_TRUE(has_pair(found.vertex_vertex, nearest)) << offset << " " << size << " " << k;
      }
    }
  }
}

// What a search is kept for has not left it: every point, as collision detection sees it, has moved by no
// more than the slack, exactly.
TEST(GroupRounding, a_search_is_kept_only_while_no_point_has_moved_by_more_than_the_slack) {
  Bodies bodies(3);
  int kept = 0, not_kept = 0;
  const double d_hat = 1e-3, slack = 0.5 * d_hat;
  for (const double offset : {0.0, 1.0, 1e4, 1e7, 1e8}) {
    for (int k = 0; k < 500; ++k) {
      const Vec3 place = bodies.vector(offset), direction = bodies.vector(1);
      const double moved = slack * (1 - std::pow(10, bodies.uniform(-16, -0.5)));
      TwoGroups two(bodies.make(place, 0.01, 1.5, 20), bodies.make(place, 0.01, 1.5, 20));
      const Points x = two.points();
      const std::vector<AffineFrame> frames = two.frames();
      Proximity proximity(two.mesh, two.filter(), d_hat, two.groups);
      proximity.find_pairs({x, x, frames, frames});
      const Vec3 shift = moved / direction.lpNorm<Eigen::Infinity>() * direction;
      for (NodeBody& body : two.bodies) body.nodes.colwise() += shift;
      const Points y = two.points();
      const std::vector<AffineFrame> later = two.frames();
      if (!proximity.is_covered({y, y, later, later})) {
        ++not_kept;
        continue;
      }
      ++kept;
      for (size_t i = 0; i < x.size(); ++i) {
        const auto paths = y[i].cast<long double>() - x[i].cast<long double>();
        ASSERT_LE(paths.lpNorm<Eigen::Infinity>(), slack) << offset << " " << k;
      }
    }
  }
  EXPECT_GT(kept, 500);
  EXPECT_GT(not_kept, 100);
}

}  // namespace marrow
