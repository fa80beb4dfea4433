#include "linalg/iterative/multigrid.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numeric>

#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

struct MultigridHeuristics {
  // Block rows of a level that is factorised. More: fewer levels, slower ones. [measured:
  // bench/results/linear.md]
  Index coarsest = 600;
  // The most levels. [safety net: each has at most nine tenths of the rows of the last]
  size_t max_levels = 12;
  // A level must have at most this fraction of the rows of the one before. [safety net]
  double least_coarsening = 0.9;
  // The least strong coupling on the finest level; half as much on each further one. Larger: smaller
  // aggregates, more levels. [paper: Vanek, Mandel, Brezina 1996]
  double strong = 0.08;
  // Chebyshev steps before and after the correction. More: fewer, dearer cycles. [measured]
  int smoothing = 2;
  // The part of the spectrum that is smoothed: from the largest eigenvalue down to this fraction of it.
  double smoothed = 1.0 / 20;
  // The largest eigenvalue is estimated from below by this many Lanczos steps, and enlarged by this factor.
  Index lanczos_steps = 10;
  double margin = 1.1;
  // By this factor if that was too little. [safety net]
  double widening = 1.5;
  // ω times the largest eigenvalue. [paper: Vanek, Mandel, Brezina 1996]
  double prolongation = 4.0 / 3;
};
constexpr MultigridHeuristics kMultigrid;

// y = blocks x, group by group.
void multiply_groups(const NodeGroups& groups, const std::vector<Mat6>& blocks, const VecX& x, VecX& y) {
  y.resize(x.size());
  exec::parallel_for("multigrid.diagonals", groups.count(), [&](size_t g) {
    const Index first = 3 * groups.first[g];
    if (groups.size(g) == 1) {
      y.segment<3>(first) = blocks[g].topLeftCorner<3, 3>() * x.segment<3>(first);
    } else {
      y.segment<6>(first) = blocks[g] * x.segment<6>(first);
    }
  });
}

// A fixed vector without structure (a linear congruential generator, Knuth's MMIX).
VecX make_start(Index size) {
  VecX x(size);
  std::uint64_t state = 1;
  for (Index i = 0; i < size; ++i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    x[i] = static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  }
  return x;
}

