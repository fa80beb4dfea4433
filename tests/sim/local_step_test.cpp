// The local step: projections are the closest points of their sets, the energy is that of linear elasticity
// for small strains, and the kernels of all instruction sets give the same bits.
#include "sim/projective/local_step.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

#include "math/svd3.h"
#include "sim/projective/local_kernel.h"
#include "sim/projective/projected_body.h"

namespace marrow {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double size) { return std::uniform_real_distribution<double>(-size, size)(engine_); }
  Mat3 matrix(double size) {
    Mat3 m;
    for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = number(size);
    return m;
  }
  Mat3 rotation() { return compute_polar_rotation(matrix(1)); }

 private:
  std::mt19937 engine_;
};

// Tets of random shape, each with four points of its own, deformed by these F.
struct Heap {
  Elements elements;
  std::vector<Index> tets;
  std::vector<ProjectionWeights> weights;
  VecX x;
};

Heap make_heap(const std::vector<Mat3>& deformations, Random& random) {
  Heap heap;
  Points rest;
  std::vector<Tet> tets;
  for (size_t t = 0; t < deformations.size(); ++t) {
    const Vec3 corner(random.number(1), random.number(1), random.number(1));
    const Mat3 edges = Mat3::Identity() + random.matrix(0.3);
    const auto first = static_cast<Index>(rest.size());
    rest.push_back(corner);
    for (int k = 0; k < 3; ++k) rest.push_back(corner + edges.col(k));
    tets.push_back({first, first + 1, first + 2, first + 3});
    heap.tets.push_back(static_cast<Index>(t));
    heap.weights.push_back({1 + random.number(0.5), 2 + random.number(0.5), 0});
  }
  add_tet_elements(rest, tets, build_identity(static_cast<Index>(rest.size())), 0, 0, heap.elements);
  heap.x.resize(static_cast<Index>(3 * rest.size()));
  for (size_t i = 0; i < rest.size(); ++i) {
    heap.x.segment<3>(static_cast<Index>(3 * i)) = deformations[i / 4] * rest[i];
  }
  return heap;
}

// What the corners of a tet are drawn by, computed plainly.
VecX project_plainly(const Heap& heap, const StretchLimits& limits) {
  VecX b = VecX::Zero(heap.x.size());
  for (size_t t = 0; t < heap.tets.size(); ++t) {
    const Mat3 F = compute_deformation_gradient(heap.elements, t, heap.x);
    const Mat3 pull = project_tet(F, heap.weights[t], limits);
    for (Index k = heap.elements.offsets[t]; k < heap.elements.offsets[t + 1]; ++k) {
      b.segment<3>(3 * heap.elements.nodes[k]) += pull * heap.elements.gradients[k];
    }
  }
  return b;
}

std::vector<Mat3> make_deformations(Random& random) {
  std::vector<Mat3> list;
  for (int i = 0; i < 200; ++i) {
    list.push_back(random.rotation() * (Mat3::Identity() + random.matrix(0.1)));  // as in a run
    list.push_back(random.matrix(1));                                             // half of them inverted
    list.push_back(random.rotation() * Vec3(3, 1, 0.2).asDiagonal() * random.rotation());
  }
  list.push_back(Mat3::Identity());
  list.push_back(Mat3::Zero());
  list.push_back(Vec3(1, 1, 0).asDiagonal());
  return list;
}

}  // namespace

TEST(LocalStep, projections_are_the_closest_points_of_their_sets) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Mat3 F = random.rotation() * (Mat3::Identity() + random.matrix(0.25));
    const Mat3 R = compute_polar_rotation(F), D = project_to_volume(F);
    const StretchLimits limits = {0.9, 1.1};
    const Mat3 L = project_to_limits(F, limits);
    EXPECT_NEAR(D.determinant(), 1, 1e-7);
    const Svd3 stretches = compute_svd3(L);
    EXPECT_GE(stretches.s[2], 0.9 - 1e-12);
    EXPECT_LE(stretches.s[0], 1.1 + 1e-12);
    for (int k = 0; k < 20; ++k) {
      // Other members of the sets are farther.
      const Mat3 turn = compute_polar_rotation(Mat3::Identity() + random.matrix(0.2));
      EXPECT_LE((F - R).norm(), (F - turn * R).norm() + 1e-12);
      const Mat3 stretch = turn * (Mat3::Identity() + random.matrix(0.2));
      EXPECT_LE((F - D).norm(), (F - D * stretch / std::cbrt(stretch.determinant())).norm() + 1e-7);
      EXPECT_LE((F - L).norm(), (F - turn * L).norm() + 1e-12);
    }
  }
}

