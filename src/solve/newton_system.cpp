#include "solve/newton_system.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "exec/parallel.h"

namespace marrow {
namespace {

// Shifts tried in turn when the matrix is not positive definite to rounding, relative to its largest diagonal
// entry. A shift that was needed once is used immediately for the rest of the time step. Larger ones: shorter
// steps. [ablation: shifts]
constexpr std::array<double, 4> kShifts = {0, 1e-12, 1e-9, 1e-6};

void shift_diagonal(double shift, BlockMatrix& H) {
  double largest = 0;
  for (Index i = 0; i < H.node_count(); ++i) {
    largest = std::max(largest, H.blocks[H.pattern.column_offsets[i]].diagonal().maxCoeff());
  }
  for (Index i = 0; i < H.node_count(); ++i) {
    H.blocks[H.pattern.column_offsets[i]].diagonal().array() += shift * largest;
  }
}

void add_masses(const Restraint& restraint, BlockMatrix& H) {
  for (Index i = 0; i < H.node_count(); ++i) {
    const double mass = restraint.weight * restraint.masses[static_cast<size_t>(i)];
    H.blocks[H.pattern.column_offsets[i]].diagonal().array() += mass;
  }
}

// They mostly differ in the first block already.
bool has_same_bits(const std::vector<Mat3>& a, const std::vector<Mat3>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(Mat3)) == 0;
}

}  // namespace

void clear_fixed(const std::vector<char>& is_fixed, VecX& v) {
  for (size_t i = 0; i < is_fixed.size(); ++i) {
    if (is_fixed[i]) v.segment<3>(3 * static_cast<Index>(i)).setZero();
  }
}

NewtonSystem::NewtonSystem(Charts charts, std::unique_ptr<LinearSolver> solver)
    : charts_(std::move(charts)), solver_(std::move(solver)) {}

void NewtonSystem::reset(const SolverMemory& memory) {
  solver_->reset();
  solver_->recall(memory);
  factorized_.clear();
  shift_ = 0;
}

// Factorises H, unless it equals the previous matrix to the last bit, as between Newton steps that keep the
// Hessian of reduced bodies.
LinearStatus NewtonSystem::factorize(const BlockMatrix& H) {
  const bool is_known = !factorized_.empty() && factorized_version_ == H.pattern.version &&
                        factorized_.size() == H.blocks.size();
  if (is_known && has_same_bits(factorized_, H.blocks)) return LinearStatus::Solved;
  factorized_version_ = 0;
  const LinearStatus status = solver_->factorize(H);
  if (status != LinearStatus::Solved) return status;
  factorized_.resize(H.blocks.size());
  exec::parallel_for("newton.keep_blocks", H.blocks.size(), [&](size_t k) { factorized_[k] = H.blocks[k]; });
  factorized_version_ = H.pattern.version;
  return status;
}

// H u = −g over the unknowns.
LinearStatus NewtonSystem::solve_direction(BlockMatrix& H, const VecX& g, Curvature curvature) {
  LinearStatus status = LinearStatus::NotPositiveDefinite;
  const size_t end = curvature == Curvature::Exact ? shift_ + 1 : kShifts.size();
  for (size_t k = shift_; k < end; ++k) {
    if (kShifts[k] > 0) shift_diagonal(kShifts[k], H);
    status = factorize(H);
    if (status == LinearStatus::Solved) {
      status = solver_->solve(-g, direction_);
      linear_iterations_ += solver_->iterations();
    }
    if (status == LinearStatus::Solved && direction_.allFinite()) {
      shift_ = k;
      return status;
    }
    if (status == LinearStatus::OutOfMemory) return status;
  }
  return status == LinearStatus::Solved ? LinearStatus::NotPositiveDefinite : status;
}

// Tells iterative solvers what the unknowns are.
void NewtonSystem::describe(const Objective& objective, const std::vector<char>& is_fixed, const VecX& n) {
  if (!solver_->uses_description()) return;
  SystemNodes nodes = {n, bodies_, objective.flag_stiff_nodes(is_fixed)};
  solver_->describe(charts_.is_identity() ? std::move(nodes) : charts_.pull_nodes(nodes));
}

LinearStatus NewtonSystem::solve(Objective& objective, Curvature curvature, const std::vector<char>& is_fixed,
                                 const VecX& n, const VecX& g, const Restraint* restraint) {
  objective.compute_hessian(n, curvature, hessian_);
  if (restraint != nullptr) add_masses(*restraint, hessian_);
  eliminate_nodes(is_fixed, hessian_);
  describe(objective, is_fixed, n);
  if (charts_.is_identity()) {
    const LinearStatus status = solve_direction(hessian_, g, curvature);
    if (status == LinearStatus::Solved) clear_fixed(is_fixed, direction_);
    return status;
  }
  const double inertia = charts_.inertia();
  if (restraint != nullptr) charts_.set_inertia(inertia + restraint->weight);
  charts_.pull_hessian(n, g, hessian_, reduced_);
  charts_.set_inertia(inertia);
  const LinearStatus status = solve_direction(reduced_, charts_.pull_gradient(n, g), curvature);
  if (status == LinearStatus::Solved) clear_fixed(charts_.pull_flags(is_fixed), direction_);
  return status;
}

}  // namespace marrow
