// The linear system of a Newton iteration: which matrices are factorised, and what happens where one is not.
#include "solve/newton_system.h"

#include <gtest/gtest.h>

#include "linalg/scalar_matrix.h"
#include "potentials/inertia.h"
#include "solve/projected_newton.h"

namespace marrow {
namespace {

// Writes down what it is asked: f factorise, s solve, r reset.
class ToldSolver final : public LinearSolver {
 public:
  // status: of every factorisation.
  ToldSolver(std::string& told, LinearStatus status) : told_(told), status_(status) {}
  void reset() override { told_ += 'r'; }
  void recall(const SolverMemory& memory) override { memory_ = memory; }
  SolverMemory memory() const override { return memory_; }
  double memory_needed() const override { return 1e9; }
  LinearStatus factorize(const BlockMatrix& A) override {
    told_ += 'f';
    return status_ == LinearStatus::Solved ? solver_->factorize(A) : status_;
  }
  LinearStatus solve(const VecX& b, VecX& x) override {
    told_ += 's';
    return solver_->solve(b, x);
  }

 private:
  std::string& told_;
  LinearStatus status_;
  SolverMemory memory_;
  std::unique_ptr<LinearSolver> solver_ = make_dense_solver();
};

// ½ |n|² over two nodes, with a solver whose factorisations end like this.
struct SmallSystem {
  std::string told;
  const ScalarMatrix masses = build_identity(2);
  Inertia inertia{masses};
  Objective objective{2};
  NewtonWork work;
  const std::vector<char> is_fixed = {0, 0};
  VecX n = VecX::LinSpaced(6, 1, 2);

  explicit SmallSystem(LinearStatus status) {
    work.system = NewtonSystem({}, std::make_unique<ToldSolver>(told, status));
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

TEST(NewtonSystem, factorises_a_matrix_once_until_it_is_reset) {
  SmallSystem small(kSolved);
  EXPECT_EQ(small.solve(), kSolved);
  EXPECT_EQ(small.told, "fs");
  EXPECT_LE((small.work.system.direction() + small.n).norm(), 1e-15);
  EXPECT_EQ(small.solve(), kSolved);
  EXPECT_EQ(small.told, "fss");
  small.work.system.reset({});
  EXPECT_EQ(small.solve(), kSolved);
  EXPECT_EQ(small.told, "fssrfs");
}

TEST(NewtonSystem, hands_the_solver_what_the_state_remembers_and_gives_it_back) {
  SmallSystem small(kSolved);
  small.work.system.reset({true, 8, 5, 20});
  EXPECT_EQ(small.work.system.memory(), (SolverMemory{true, 8, 5, 20}));
}

TEST(NewtonSystem, a_system_that_does_not_fit_into_memory_ends_the_solve_at_once) {
  for (const Curvature curvature : {Curvature::Projected, Curvature::Exact}) {
    SmallSystem small(kOutOfMemory);
    EXPECT_EQ(small.solve(curvature), kOutOfMemory);
    EXPECT_EQ(small.told, "f");  // no shift would help
  }
  SmallSystem small(kOutOfMemory);
  const VecX before = small.n;
  const NewtonReport report = small.minimize();
  EXPECT_EQ(report.verdict, Verdict::OutOfMemory);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(small.n, before);
  EXPECT_EQ(small.work.system.memory_needed(), 1e9);
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
