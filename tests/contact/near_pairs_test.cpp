// Leaving out pairs that certainly do not come near changes neither contacts nor step limits, however points
// have moved since the pairs were measured.
#include "contact/near_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "contact/contact_set.h"
#include "contact/kept_gap.h"
#include "contact/turning_limit.h"
#include "geometry/distance/gap.h"

namespace marrow {
namespace {

constexpr double kHat = 0.05;

// Small tetrahedra around a centre. They shake, fly and turn.
struct Swarm {
  std::mt19937 random;
  Points x, rest;
  std::vector<Index> bodies, groups;
  std::vector<double> radii;
  CollisionMesh mesh;
  PairStencils pairs;

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  Swarm(unsigned seed, Index count, const Vec3& center, bool is_grouped, bool is_tapered) : random(seed) {
    Mesh all;
    CandidateFilter filter;
    for (Index b = 0; b < count; ++b) {
      const Vec3 place = center + vector(0.6);
      const auto first = static_cast<Index>(all.points.size());
      for (int i = 0; i < 4; ++i) {
        all.points.push_back(place + vector(0.25));
        bodies.push_back(b);
        groups.push_back(is_grouped && b % 3 != 0 ? b : kNone);
        if (is_tapered) all.radii.push_back(uniform(0, 0.02));
      }
      for (const Triangle& t : {Triangle{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}) {
        all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
      }
      filter.ignored_bodies.push_back({b, b});
    }
    x = rest = all.points;
    radii = all.radii;
    mesh = build_collision_mesh(all);
    mesh.bodies = bodies;
    Candidates candidates = compute_candidates(mesh, x, 0.5, filter);
    // As from a search by groups: the pairs of two groups stand together.
    if (is_grouped) {
      const auto sort = [&](std::vector<IndexPair>& list, const auto& first_of, const auto& second_of) {
        std::stable_sort(list.begin(), list.end(), [&](const IndexPair& p, const IndexPair& q) {
          const auto key = [&](const IndexPair& r) {
            return std::minmax(
                {groups[static_cast<size_t>(first_of(r[0]))], groups[static_cast<size_t>(second_of(r[1]))]});
          };
          return key(p) < key(q);
        });
      };
      const auto edge = [&](Index e) { return mesh.edges[static_cast<size_t>(e)][0]; };
      const auto triangle = [&](Index t) { return mesh.triangles[static_cast<size_t>(t)][0]; };
      sort(candidates.edge_edge, edge, edge);
      sort(
          candidates.vertex_triangle, [](Index i) { return i; }, triangle);
    }
    make_pair_stencils(mesh, candidates, pairs);
  }

  // Every body moves by a shift and a small turn of its own, and all by a common shift.
  Points move(double size, double common) {
    Points moved = x;
    const Vec3 together = vector(common);
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
    for (size_t i = 0; i < x.size(); ++i) {
      if (i % 4 == 0) {
        shift = together + vector(size);
        turn = vector(size);
      }
      moved[i] += shift + turn.cross(x[i] - x[i - i % 4]);
    }
    return moved;
  }
};

double find_activation(const Swarm& swarm) {
  // As proximity.cpp bounds it; radii here are below 0.02.
  return swarm.radii.empty() ? kHat : std::sqrt(kHat * kHat + 2 * kHat * 0.04) + 0.04;
}

void expect_same_contacts(const std::vector<Contact>& some, const std::vector<Contact>& all) {
  ASSERT_EQ(some.size(), all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(some[k].vertices, all[k].vertices);
    EXPECT_EQ(some[k].point.c, all[k].point.c);
    EXPECT_EQ(some[k].multiplicity, all[k].multiplicity);
  }
}

struct Tally {
  size_t offered = 0, chosen = 0, hits = 0, contacts = 0;
};

// The pairs that were left out keep what the rule for steps asks of them, everywhere on the path.
void expect_free(const Swarm& swarm, const Points& x1, const PairStencils& chosen, double activation) {
  const auto look_at = [&](PairKind kind, const std::vector<PairStencil>& all,
                           const std::vector<PairStencil>& some) {
    size_t at = 0;
    for (const PairStencil& pair : all) {
      if (at < some.size() && some[at] == pair) {
        ++at;
        continue;
      }
      double first = 0;
      for (int step = 0; step <= 8; ++step) {
        PairBalls balls;
        for (size_t i = 0; i < 4; ++i) {
          const auto v = static_cast<size_t>(pair[i]);
          balls.x[i] = swarm.x[v] + step / 8.0 * (x1[v] - swarm.x[v]);
          balls.r[i] = swarm.radii.empty() ? 0 : swarm.radii[v];
        }
        const double gap = find_gap(kind, balls).compute_gap();
        if (step == 0) first = gap;
        EXPECT_GT(gap, std::min(kKeptGap.share * first, activation * (1 - 1e-9)));
      }
    }
    EXPECT_EQ(at, some.size());  // a subsequence
  };
  look_at(PairKind::EdgeEdge, swarm.pairs.edge_edge, chosen.edge_edge);
  look_at(PairKind::PointTriangle, swarm.pairs.vertex_face, chosen.vertex_face);
}

Tally compare(Swarm& swarm, int steps) {
  const double activation = find_activation(swarm), most_kept = kKeptGap.most * kHat;
  NearPairs near(swarm.groups, activation, swarm.radii);
  near.set_pairs(swarm.pairs);
  Tally tally;
  for (int step = 0; step < steps; ++step) {
    // Steps of all sizes: from far beyond d̂ to far below it.
    const double size = std::pow(10.0, swarm.uniform(-6, -0.5));
    const Points x1 = swarm.move(size, step % 2 == 0 ? 0 : 3);
    const PairStencils& limiting = near.find_limiting({swarm.x, x1, swarm.radii});
    tally.offered += swarm.pairs.size();
    tally.chosen += limiting.size();
    expect_free(swarm, x1, limiting, activation);
    const MovingPoints points = {swarm.x, x1, swarm.radii};
    const double alpha = compute_collision_limit(points, swarm.pairs, 0, most_kept).alpha;
    EXPECT_EQ(compute_collision_limit(points, limiting, 0, most_kept).alpha, alpha);
    tally.hits += alpha > 0 && alpha < 1 ? 1 : 0;
    for (const double part : {alpha, 0.5 * alpha}) {
      Points trial = swarm.x;
      for (size_t i = 0; i < trial.size(); ++i) trial[i] += part * (x1[i] - swarm.x[i]);
      const ContactPoints at = {trial, swarm.rest, swarm.radii, swarm.bodies};
      const std::vector<Contact> all = build_contact_set(at, swarm.pairs, kHat);
      expect_same_contacts(build_contact_set(at, near.find_at(trial), kHat), all);
      tally.contacts += all.size();
      if (part < alpha || swarm.uniform(0, 1) < 0.5) swarm.x = std::move(trial);
    }
  }
  return tally;
}

TEST(NearPairs, change_neither_contacts_nor_limits) {
  Tally sum;
  for (unsigned seed = 0; seed < 48; ++seed) {
    // Near the origin and far from it; bodies and loose points; with radii and without.
    Swarm swarm(seed, 6, seed % 4 == 3 ? Vec3(3e5, -2e5, 1e5) : Vec3(1, 2, 3), seed % 2 == 0, seed % 3 == 2);
    const Tally tally = compare(swarm, 12);
    sum.offered += tally.offered;
    sum.chosen += tally.chosen;
    sum.hits += tally.hits;
    sum.contacts += tally.contacts;
  }
  EXPECT_LT(3 * sum.chosen, 2 * sum.offered);  // it is worth it
  EXPECT_GT(sum.hits, 50U);                    // the paths are dangerous
  EXPECT_GT(sum.contacts, 1000U);
}

// A body that turns leaves its chord by the bow; the pairs that are left out must allow for it.
TEST(NearPairs, do_not_change_limits_of_turning_paths) {
  size_t hits = 0, offered = 0, chosen = 0;
  for (unsigned seed = 0; seed < 48; ++seed) {
    Swarm swarm(seed, 8, Vec3(1, 2, 3), true, false);
    NearPairs near(swarm.groups, kHat, swarm.radii);
    near.set_pairs(swarm.pairs);
    const std::vector<Index> everywhere = [&] {
      std::vector<Index> ids(swarm.x.size());
      for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<Index>(i);
      return ids;
    }();
    for (int step = 0; step < 12; ++step) {
      const double size = std::pow(10.0, swarm.uniform(-3, 0));
      std::vector<TurningFrame> frames(8);
      Points x1 = swarm.x;
      for (size_t i = 0; i < x1.size(); ++i) {
        const Index group = swarm.groups[i];
        if (group == kNone) continue;
        TurningFrame& frame = frames[static_cast<size_t>(group)];
        if (i % 4 == 0)
          frame = {swarm.x[i] + swarm.vector(0.3), swarm.vector(0.2 * size), swarm.vector(size)};
        x1[i] = frame.place(swarm.x[i], 1);
      }
      const TurningPoints paths = {swarm.x, x1, {}, swarm.groups, frames};
      std::vector<double> grown(swarm.x.size(), 0);
      grow_radii(paths, everywhere, grown);
      const double most_kept = kKeptGap.most * kHat;
      const double alpha = compute_turning_collision_limit(paths, grown, swarm.pairs, most_kept).alpha;
      const PairStencils& limiting = near.find_limiting({swarm.x, x1, {}}, grown);
      EXPECT_EQ(compute_turning_collision_limit(paths, grown, limiting, most_kept).alpha, alpha);
      offered += swarm.pairs.size();
      chosen += limiting.size();
      hits += alpha > 0 && alpha < 1 ? 1 : 0;
      for (size_t i = 0; i < x1.size(); ++i) {
        const Index group = swarm.groups[i];
        if (group != kNone) swarm.x[i] = frames[static_cast<size_t>(group)].place(swarm.x[i], 0.9 * alpha);
      }
    }
  }
  EXPECT_GT(hits, 20U);
  EXPECT_LT(chosen, offered);
}

}  // namespace
}  // namespace marrow
