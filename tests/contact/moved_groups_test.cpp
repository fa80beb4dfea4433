// Points that move as one are searched by their frames alone: the pairs are those of a search point by point,
// and ways that are taken as covered have no pair that was not found.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <random>

#include "contact/pairs.h"
#include "contact/proximity.h"
#include "exec/parallel.h"
#include "math/rotation.h"

namespace marrow {
namespace {

using test::Pairs;
using test::sorted;

// Bodies of triangles, wires and loose points with radii, near each other; two of three move as one.
struct Heap {
  CollisionMesh mesh;
  CandidateFilter filter;
  MovedGroups groups;
  Points x0, x1;
  std::vector<AffineFrame> start, end;
  std::vector<TurningFrame> turns;
  std::mt19937 random;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  Heap(unsigned seed, Index body_count, bool has_free = true) : random(seed) {
    Mesh all;
    for (Index body = 0; body < body_count; ++body) {
      const bool is_moved = !has_free || body % 3 != 0;
      add_body(body, is_moved, all);
      if (is_moved) filter.ignored_bodies.push_back({body, body});
    }
    std::vector<Index> bodies = std::move(mesh.bodies);
    mesh = build_collision_mesh(all);
    mesh.bodies = std::move(bodies);
    move(0.2, 0.3);
  }

  void add_body(Index body, bool is_moved, Mesh& all) {
    const auto first = static_cast<Index>(all.points.size());
    const Index third = 8;
    for (Index i = 0; i < 3 * third; ++i) {
      all.points.push_back(vector(0.5));
      all.radii.push_back(uniform(0, 0.02));
      mesh.bodies.push_back(body);
      groups.group_of_point.push_back(is_moved ? groups.count : kNone);
    }
    for (Index i = first; i + 2 < first + third; ++i) all.triangles.push_back({i, i + 1, i + 2});
    for (Index i = first + third; i + 1 < first + 2 * third; ++i) {
      if (i % 5 != 0) all.edges.push_back({i, i + 1});
    }
    all.edges.push_back({first, first + third});
    groups.coordinates = all.points;
    x0 = x1 = all.points;
    if (!is_moved) return;
    ++groups.count;
    groups.scales.push_back(1);
  }

  // New places and ways for all: shifts of this size, turns of this many radians.
  void move(double shift, double turn) {
    start.clear();
    end.clear();
    turns.clear();
    for (Index g = 0; g < groups.count; ++g) {
      AffineFrame frame = {rotation_from_vector(vector(2)), vector(1.2)};
      if (g % 2 == 0) frame.A += 0.1 * rotation_from_vector(vector(2));
      start.push_back(frame);
      end.push_back({});
      turns.push_back({});
      set_way(g, vector(shift), vector(turn));
    }
    for (size_t i = 0; i < x0.size(); ++i) {
      x0[i] = groups.coordinates[i];
      x1[i] = x0[i] + vector(shift);
    }
    place_groups();
  }

  // Even groups turn, odd ones are strained.
  void set_way(Index g, const Vec3& shift, const Vec3& rotation) {
    const AffineFrame& from = start[g];
    if (g % 2 == 0) {
      turns[g] = {from.t + 0.1 * shift, shift, rotation};
      const Mat3 R = rotation_from_vector(rotation);
      end[g] = {R * from.A, turns[g].center + shift + R * (from.t - turns[g].center)};
    } else {
      end[g] = {from.A + 0.5 * rotation * shift.transpose(), from.t + shift};
    }
  }

  void place_groups() {
    for (size_t i = 0; i < x0.size(); ++i) {
      const Index g = groups.group_of_point[i];
      if (g == kNone) continue;
      x0[i] = start[g].place(groups.coordinates[i]);
      x1[i] = end[g].place(groups.coordinates[i]);
    }
  }

  PointPaths paths() const { return {x0, x1, start, end, turns}; }

  // The search point by point, radii grown by the bows.
  Candidates find_all(double distance) const {
    CollisionMesh grown = mesh;
    for (size_t i = 0; i < x0.size(); ++i) {
      const Index g = groups.group_of_point[i];
      if (g != kNone) grown.radii[i] += turns[g].compute_bow(x0[i], 1);
    }
    Candidates all = compute_swept_candidates(grown, x0, x1, distance, filter);
    const VertexWireRule rule(mesh);  // bows are no taper
    std::erase_if(all.vertex_edge, [&](const IndexPair& pair) { return !rule.is_pair(pair[0], pair[1]); });
    return all;
  }
};

void expect_same(const Candidates& a, const Candidates& b) {
  EXPECT_EQ(sorted(a.edge_edge), sorted(b.edge_edge));
  EXPECT_EQ(sorted(a.vertex_triangle), sorted(b.vertex_triangle));
  EXPECT_EQ(sorted(a.vertex_edge), sorted(b.vertex_edge));
  EXPECT_EQ(sorted(a.vertex_vertex), sorted(b.vertex_vertex));
}

size_t count_missing(Pairs wanted, Pairs found) {
  wanted = sorted(std::move(wanted));
  found = sorted(std::move(found));
  Pairs missing;
  std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(), std::back_inserter(missing));
  return missing.size();
}

}  // namespace