// The largest eigenvalue of N⁻¹ A, from below: that of the tridiagonal matrix that conjugate gradients with
// the preconditioner N make (Golub and Van Loan 2013, section 10.2).
template <class Solve>
double estimate_largest(const BlockRows& A, const Solve& solve) {
  VecX r = make_start(3 * A.rows()), z, Ap;
  solve(r, z);
  VecX p = z;
  double rz = dot(r, z), last_alpha = 0, last_beta = 0;
  VecX diagonal(kMultigrid.lanczos_steps), beside(kMultigrid.lanczos_steps - 1);
  Index steps = 0;
  while (steps < kMultigrid.lanczos_steps) {
    multiply(A, p, Ap);
    const double curvature = dot(p, Ap);
    if (!(rz > 0 && curvature > 0)) break;
    const double alpha = rz / curvature;
    if (steps > 0) beside[steps - 1] = std::sqrt(last_beta) / last_alpha;
    diagonal[steps++] = 1 / alpha + (last_alpha > 0 ? last_beta / last_alpha : 0);
    r -= alpha * Ap;
    solve(r, z);
    const double next = dot(r, z);
    last_alpha = alpha;
    last_beta = next / rz;
    rz = next;
    p = z + last_beta * p;
  }
  if (steps == 0) return 1;
  Eigen::SelfAdjointEigenSolver<MatX> eigen;
  eigen.computeFromTridiagonal(diagonal.head(steps), beside.head(steps - 1), Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().maxCoeff();
}

// P = (1 − ω D⁻¹ A) Q. The rows of groups that stay alone are those of Q, and no other row follows them.
BlockRows smooth_prolongation(const BlockRows& A, const NodeGroups& groups, const std::vector<Mat6>& inverses,
                              double omega, const BlockRows& Q) {
  BlockRows moving;  // Q without the groups that stay alone
  moving.columns = Q.columns;
  moving.offsets.assign(Q.offsets.size(), 0);
  const auto is_alone = [&](size_t g) { return groups.bodies[g] == kNone; };
  for (size_t g = 0; g < groups.count(); ++g) {
    for (Index i = groups.first[g]; i < groups.first[g + 1]; ++i) {
      const Index from = Q.offsets[i], to = is_alone(g) ? from : Q.offsets[i + 1];
      moving.indices.insert(moving.indices.end(), Q.indices.begin() + from, Q.indices.begin() + to);
      moving.blocks.insert(moving.blocks.end(), Q.blocks.begin() + from, Q.blocks.begin() + to);
      moving.offsets[i + 1] = static_cast<Index>(moving.indices.size());
    }
  }
  BlockRows P = multiply(A, moving);
  exec::parallel_for("multigrid.prolongation", groups.count(), [&](size_t g) {
    const Index first = groups.first[g], size = groups.size(g);
    const Index width = P.offsets[first + 1] - P.offsets[first];  // the rows of a group have the same columns
    for (Index k = 0; k < width; ++k) {
      Mat3 rows[2];
      for (Index r = 0; r < size; ++r) rows[r] = P.blocks[P.offsets[first + r] + k];
      for (Index r = 0; r < size; ++r) {
        Mat3 sum = Mat3::Zero();
        for (Index c = 0; c < size; ++c) sum += inverses[g].block<3, 3>(3 * r, 3 * c) * rows[c];
        P.blocks[P.offsets[first + r] + k] = -omega * sum;
      }
    }
    for (Index i = first; i < first + size; ++i) {
      Index at = P.offsets[i];
      for (Index k = moving.offsets[i]; k < moving.offsets[i + 1]; ++k) {
        while (P.indices[at] != moving.indices[k]) ++at;
        P.blocks[at] += moving.blocks[k];
      }
    }
  });
  // The groups that stay alone in place of what A makes of their neighbours.
  BlockRows result;
  result.columns = Q.columns;
  bool is_any_alone = false;
  for (size_t g = 0; g < groups.count(); ++g) is_any_alone = is_any_alone || is_alone(g);
  if (!is_any_alone) return P;
  result.offsets.reserve(P.offsets.size());
  for (size_t g = 0; g < groups.count(); ++g) {
    const BlockRows& from = is_alone(g) ? Q : P;
    for (Index i = groups.first[g]; i < groups.first[g + 1]; ++i) {
      result.indices.insert(result.indices.end(), from.indices.begin() + from.offsets[i],
                            from.indices.begin() + from.offsets[i + 1]);
      result.blocks.insert(result.blocks.end(), from.blocks.begin() + from.offsets[i],
                           from.blocks.begin() + from.offsets[i + 1]);
      result.offsets.push_back(static_cast<Index>(result.indices.size()));
    }
  }
  return result;
}

// Unknowns that move nothing get a diagonal entry, so that the matrix is definite; they stay 0.
void fill_inert(const NodeGroups& groups, BlockRows& A) {
  for (size_t g = 0; g < groups.count(); ++g) {
    if (groups.inert[g] == 0) continue;
    const Index i = groups.first[g] + 1;
    double moved = 1;  // what the first translation has
    for (Index k = A.offsets[i - 1]; k < A.offsets[i]; ++k) {
      if (A.indices[k] == i - 1) moved = A.blocks[k](0, 0);
    }
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      if (A.indices[k] != i) continue;
      for (int c = 0; c < 3; ++c) {
        if ((groups.inert[g] >> (3 + c) & 1U) != 0) A.blocks[k](c, c) = moved;
      }
    }
  }
}

}  // namespace

LinearStatus Multigrid::build(const BlockMatrix& A, const SystemNodes& nodes) {
  const trace::Scope scope("multigrid.build");
  levels_.clear();
  levels_.reserve(kMultigrid.max_levels);
  LinearStatus status = add_level(expand_rows(A), make_groups(nodes, A.node_count()));
  while (status == LinearStatus::Solved && levels_.size() < kMultigrid.max_levels) {
    Level& fine = levels_.back();
    if (fine.A.rows() <= kMultigrid.coarsest) break;
    NodeGroups coarse;
    if (!add_prolongation(fine, coarse)) break;
    BlockRows next = multiply_symmetric(fine.restriction, marrow::multiply(fine.A, fine.P));
    fill_inert(coarse, next);
    status = add_level(std::move(next), std::move(coarse));
  }
  return status == LinearStatus::Solved ? factorize_coarsest() : status;
}

LinearStatus Multigrid::update(const BlockMatrix& A, const SystemNodes& nodes) {
  const trace::Scope scope("multigrid.update");
  Level& finest = levels_.front();
  const NodeGroups groups = make_groups(nodes, A.node_count());
  finest.groups.is_stiff = groups.is_stiff;
  finest.A = expand_rows(A);
  return invert_diagonal(finest);
}

void Multigrid::widen() {
  for (Level& level : levels_) level.largest *= kMultigrid.widening;
}

// false: there is nothing to join.
bool Multigrid::add_prolongation(Level& level, NodeGroups& coarse) {
  const double strong = kMultigrid.strong * std::pow(0.5, static_cast<double>(levels_.size() - 1));
  Coarsening coarsening = coarsen(level.groups, aggregate(level.A, level.groups, level.M.inverses, strong));
  const Index rows = coarsening.groups.first.back();
  if (rows == 0 || rows > kMultigrid.least_coarsening * level.A.rows()) return false;
  const double largest = estimate_largest(
      level.A, [&](const VecX& r, VecX& z) { multiply_groups(level.groups, level.M.inverses, r, z); });
  level.P = smooth_prolongation(level.A, level.groups, level.M.inverses, kMultigrid.prolongation / largest,
                                coarsening.Q);
  level.restriction = transpose(level.P);
  level.largest = kMultigrid.margin *
                  estimate_largest(level.A, [&](const VecX& r, VecX& z) { solve_blocks(level, r, z); });
  coarse = std::move(coarsening.groups);
  return true;
}

