#include "sim/projective/local_step.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "exec/parallel.h"
#include "math/svd3.h"
#include "sim/projective/local_kernel.h"

namespace marrow {
namespace {

using local_step::kBlock;

// Blocks that are worth a task. [speed only]
constexpr size_t kBlockGrain = 64;

// The search for stretches of product 1. [safety net: it ends long before, even for flat tets]
constexpr int kMostVolumeSteps = 200;
// It ends when stretches change by less than this. [derived: as in local_kernel.h]
constexpr double kLastStretch = 1e-8;
// Stretches on the way are kept above this, where products of others are no guide. [safety net: a division]
constexpr double kLeastStretch = 0.01;

using Project = std::uint8_t (*)(const local_step::Block&);

Project choose_project() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    return local_step::project_avx512;
  }
  return __builtin_cpu_supports("avx2") ? local_step::project_avx2 : local_step::project_portable;
}

// The stretches of product 1 that are closest to these.
Vec3 find_volume_stretches(const Vec3& s) {
  Vec3 found = s.cwiseMax(kLeastStretch);
  found /= std::cbrt(found.prod());
  for (int k = 0; k < kMostVolumeSteps; ++k) {
    const Vec3 slope(found[1] * found[2], found[2] * found[0], found[0] * found[1]);
    const double factor = (slope.dot(found - s) - (found.prod() - 1)) / slope.squaredNorm();
    const Vec3 next = (s + factor * slope).cwiseMax(kLeastStretch);
    const double change = (next - found).norm();
    found = next;
    if (change < kLastStretch) break;
  }
  return found;
}

}  // namespace

Mat3 project_to_volume(const Mat3& F) {
  const Svd3 svd = compute_svd3(F);
  return svd.U * find_volume_stretches(svd.s).asDiagonal() * svd.V.transpose();
}

Mat3 project_to_limits(const Mat3& F, const StretchLimits& limits) {
  const Svd3 svd = compute_svd3(F);
  return svd.U * svd.s.cwiseMax(limits.least).cwiseMin(limits.most).asDiagonal() * svd.V.transpose();
}

Mat3 project_tet(const Mat3& F, const ProjectionWeights& weights, const StretchLimits& limits) {
  const Svd3 svd = compute_svd3(F);
  Vec3 pull = Vec3::Constant(weights.shape);
  if (weights.volume > 0) pull += weights.volume * find_volume_stretches(svd.s);
  if (limits.is_on()) pull += weights.limits * svd.s.cwiseMax(limits.least).cwiseMin(limits.most);
  return svd.U * pull.asDiagonal() * svd.V.transpose();
}

double compute_projection_energy(const Mat3& F, const ProjectionWeights& weights,
                                 const StretchLimits& limits) {
  double energy = 0.5 * weights.shape * (F - compute_polar_rotation(F)).squaredNorm();
  if (weights.volume > 0) energy += 0.5 * weights.volume * (F - project_to_volume(F)).squaredNorm();
  if (limits.is_on()) energy += 0.5 * weights.limits * (F - project_to_limits(F, limits)).squaredNorm();
  return energy;
}

