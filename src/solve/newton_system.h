// The linear system of a Newton iteration is H Δn = −g over the unknowns; parts of it are kept between
// iterations.
//
// A matrix that is not positive definite to rounding is shifted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinematics/charts.h"
#include "linalg/linear_solver.h"
#include "solve/objective.h"

namespace marrow {

// Limits the direction in equilibria without inertia, if nothing else does: for a body that falls to a limit,
// or a load that swings. The system then has these masses on its diagonal; the objective does not.
struct Restraint {
  double length = 0;           // a direction longer than this is held back [m]; 0: none is
  double weight = 0;           // of the masses below
  std::vector<double> masses;  // by node [kg]
};

class NewtonSystem {
 public:
  NewtonSystem() = default;

  // charts: from unknowns to nodes.
  NewtonSystem(Charts charts, std::unique_ptr<LinearSolver> solver);

  Charts& charts() { return charts_; }

  // The body of each node that is a point of it; kNone: a node that is none (linalg/system_nodes.h).
  void set_bodies(std::vector<Index> bodies) { bodies_ = std::move(bodies); }

  // Discards what earlier systems left, except what the state remembers of them.
  void reset(const SolverMemory& memory);
  SolverMemory memory() const { return solver_->memory(); }

  // By the last system, foreseen even if it was refused for that [bytes]; 0: not known.
  double memory_needed() const { return solver_->memory_needed(); }

  // Solves H Δn = −g at n. A projected Hessian is tried with several shifts of its diagonal, an exact one
  // without. restraint: limits the direction; may be null.
  LinearStatus solve(Objective& objective, Curvature curvature, const std::vector<char>& is_fixed,
                     const VecX& n, const VecX& g, const Restraint* restraint = nullptr);

  // Of an iterative solver, in all solves so far.
  Index linear_iterations() const { return linear_iterations_; }

  // The Hessian of the last solve, over the nodes.
  const BlockMatrix& hessian() const { return hessian_; }

  // The direction over the unknowns, and the path of the nodes that it describes.
  const VecX& direction() const { return direction_; }
  NodePath make_path(const VecX& n) const { return charts_.make_path(n, direction_); }

 private:
  LinearStatus factorize(const BlockMatrix& H);
  LinearStatus solve_direction(BlockMatrix& H, const VecX& g, Curvature curvature);

  void describe(const Objective& objective, const std::vector<char>& is_fixed, const VecX& n);

  Charts charts_;
  std::vector<Index> bodies_;
  std::unique_ptr<LinearSolver> solver_;
  BlockMatrix hessian_, reduced_;
  VecX direction_;
  Index linear_iterations_ = 0;
  // The blocks that the solver factorised last, and the version of their pattern; empty if that failed.
  std::vector<Mat3> factorized_;
  std::uint64_t factorized_version_ = 0;
  size_t shift_ = 0;  // index of the diagonal shift that made it positive definite
};

// Sets the fixed nodes' share of a vector to 0.
void clear_fixed(const std::vector<char>& is_fixed, VecX& v);

}  // namespace marrow
