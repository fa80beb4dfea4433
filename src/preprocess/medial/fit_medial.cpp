#include "preprocess/medial/fit_medial.h"

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "exec/parallel.h"
#include "geometry/medial/medial_shape.h"

namespace marrow {
namespace {

// Of a radius in one step: in thin parts a step that is right for the centres may inflate spheres to many
// times the thickness, from where there is no way back.
constexpr double kMostGrowth = 1.25;

// The normal equations: 4×4 blocks, as triplets of the lower half.
struct NormalEquations {
  std::vector<Eigen::Triplet<double>> entries;
  VecX rhs;
};

void add_sample(const MedialPrimitive& primitive, const MedialPoint& point, double weight,
                NormalEquations& system) {
  for (int i = 0; i < 3; ++i) {
    if (point.weights[i] == 0) continue;
    Vec4 di;
    di << -point.weights[i] * point.normal, -point.weights[i];
    const Index row = 4 * primitive.vertices[i];
    system.rhs.segment<4>(row) -= weight * point.gap * di;
    for (int j = 0; j < 3; ++j) {
      if (point.weights[j] == 0) continue;
      Vec4 dj;
      dj << -point.weights[j] * point.normal, -point.weights[j];
      const Index column = 4 * primitive.vertices[j];
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
          if (row + a >= column + b) system.entries.emplace_back(row + a, column + b, weight * di[a] * dj[b]);
        }
      }
    }
  }
}

VecX solve_step(NormalEquations& system, double hold) {
  const Index n = static_cast<Index>(system.rhs.size());
  for (Index i = 0; i < n; ++i) system.entries.emplace_back(i, i, hold);
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(system.entries.begin(), system.entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(A);
  return solver.solve(system.rhs);
}

}  // namespace

void fit_medial(const std::vector<SurfaceSample>& samples, const FitOptions& options, Mesh& medial) {
  MedialShape shape(medial);
  std::vector<MedialPoint> nearest(samples.size());
  for (int k = 0; k < options.iterations; ++k) {
    shape.update();
    exec::parallel_for("medial.fit", samples.size(),
                       [&](size_t i) { nearest[i] = shape.find_nearest(samples[i].point); });
    NormalEquations system;
    system.rhs = VecX::Zero(4 * static_cast<Index>(medial.points.size()));
    for (const MedialPoint& point : nearest) {
      add_sample(shape.primitives()[point.primitive], point, point.gap > 0 ? options.outside_weight : 1,
                 system);
    }
    // What few samples see moves little.
    const double per_sphere = static_cast<double>(samples.size()) / static_cast<double>(medial.points.size());
    const VecX step = solve_step(system, 0.05 * per_sphere);
    if (!step.allFinite()) return;
    for (size_t i = 0; i < medial.points.size(); ++i) {
      const Index at = 4 * static_cast<Index>(i);
      medial.points[i] += step.segment<3>(at);
      medial.radii[i] *= std::clamp(1 + step[at + 3] / medial.radii[i], 0.2, kMostGrowth);
    }
  }
}

}  // namespace marrow