TEST(LocalStep, energy_of_small_strains_is_that_of_linear_elasticity) {
  Random random(2);
  const double mu = 3, lambda = 7, volume = 0.4;
  const ProjectionWeights weights = {2 * mu * volume, 3 * lambda * volume, 0};
  for (int i = 0; i < 50; ++i) {
    const Mat3 gradient = random.matrix(1e-4);
    const Mat3 strain = 0.5 * (gradient + gradient.transpose());
    const double expected =
        volume * (mu * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace());
    EXPECT_NEAR(compute_projection_energy(Mat3::Identity() + gradient, weights, {}), expected,
                3e-3 * expected);
  }
}

TEST(LocalStep, blocks_give_what_single_tets_give) {
  Random random(3);
  const Heap heap = make_heap(make_deformations(random), random);
  for (const StretchLimits& limits :
       {StretchLimits{}, StretchLimits{0.95, 1.05}, StretchLimits{0, kInfinite}}) {
    Heap weighted = heap;
    for (ProjectionWeights& w : weighted.weights) w.limits = limits.is_on() ? 4 : 0;
    TetProjector projector(weighted.elements, weighted.tets, weighted.weights, limits, 0,
                           static_cast<Index>(weighted.x.size() / 3));
    VecX b;
    projector.project(weighted.x, b);
    const VecX expected = project_plainly(weighted, limits);
    // Both end their search for the volume at changes of 1e-8.
    EXPECT_LT((b - expected).lpNorm<Eigen::Infinity>(), 3e-6);
    // Most are done side by side: those of a run without limits.
    if (!limits.is_on()) {
      EXPECT_LT(projector.single_count(), heap.tets.size() / 2);
    }
  }
}

TEST(LocalStep, all_instruction_sets_give_the_same_bits) {
  using local_step::kBlock;
  Random random(4);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> x(3 * 4 * kBlock), gradients(9 * kBlock), weights(3 * kBlock);
    std::vector<std::int32_t> corners(4 * kBlock);
    for (double& v : x) v = random.number(1);
    for (double& v : gradients) v = random.number(1);
    for (double& v : weights) v = 1 + random.number(1);
    for (size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<std::int32_t>(i);
    const auto run = [&](auto project) {
      std::vector<double> out(18 * kBlock);
      const local_step::Block block = {
          x.data(),   corners.data(),         gradients.data(), weights.data(), trial % 2 ? 0.3 : -1,
          out.data(), out.data() + 9 * kBlock};
      const std::uint8_t singles = project(block);
      // What is left to others may be anything.
      for (int lane = 0; lane < kBlock; ++lane) {
        for (int i = 9; (singles >> lane & 1) != 0 && i < 18; ++i) out[kBlock * i + lane] = 0;
      }
      return std::pair(singles, out);
    };
    const auto portable = run(local_step::project_portable);
    if (__builtin_cpu_supports("avx2")) {
      EXPECT_EQ(run(local_step::project_avx2), portable);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
      EXPECT_EQ(run(local_step::project_avx512), portable);
    }
  }
}

TEST(LocalStep, samples_stand_for_the_whole_volume) {
  Random random(5);
  Points centers;
  std::vector<double> volumes;
  double all = 0;
  for (int i = 0; i < 1000; ++i) {
    centers.emplace_back(random.number(1), random.number(1), random.number(1));
    volumes.push_back(1.5 + random.number(1));
    all += volumes.back();
  }
  const TetSamples samples = choose_tet_samples(centers, volumes, 60);
  ASSERT_EQ(samples.tets.size(), 60u);
  double sum = 0;
  for (size_t s = 0; s < samples.tets.size(); ++s) sum += samples.shares[s] * volumes[samples.tets[s]];
  EXPECT_NEAR(sum, all, 1e-9 * all);
  // Spread: every tet has a sample near it. 60 balls of 0.45 fill the cube of side 2 more than twice.
  for (const Vec3& c : centers) {
    double nearest = kInfinite;
    for (const Index t : samples.tets) nearest = std::min(nearest, (centers[t] - c).norm());
    EXPECT_LT(nearest, 0.75);
  }
  EXPECT_EQ(choose_tet_samples(centers, volumes, 5000).tets.size(), 1000u);
}

}  // namespace marrow