TetProjector::TetProjector(const Elements& elements, const std::vector<Index>& tets,
                           const std::vector<ProjectionWeights>& weights, const StretchLimits& limits,
                           Index first_point, Index point_count)
    : count_(tets.size()), limits_(limits) {
  const size_t blocks = (count_ + kBlock - 1) / kBlock;
  corners_.assign(4 * kBlock * blocks, 0);
  gradients_.assign(9 * kBlock * blocks, 0);
  weights_.assign(3 * kBlock * blocks, 0);
  pulls_.assign(12 * kBlock * blocks, 0);
  singles_.assign(blocks, 0);
  offsets_.assign(static_cast<size_t>(point_count) + 1, 0);
  for (size_t t = 0; t < count_; ++t) {
    const size_t block = t / kBlock, lane = t % kBlock;
    const auto first = static_cast<size_t>(elements.offsets[tets[t]]);
    for (size_t k = 0; k < 4; ++k) {
      const Index corner = elements.nodes[first + k] - first_point;
      corners_[(4 * block + k) * kBlock + lane] = corner;
      ++offsets_[static_cast<size_t>(corner) + 1];
      for (size_t c = 0; k > 0 && c < 3; ++c) {
        gradients_[(9 * block + 3 * (k - 1) + c) * kBlock + lane] =
            elements.gradients[first + k][static_cast<Index>(c)];
      }
    }
    weights_[(3 * block) * kBlock + lane] = weights[t].shape;
    weights_[(3 * block + 1) * kBlock + lane] = weights[t].volume;
    weights_[(3 * block + 2) * kBlock + lane] = weights[t].limits;
  }
  for (size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  sources_.resize(4 * count_);
  std::vector<Index> next(offsets_.begin(), offsets_.end() - 1);
  for (size_t t = 0; t < count_; ++t) {
    for (size_t k = 0; k < 4; ++k) {
      const Index corner = corners_[(4 * (t / kBlock) + k) * kBlock + t % kBlock];
      sources_[next[corner]++] = static_cast<Index>(4 * t + k);
    }
  }
}

size_t TetProjector::single_count() const {
  size_t count = 0;
  for (const std::uint8_t bits : singles_) count += static_cast<size_t>(std::popcount(bits));
  return count;
}

// Lanes behind the last tet have no gradients: they are flat, and left alone.
void TetProjector::project(const VecX& x, VecX& b) {
  static const Project project_block = choose_project();
  const double free_stretch = limits_.is_on() ? std::min(limits_.most - 1, 1 - limits_.least) : -1;
  exec::parallel_for(
      "projective.local", singles_.size(),
      [&](size_t block) {
        alignas(64) double F[9 * kBlock], T[9 * kBlock];
        const double* gradients = gradients_.data() + 9 * kBlock * block;
        const double* weights = weights_.data() + 3 * kBlock * block;
        singles_[block] = project_block(
            {x.data(), corners_.data() + 4 * kBlock * block, gradients, weights, free_stretch, F, T});
        const size_t lanes = std::min<size_t>(kBlock, count_ - kBlock * block);
        singles_[block] &= static_cast<std::uint8_t>((1u << lanes) - 1);
        for (size_t lane = 0; lane < lanes; ++lane) {
          if ((singles_[block] >> lane & 1) == 0) continue;
          Mat3 own;
          for (int i = 0; i < 9; ++i) own(i / 3, i % 3) = F[kBlock * i + lane];
          const Mat3 pull =
              project_tet(own, {weights[lane], weights[kBlock + lane], weights[2 * kBlock + lane]}, limits_);
          for (int i = 0; i < 9; ++i) T[kBlock * i + lane] = pull(i / 3, i % 3);
        }
        // The pulls at corners 1 to 3 are T ∇w; corner 0 has minus their sum.
        for (size_t lane = 0; lane < lanes; ++lane) {
          double* pulls = pulls_.data() + 12 * (kBlock * block + lane);
          for (int c = 0; c < 3; ++c) pulls[c] = 0;
          for (int k = 0; k < 3; ++k) {
            for (int c = 0; c < 3; ++c) {
              double sum = 0;
              for (int j = 0; j < 3; ++j) {
                sum += T[kBlock * (3 * c + j) + lane] * gradients[kBlock * (3 * k + j) + lane];
              }
              pulls[3 * (k + 1) + c] = sum;
              pulls[c] -= sum;
            }
          }
        }
      },
      kBlockGrain);
  const size_t points = offsets_.size() - 1;
  b.resize(static_cast<Index>(3 * points));
  exec::parallel_for("projective.gather", points, [&](size_t i) {
    Vec3 sum = Vec3::Zero();
    for (Index s = offsets_[i]; s < offsets_[i + 1]; ++s) {
      sum += Eigen::Map<const Vec3>(pulls_.data() + 3 * sources_[s]);
    }
    b.segment<3>(3 * static_cast<Index>(i)) = sum;
  });
}

}  // namespace marrow
