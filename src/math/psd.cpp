#include "math/psd.h"

#include <Eigen/Eigenvalues>

namespace marrow {

MatX project_psd(const MatX& symmetric) {
  const Eigen::SelfAdjointEigenSolver<MatX> solver(symmetric);
  if (solver.eigenvalues().minCoeff() >= 0) return symmetric;
  const VecX clamped = solver.eigenvalues().cwiseMax(0.0);
  return solver.eigenvectors() * clamped.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace marrow