TEST(MovedGroups, pairs_are_those_of_a_search_point_by_point) {
  std::array<size_t, 4> counts = {0, 0, 0, 0};
  for (unsigned seed = 0; seed < 30; ++seed) {
    Heap heap(seed, 9, seed % 3 != 0);
    if (seed % 2 == 1) {
      heap.filter.ignored_bodies.push_back({1, 2});
      heap.filter.ignored_bodies.push_back({0, 4});
      for (Index i = 0; i < 20; ++i) heap.filter.neighbours.push_back({24 + i, 48 + i});
    }
    if (seed % 5 == 4) {
      for (size_t i = 0; i < heap.x0.size(); ++i) heap.filter.fixed.push_back(i / 24 % 3 != 1);
    }
    BroadPhase broad_phase(heap.mesh, heap.filter, heap.groups);
    for (int repeat = 0; repeat < 3; ++repeat) {
      heap.move(0.1 * repeat, 0.5 * repeat);
      Candidates found;
      broad_phase.find(heap.paths(), 0.03, found);
      const Candidates wanted = heap.find_all(0.03);
      expect_same(found, wanted);
      counts[0] += wanted.edge_edge.size();
      counts[1] += wanted.vertex_triangle.size();
      counts[2] += wanted.vertex_edge.size();
      counts[3] += wanted.vertex_vertex.size();
    }
  }
  for (const size_t count : counts) EXPECT_GT(count, 100u);
}

TEST(MovedGroups, pairs_and_their_order_are_the_same_on_any_number_of_threads) {
  const Heap heap(3, 60);
  Candidates one, many;
  exec::set_thread_count(1);
  BroadPhase(heap.mesh, heap.filter, heap.groups).find(heap.paths(), 0.03, one);
  exec::set_thread_count(4);
  BroadPhase(heap.mesh, heap.filter, heap.groups).find(heap.paths(), 0.03, many);
  exec::set_thread_count(0);
  EXPECT_EQ(one.edge_edge, many.edge_edge);
  EXPECT_EQ(one.vertex_triangle, many.vertex_triangle);
  EXPECT_EQ(one.vertex_edge, many.vertex_edge);
  EXPECT_EQ(one.vertex_vertex, many.vertex_vertex);
}

TEST(MovedGroups, order_of_pairs_does_not_depend_on_what_was_before_a_reset) {
  Heap heap(3, 60);
  heap.move(0, 0);
  BroadPhase used(heap.mesh, heap.filter, heap.groups);
  Candidates found, fresh;
  Heap elsewhere = heap;
  for (size_t i = 0; i < elsewhere.x0.size(); ++i) {
    elsewhere.x0[i] = elsewhere.x1[i] =
        Vec3(-elsewhere.x0[i].y(), elsewhere.x0[i].x(), 2 * elsewhere.x0[i].z());
  }
  used.find(elsewhere.paths(), 0.03, found);
  used.reset();
  used.find(heap.paths(), 0.03, found);
  BroadPhase(heap.mesh, heap.filter, heap.groups).find(heap.paths(), 0.03, fresh);
  EXPECT_EQ(found.edge_edge, fresh.edge_edge);
  EXPECT_EQ(found.vertex_triangle, fresh.vertex_triangle);
  EXPECT_EQ(found.vertex_edge, fresh.vertex_edge);
  EXPECT_EQ(found.vertex_vertex, fresh.vertex_vertex);
  EXPECT_GT(found.vertex_triangle.size(), 100u);
}

TEST(MovedGroups, covered_ways_meet_no_pair_that_was_not_found) {
  int covered = 0, not_covered = 0;
  const double d_hat = 0.05;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Heap heap(seed, 6);
    heap.mesh.radii.clear();  // so that the activation distance is d_hat
    Proximity proximity(heap.mesh, heap.filter, d_hat, heap.groups);
    heap.mesh.radii.assign(heap.x0.size(), 0);
    const size_t first = proximity.find_pairs(heap.paths()).size();
    EXPECT_GT(first, 0u);
    // A way that leaves the first by more and more, from somewhere on it.
    for (const double size : {0.001, 0.004, 0.01, 0.03}) {
      Heap other = heap;
      for (Index g = 0; g < heap.groups.count; ++g) {
        const double s = heap.uniform(0, 1);
        other.start[g].A += s * (heap.end[g].A - heap.start[g].A);
        other.start[g].t += s * (heap.end[g].t - heap.start[g].t) + heap.vector(size);
        other.set_way(g, heap.vector(size), heap.vector(size));
      }
      for (size_t i = 0; i < heap.x0.size(); ++i) other.x1[i] = heap.x1[i] + heap.vector(size);
      other.place_groups();
      if (!proximity.is_covered(other.paths())) {
        ++not_covered;
        continue;
      }
      ++covered;
      EXPECT_EQ(proximity.find_pairs(other.paths()).size(), first);
      Candidates found;
      BroadPhase(heap.mesh, heap.filter, heap.groups).find(heap.paths(), 2 * d_hat, found);
      const Candidates wanted = other.find_all(d_hat);
      EXPECT_EQ(count_missing(wanted.edge_edge, found.edge_edge), 0u) << seed;
      EXPECT_EQ(count_missing(wanted.vertex_triangle, found.vertex_triangle), 0u) << seed;
      EXPECT_EQ(count_missing(wanted.vertex_edge, found.vertex_edge), 0u) << seed;
      EXPECT_EQ(count_missing(wanted.vertex_vertex, found.vertex_vertex), 0u) << seed;
    }
  }
  EXPECT_GT(covered, 50);
  EXPECT_GT(not_covered, 50);
}

}  // namespace marrow
