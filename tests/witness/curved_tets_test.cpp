// The witness's own bound for curved tets: against samples, against the solver's bound, and where only exact
// numbers decide.
#include "witness/curved_tets.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "geometry/curved/jacobian_path.h"
#include "geometry/curved/lagrange.h"

namespace marrow {
namespace {

double compute_det(const LagrangeBasis& basis, std::span<const Vec3> nodes, const Vec4& lambda) {
  const auto gradients = basis.gradients(lambda);
  Mat3 J = Mat3::Zero();
  for (size_t k = 0; k < nodes.size(); ++k) J += nodes[k] * gradients.row(static_cast<Index>(k));
  return J.determinant();
}

Points make_tet(const LagrangeBasis& basis, double noise, std::mt19937& random) {
  std::uniform_real_distribution<double> move(-noise, noise);
  Points nodes;
  for (size_t k = 0; k < basis.size(); ++k) {
    nodes.push_back(basis.place_of(k).tail<3>() + Vec3(move(random), move(random), move(random)));
  }
  return nodes;
}

std::vector<CurvedInversion> find(const Points& nodes, int order) {
  CurvedTetList list{order, {}};
  for (size_t k = 0; k < nodes.size(); ++k) list.nodes.push_back(static_cast<Index>(k));
  return find_curved_inversions(nodes, std::vector<CurvedTetList>{list});
}

}  // namespace

TEST(WitnessCurvedTets, agrees_with_samples_and_names_a_place) {
  std::mt19937 random(1);
  std::exponential_distribution<double> part(1);
  constexpr std::array<double, 5> kNoise = {0, 0.6, 0.12, 0.06, 0.03};
  for (int order = 1; order <= 4; ++order) {
    const LagrangeBasis basis(order);
    const JacobianPath path(order);
    int turned = 0, good = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Points nodes = make_tet(basis, kNoise[static_cast<size_t>(order)], random);
      double least = 1e300;
      for (int sample = 0; sample < 300; ++sample) {
        Vec4 lambda(part(random), part(random), part(random), part(random));
        lambda /= lambda.sum();
        if (sample < 4) lambda = Vec4::Unit(sample);
        least = std::min(least, compute_det(basis, nodes, lambda));
      }
      const std::vector<CurvedInversion> found = find(nodes, order);
      if (found.empty()) {
        ++good;
        EXPECT_GT(least, 0);
        continue;
      }
      ++turned;
      EXPECT_FALSE(found[0].is_undecided);
      EXPECT_NEAR(found[0].place.sum(), 1, 1e-12);
      EXPECT_LE(compute_det(basis, nodes, found[0].place), 1e-12);
      EXPECT_LE(path.bound(nodes, 2).low, 0);  // the solver's own bound must not call it good either
    }
    EXPECT_GT(turned, 2) << order;
    EXPECT_GT(good, 20) << order;
  }
}

// An edge's middle is pulled along the edge: all values at the eight points of the usual rule are positive.
TEST(WitnessCurvedTets, finds_what_lies_between_the_nodes) {
  const LagrangeBasis basis(2);
  std::mt19937 random(1);
  Points nodes = make_tet(basis, 0, random);
  nodes[4] = Vec3(0.76, 0, 0);  // of the edge 0–1: beyond ¾ the edge turns back at its end
  for (size_t k = 0; k < nodes.size(); ++k) {
    EXPECT_GT(compute_det(basis, nodes, Vec4(0.25, 0.25, 0.25, 0.25)), 0.1);
  }
  const std::vector<CurvedInversion> found = find(nodes, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].is_undecided);
  EXPECT_LE(compute_det(basis, nodes, found[0].place), 0);
  nodes[4] = Vec3(0.74, 0, 0);
  EXPECT_TRUE(find(nodes, 2).empty());
}

// ¾ exactly: J is 0 at a corner and positive everywhere else. One unit less: positive.
TEST(WitnessCurvedTets, decides_the_last_bit) {
  const LagrangeBasis basis(2);
  std::mt19937 random(1);
  Points nodes = make_tet(basis, 0, random);
  nodes[4] = Vec3(0.75, 0, 0);
  ASSERT_EQ(find(nodes, 2).size(), 1u);
  EXPECT_FALSE(find(nodes, 2)[0].is_undecided);
  EXPECT_EQ(find(nodes, 2)[0].place, Vec4(0, 1, 0, 0));
  nodes[4] = Vec3(std::nextafter(0.75, 0), 0, 0);
  EXPECT_TRUE(find(nodes, 2).empty());
  // Far from the origin and tiny, with coordinates that are exact there.
  nodes[4] = Vec3(767.0 / 1024, 0, 0);
  for (Vec3& x : nodes) x = Vec3(1024, -4096, 512) + x * 0x1p-30;
  EXPECT_TRUE(find(nodes, 2).empty());
}

TEST(WitnessCurvedTets, counts_over_lists_and_sees_what_is_not_finite) {
  std::mt19937 random(2);
  Points nodes;
  std::vector<CurvedTetList> lists;
  for (int order = 1; order <= 4; ++order) {
    CurvedTetList& list = lists.emplace_back(CurvedTetList{order, {}});
    for (int copy = 0; copy < 2; ++copy) {
      for (const Vec3& x : make_tet(LagrangeBasis(order), 0.01, random)) {
        list.nodes.push_back(static_cast<Index>(nodes.size()));
        nodes.push_back(x);
      }
    }
  }
  EXPECT_TRUE(find_curved_inversions(nodes, lists).empty());
  nodes[static_cast<size_t>(lists[3].nodes.back())].x() = std::nan("");
  std::swap(nodes[static_cast<size_t>(lists[1].nodes[10])], nodes[static_cast<size_t>(lists[1].nodes[11])]);
  const std::vector<CurvedInversion> found = find_curved_inversions(nodes, lists);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].tet, 3);
  EXPECT_EQ(found[1].tet, 7);
}

}  // namespace marrow
