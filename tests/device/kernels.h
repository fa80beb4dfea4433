// The kernels of the engine as functors for a device, and the loop body that maps one over a buffer.
//
// kTolerance: the largest accepted difference between a GPU and the host, relative to the result and to the
// terms it is summed from (term_size). Kernels of + − · / √ alone round alike on both; ln is within one unit
// in the last place on the GPU.
#pragma once

#include "core/macros.h"
#include "math/eigen3.h"
#include "math/polynomial.h"
#include "math/svd3.h"
#include "potentials/materials/neo_hookean.h"

namespace marrow {

// result[i] = kernel(input[i])
template <class Kernel>
struct MapBody {
  Kernel kernel;
  const typename Kernel::Input* input;
  typename Kernel::Result* result;
  MARROW_HD void operator()(size_t i) const { result[i] = kernel(input[i]); }
};

struct Svd3Kernel {
  using Input = Mat3;
  using Result = Svd3;
  static constexpr const char* name = "compute_svd3";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD Svd3 operator()(const Mat3& F) const { return compute_svd3(F); }
  double term_size(const Mat3&) const { return 0; }
};

struct Eigen3Kernel {
  using Input = Mat3;
  using Result = Eigen3;
  static constexpr const char* name = "compute_eigen3";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD Eigen3 operator()(const Mat3& A) const { return compute_eigen3(A); }
  double term_size(const Mat3&) const { return 0; }
};

struct ProjectPsdKernel {
  using Input = Mat3;
  using Result = Mat3;
  static constexpr const char* name = "project_psd";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD Mat3 operator()(const Mat3& A) const { return project_psd(A); }
  double term_size(const Mat3& A) const { return A.cwiseAbs().maxCoeff(); }
};

struct EnergyKernel {
  using Input = Mat3;
  using Result = double;
  static constexpr const char* name = "NeoHookean::energy";
  static constexpr double kTolerance = 1e-14;
  NeoHookean material;
  MARROW_HD double operator()(const Mat3& F) const { return material.energy(F); }
  double term_size(const Mat3& F) const { return material.lame_mu * (F.squaredNorm() + 3); }
};

struct StressKernel {
  using Input = Mat3;
  using Result = Mat3;
  static constexpr const char* name = "NeoHookean::stress";
  static constexpr double kTolerance = 1e-14;
  NeoHookean material;
  MARROW_HD Mat3 operator()(const Mat3& F) const { return material.stress(F); }
  double term_size(const Mat3& F) const { return material.lame_mu * F.cwiseAbs().maxCoeff(); }
};

struct StretchHessianKernel {
  using Input = Vec3;
  using Result = StretchHessian;
  static constexpr const char* name = "NeoHookean::stretch_hessian";
  static constexpr double kTolerance = 1e-14;
  NeoHookean material;
  MARROW_HD StretchHessian operator()(const Vec3& s) const { return material.stretch_hessian(s); }
  // (λ |ln J| + λ + μ)/s², the largest of the terms in c and its quotients
  double term_size(const Vec3& s) const {
    const double log_J = std::log(s.prod());
    const double largest = material.lame_lambda * (std::abs(log_J) + 1) + material.lame_mu;
    return material.lame_mu + largest / (s.minCoeff() * s.minCoeff());
  }
};

struct FirstNonpositiveKernel {
  using Input = Cubic;
  using Result = double;
  static constexpr const char* name = "find_first_nonpositive";
  static constexpr double kTolerance = 1e-14;
  MARROW_HD double operator()(const Cubic& p) const { return find_first_nonpositive(p); }
  double term_size(const Cubic&) const { return 0; }
};

}  // namespace marrow