LinearStatus Multigrid::add_level(BlockRows A, NodeGroups groups) {
  Level level;
  level.A = std::move(A);
  level.groups = std::move(groups);
  const LinearStatus status = invert_diagonal(level);
  if (status != LinearStatus::Solved) return status;
  levels_.push_back(std::move(level));
  return LinearStatus::Solved;
}

// M of a level.
LinearStatus Multigrid::invert_diagonal(Level& level) {
  level.M.inverses = invert_diagonals(level.A, level.groups);
  if (level.M.inverses.size() != level.groups.count()) return LinearStatus::NotPositiveDefinite;
  level.M.stiff_rows.clear();
  for (size_t g = 0; g < level.groups.count(); ++g) {
    if (!level.groups.is_stiff[g]) continue;
    for (Index i = level.groups.first[g]; i < level.groups.first[g + 1]; ++i) {
      level.M.stiff_rows.push_back(i);
    }
  }
  if (level.M.stiff_rows.empty()) return LinearStatus::Solved;
  level.M.stiff = select_rows(level.A, level.M.stiff_rows);
  if (!level.M.stiff_solver) level.M.stiff_solver = make_multifrontal_solver();
  return level.M.stiff_solver->factorize(level.M.stiff);
}

LinearStatus Multigrid::factorize_coarsest() {
  std::vector<Index> all(static_cast<size_t>(levels_.back().A.rows()));
  std::iota(all.begin(), all.end(), 0);
  coarsest_ = select_rows(levels_.back().A, all);
  coarsest_solver_ = make_multifrontal_solver();
  return coarsest_solver_->factorize(coarsest_);
}

double Multigrid::compute_complexity() const {
  double blocks = 0;
  for (const Level& level : levels_) blocks += static_cast<double>(level.A.blocks.size());
  return blocks / static_cast<double>(levels_.front().A.blocks.size());
}

void Multigrid::apply(const VecX& r, VecX& z) {
  const trace::Scope scope("multigrid.cycle");
  levels_[0].b = r;
  cycle(0);
  z = levels_[0].x;
}

void Multigrid::cycle(size_t at) {
  Level& level = levels_[at];
  if (at + 1 == levels_.size()) {
    coarsest_solver_->solve(level.b, level.x);
    return;
  }
  smooth(level, true);
  marrow::subtract_product(level.A, level.x, level.b, level.residual);
  marrow::multiply(level.restriction, level.residual, levels_[at + 1].b);
  cycle(at + 1);
  marrow::multiply(level.P, levels_[at + 1].x, level.step);
  level.x += level.step;
  smooth(level, false);
}

// z = M⁻¹ r.
void Multigrid::solve_blocks(Level& level, const VecX& r, VecX& z) {
  multiply_groups(level.groups, level.M.inverses, r, z);
  const std::vector<Index>& rows = level.M.stiff_rows;
  if (rows.empty()) return;
  VecX &b = level.M.b, &x = level.M.x;
  b.resize(3 * static_cast<Index>(rows.size()));
  for (size_t k = 0; k < rows.size(); ++k)
    b.segment<3>(3 * static_cast<Index>(k)) = r.segment<3>(3 * rows[k]);
  level.M.stiff_solver->solve(b, x);
  for (size_t k = 0; k < rows.size(); ++k)
    z.segment<3>(3 * rows[k]) = x.segment<3>(3 * static_cast<Index>(k));
}

// Chebyshev steps for A x = b, which damp all eigenvalues of M⁻¹A above a fraction of the largest.
void Multigrid::smooth(Level& level, bool is_from_zero) {
  const double upper = level.largest, lower = kMultigrid.smoothed * upper;
  const double center = (upper + lower) / 2, half = (upper - lower) / 2;
  double rho = half / center;
  if (is_from_zero) {
    level.x = VecX::Zero(level.b.size());
    level.residual = level.b;
  } else {
    marrow::subtract_product(level.A, level.x, level.b, level.residual);
  }
  solve_blocks(level, level.residual, level.scaled);
  level.step = level.scaled / center;
  level.x += level.step;
  for (int k = 1; k < kMultigrid.smoothing; ++k) {
    marrow::subtract_product(level.A, level.x, level.b, level.residual);
    solve_blocks(level, level.residual, level.scaled);
    const double next = 1 / (2 * center / half - rho);
    level.step = next * rho * level.step + 2 * next / half * level.scaled;
    level.x += level.step;
    rho = next;
  }
}

}  // namespace marrow
