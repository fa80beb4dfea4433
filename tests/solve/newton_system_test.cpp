// The linear system of a Newton iteration, above all where a solver runs out of memory.
#include "solve/newton_system.h"

#include <gtest/gtest.h>

#include "linalg/scalar_matrix.h"
#include "potentials/inertia.h"
#include "solve/projected_newton.h"

namespace marrow {
namespace {

// Writes down what it is asked: f factorise, s solve, r reset; capital letters for the fallback.
class ToldSolver final : public LinearSolver {
 public:
  // status: of every factorisation.
  ToldSolver(std::string& told, bool is_fallback, LinearStatus status)
      : told_(told), is_fallback_(is_fallback), status_(status) {}
  void reset() override { told_ += is_fallback_ ? 'R' : 'r'; }
  LinearStatus factorize(const BlockMatrix& A) override {
    told_ += is_fallback_ ? 'F' : 'f';
    return status_ == LinearStatus::Solved ? solver_->factorize(A) : status_;
  }
  LinearStatus solve(const VecX& b, VecX& x) override {
    told_ += is_fallback_ ? 'S' : 's';
    return solver_->solve(b, x);
  }

 private:
  std::string& told_;
  bool is_fallback_;
  LinearStatus status_;
  std::unique_ptr<LinearSolver> solver_ = make_dense_solver();
};

// ½ |n|² over two nodes, with solvers whose factorisations end like this; the second may be missing.
struct SmallSystem {
  std::string told;
  const ScalarMatrix masses = build_identity(2);
  Inertia inertia{masses};
  Objective objective{2};
  NewtonWork work;
  const std::vector<char> is_fixed = {0, 0};
  VecX n = VecX::LinSpaced(6, 1, 2);

  explicit SmallSystem(LinearStatus first, std::optional<LinearStatus> second = {}) {
    work.system = NewtonSystem({}, std::make_unique<ToldSolver>(told, false, first),
                               second ? std::make_unique<ToldSolver>(told, true, *second) : nullptr);
    inertia.set_target(VecX::Zero(6));
    objective.add_term(inertia, 1);
  }

  LinearStatus solve(Curvature curvature = Curvature::Projected) {
    VecX g;
    objective.compute_gradient(n, g);
    return work.system.solve(objective, curvature, is_fixed, n, g);
  }
  NewtonReport minimize() {
    return marrow::minimize(
        objective, {.is_fixed = is_fixed, .limits = {.stop_length = 1e-9, .iterations = 10}}, n, work);
  }
};

constexpr LinearStatus kSolved = LinearStatus::Solved, kOutOfMemory = LinearStatus::OutOfMemory;

}  // namespace

TEST(NewtonSystem, gives_what_does_not_fit_into_memory_to_the_fallback) {
  for (const Curvature curvature : {Curvature::Projected, Curvature::Exact}) {
    SmallSystem small(kOutOfMemory, kSolved);
    EXPECT_EQ(small.solve(curvature), kSolved);
    EXPECT_EQ(small.told, "fFS");
    EXPECT_TRUE(small.work.system.is_fallback());
    EXPECT_LE((small.work.system.direction() + small.n).norm(), 1e-15);
  }
}

TEST(NewtonSystem, never_asks_the_fallback_where_memory_suffices) {
  SmallSystem small(kSolved, kSolved);
  EXPECT_EQ(small.solve(), kSolved);
  EXPECT_EQ(small.told, "fs");
  EXPECT_FALSE(small.work.system.is_fallback());
}

TEST(NewtonSystem, stays_with_the_fallback_until_it_is_reset) {
  SmallSystem small(kOutOfMemory, kSolved);
  NewtonSystem& system = small.work.system;
  small.solve();
  small.told.clear();
  small.solve();  // the same matrix: factorised already
  EXPECT_EQ(small.told, "S");
  small.told.clear();
  system.reset(false);
  EXPECT_FALSE(system.is_fallback());
  small.solve();
  EXPECT_EQ(small.told, "rfFS");
}

TEST(NewtonSystem, a_reset_after_a_step_out_of_memory_asks_the_fallback_at_once) {
  SmallSystem small(kOutOfMemory, kSolved);
  small.work.system.reset(true);
  EXPECT_EQ(small.solve(), kSolved);
  EXPECT_EQ(small.told, "RFS");
}

TEST(NewtonSystem, without_a_fallback_or_where_that_fails_too_memory_is_the_verdict) {
  SmallSystem alone(kOutOfMemory), both(kOutOfMemory, kOutOfMemory);
  for (SmallSystem* small : {&alone, &both}) {
    const VecX before = small->n;
    const NewtonReport report = small->minimize();
    EXPECT_EQ(report.verdict, Verdict::OutOfMemory);
    EXPECT_EQ(report.iterations, 1);
    EXPECT_EQ(small->n, before);
  }
  EXPECT_EQ(alone.told, "f");
  EXPECT_EQ(both.told, "fF");
}

TEST(NewtonSystem, a_fallback_that_does_not_converge_is_a_linear_solve_that_failed) {
  SmallSystem small(kOutOfMemory, LinearStatus::NotConverged);
  EXPECT_EQ(small.minimize().verdict, Verdict::LinearSolveFailed);
}

TEST(NewtonSystem, a_solve_that_runs_out_of_memory_ends_where_one_with_memory_does) {
  SmallSystem small(kOutOfMemory, kSolved);
  EXPECT_EQ(small.minimize().verdict, Verdict::Converged);
  EXPECT_LE(small.n.norm(), 1e-15);
}

// Of a projected Hessian four shifts are tried, of an exact one none.
TEST(NewtonSystem, shifts_a_projected_matrix_that_is_not_positive_definite_and_leaves_an_exact_one) {
  SmallSystem projected(LinearStatus::NotPositiveDefinite), exact(LinearStatus::NotPositiveDefinite);
  EXPECT_EQ(projected.solve(Curvature::Projected), LinearStatus::NotPositiveDefinite);
  EXPECT_EQ(projected.told, "ffff");
  EXPECT_EQ(exact.solve(Curvature::Exact), LinearStatus::NotPositiveDefinite);
  EXPECT_EQ(exact.told, "f");
}

}  // namespace marrow
