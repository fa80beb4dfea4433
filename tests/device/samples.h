// The list of kernels with inputs for each: random ones over many scales, and the degenerate ones by hand.
#pragma once

#include <cmath>
#include <initializer_list>
#include <random>
#include <vector>

#include "device/contact_kernels.h"
#include "device/kernels.h"

namespace marrow {

class Sampler {
 public:
  explicit Sampler(unsigned seed) : random_(seed) {}

  double normal() { return normal_(random_); }

  Mat3 matrix() {
    Mat3 A;
    for (int k = 0; k < 9; ++k) A(k) = normal();
    return A;
  }

  // 10^e with e between −range and range.
  double scale(double range) {
    return std::pow(10, std::uniform_real_distribution<double>(-range, range)(random_));
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

// Any matrices: every fourth singular to rounding, scales from 1e-100 to 1e100.
inline std::vector<Mat3> sample_matrices(size_t count) {
  Sampler random(1);
  std::vector<Mat3> samples = {Mat3::Zero(),
                               Mat3::Identity(),
                               -Mat3::Identity(),
                               Mat3::Ones(),
                               Vec3(1, 2, 3) * Vec3(4, 5, 6).transpose(),
                               Vec3(1, 1, -1).asDiagonal().toDenseMatrix(),
                               Vec3(1, 1e-9, 1e-18).asDiagonal().toDenseMatrix()};
  while (samples.size() < count) {
    Mat3 A = random.matrix();
    if (samples.size() % 4 == 0) A.col(2) = A.col(0) + 1e-12 * A.col(1);
    samples.push_back(random.scale(100) * A);
  }
  return samples;
}

inline std::vector<Mat3> sample_symmetric(size_t count) {
  std::vector<Mat3> samples = sample_matrices(count);
  for (Mat3& A : samples) A = (0.5 * (A + A.transpose())).eval();
  return samples;
}

// Deformation gradients with J > 0: at rest, nearly so, large, and flat down to 1e-6.
inline std::vector<Mat3> sample_deformations(size_t count) {
  Sampler random(2);
  std::vector<Mat3> samples = {Mat3::Identity()};
  while (samples.size() < count) {
    Mat3 F = samples.size() % 2 == 0 ? random.matrix()
                                     : Mat3(Mat3::Identity() + random.scale(8) * 1e-8 * random.matrix());
    if (samples.size() % 4 == 0) F.col(2) *= 1e-6;
    if (F.determinant() < 0) F.col(0) = -F.col(0).eval();
    if (F.determinant() > 0) samples.push_back(F);
  }
  return samples;
}

// The same and, where an energy is infinite, inverted and collapsed ones.
inline std::vector<Mat3> sample_deformations_any(size_t count) {
  std::vector<Mat3> samples = sample_deformations(count);
  samples[1] = -Mat3::Identity();
  samples[2] = Mat3::Zero();
  return samples;
}

inline std::vector<Vec3> sample_stretches(size_t count) {
  Sampler random(3);
  std::vector<Vec3> samples = {Vec3::Ones()};
  while (samples.size() < count) samples.push_back(Vec3(random.scale(2), random.scale(2), random.scale(2)));
  return samples;
}

// Cubics with p(0) > 0: no root, touching ones, several.
inline std::vector<Cubic> sample_cubics(size_t count) {
  Sampler random(4);
  std::vector<Cubic> samples = {Cubic{{1, 0, 0, 0}}, Cubic{{1, -1, 0, 0}}, Cubic{{0.25, -1, 1, 0}},
                                Cubic{{1, -3, 3, -1}}};
  while (samples.size() < count) {
    const double size = random.scale(20);
    samples.push_back({{size * std::abs(random.normal()) * random.scale(6), size * random.normal(),
                        size * random.normal(), size * random.normal()}});
  }
  return samples;
}

// Pairs of simplices with radii: apart, close, parallel, and of both kinds.
inline std::vector<PairInput> sample_pairs(size_t count) {
  Sampler random(5);
  std::vector<PairInput> samples;
  while (samples.size() < count) {
    PairInput in;
    in.kind = samples.size() % 2 == 0 ? PairKind::EdgeEdge : PairKind::PointTriangle;
    const Vec3 shift(random.normal(), random.normal(), random.normal());
    for (int i = 0; i < 4; ++i) {
      in.balls.x[i] =
          Vec3(random.normal(), random.normal(), random.normal()) + (i < 2 ? Vec3(Vec3::Zero()) : shift);
      in.balls.r[i] = samples.size() % 3 == 0 ? 0 : 0.1 * std::abs(random.normal());
    }
    if (samples.size() % 5 == 0) in.balls.x[3] = in.balls.x[2] + in.balls.x[1] - in.balls.x[0];
    samples.push_back(in);
  }
  return samples;
}

inline std::vector<MotionInput> sample_motions(size_t count) {
  Sampler random(6);
  std::vector<MotionInput> samples;
  for (const PairInput& pair : sample_pairs(count)) {
    MotionInput in;
    in.kind = pair.kind;
    for (int i = 0; i < 4; ++i) {
      const Vec3 x = pair.balls.x[i] - pair.balls.x[0];
      in.start.x[i] = {x[0], x[1], x[2]};
      in.end.x[i] = {x[0] + random.normal(), x[1] + random.normal(), x[2] + random.normal()};
      in.start.r[i] = in.end.r[i] = pair.balls.r[i];
    }
    samples.push_back(in);
  }
  return samples;
}

inline std::vector<double> sample_fractions(size_t count) {
  Sampler random(7);
  std::vector<double> samples = {1, 2, 0.5};
  while (samples.size() < count) samples.push_back(std::min(1.5, random.scale(6)));
  return samples;
}

// Calls visit(kernel, inputs) for every kernel, with count inputs.
template <class Visit>
void for_each_kernel(size_t count, const Visit& visit) {
  const NeoHookean rubber{4e4, 6e5};
  visit(Svd3Kernel{}, sample_matrices(count));
  visit(Eigen3Kernel{}, sample_symmetric(count));
  visit(ProjectPsdKernel{}, sample_symmetric(count));
  visit(EnergyKernel{rubber}, sample_deformations_any(count));
  visit(StressKernel{rubber}, sample_deformations(count));
  visit(StretchHessianKernel{rubber}, sample_stretches(count));
  visit(FirstNonpositiveKernel{}, sample_cubics(count));
  visit(SquaredDistanceKernel{}, sample_pairs(count));
  visit(GapKernel{}, sample_pairs(count));
  visit(MollifierKernel{}, sample_pairs(count));
  visit(BarrierKernel{}, sample_fractions(count));
  visit(AdvanceKernel{}, sample_motions(count));
  visit(DoubleDoubleKernel{}, sample_motions(count));
  visit(InclusionKernel{}, sample_motions(count));
}

}  // namespace marrow
