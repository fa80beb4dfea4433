// The solver's outcomes are values, each reachable.
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/scalar_matrix.h"
#include "potentials/inertia.h"
#include "solve/projected_newton.h"

namespace marrow {
namespace {

// A potential that can be told to misbehave: ½|n|², or a wall, or a lie about its gradient, or a projected
// Hessian that is far too stiff, with an exact one that is right or indefinite, or one that is singular but
// for rounding and never the same twice, or ½|n|² + ¼Σn⁴ + 10¹⁰, whose values lose all but a few digits.
class Trial final : public Potential {
 public:
  enum class Manner { Honest, WrongGradient, Wall, Singular, Stiff, StiffIndefinite, Offset };
  Trial(Index nodes, Manner manner) : manner_(manner) {
    std::vector<Index> offsets = {0}, ids;
    for (Index i = 0; i < nodes; ++i) {
      ids.push_back(i);
      offsets.push_back(i + 1);
    }
    group_.set_stencils(offsets, ids, nodes);
  }
  const char* name() const override { return "trial"; }
  double compute_value(const VecX& n) const override {
    return 0.5 * n.squaredNorm() + (is_offset() ? 0.25 * n.array().pow(4).sum() + kOffset : 0);
  }
  double compute_magnitude(const VecX& n) const override {
    return n.squaredNorm() + (is_offset() ? kOffset : 0);
  }
  void add_gradient(const VecX& n, double weight, VecX& g) override {
    if (is_offset()) g += VecX(weight * n.array().cube());
    g += (manner_ == Manner::WrongGradient ? -weight : weight) * n;
  }
  const StencilGroup* update_hessian(const VecX& n, double weight) override {
    if (is_offset()) {
      fill(weight);
      for (size_t e = 0; e < group_.stencil_count(); ++e) {
        const Vec3 x = n.segment<3>(3 * static_cast<Index>(e));
        group_.blocks_of(e)[0].diagonal() += 3 * weight * x.cwiseAbs2();
      }
      return &group_;
    }
    if (manner_ == Manner::Singular) {
      fill(weight *= 1 + 0.01 * ++asked_);
      group_.blocks_of(0)[0](0, 0) = -1e-15;
      return &group_;
    }
    const bool is_affine_or_rigid = manner_ == Manner::Stiff || manner_ == Manner::StiffIndefinite;
    return fill(is_affine_or_rigid ? 5 * weight : weight);
  }
  const StencilGroup* update_exact_hessian(const VecX&, double weight) override {
    return fill(manner_ == Manner::StiffIndefinite ? -weight : weight);
  }
  StepLimit compute_step_limit(const NodePath&) const override {
    if (manner_ == Manner::Wall || manner_ == Manner::Singular) return {0.25, LimitCause::Collision};
    return {};
  }

 private:
  static constexpr double kOffset = 1e10;
  bool is_offset() const { return manner_ == Manner::Offset; }

  const StencilGroup* fill(double value) {
    for (size_t e = 0; e < group_.stencil_count(); ++e) group_.blocks_of(e)[0] = value * Mat3::Identity();
    return &group_;
  }

  Manner manner_;
  int asked_ = 0;
  StencilGroup group_;
};

// Counts what it is asked.
class CountingSolver final : public LinearSolver {
 public:
  LinearStatus factorize(const BlockMatrix& A) override {
    ++factorizations;
    return solver_->factorize(A);
  }
  LinearStatus solve(const VecX& b, VecX& x) override { return solver_->solve(b, x); }
  int factorizations = 0;

 private:
  std::unique_ptr<LinearSolver> solver_ = make_dense_solver();
};

NewtonReport solve(Trial::Manner manner, VecX& n, int max_iterations, const std::vector<char>& is_fixed,
                   int* factorizations = nullptr) {
  Trial trial(2, manner);
  Objective objective(2);
  objective.add_term(trial, 1);
  NewtonWork work;
  auto solver = std::make_unique<CountingSolver>();
  const CountingSolver& count = *solver;
  work.system = NewtonSystem({}, std::move(solver));
  const NewtonReport report = minimize(
      objective, {.is_fixed = is_fixed, .limits = {.stop_length = 1e-9, .iterations = max_iterations}}, n,
      work);
  if (factorizations != nullptr) *factorizations = count.factorizations;
  return report;
}

const std::vector<char> kFree = {0, 0};

}  // namespace

TEST(Newton, a_quadratic_takes_one_step_and_one_to_see_it) {
  VecX n = VecX::LinSpaced(6, 1, 2);
  const NewtonReport report = solve(Trial::Manner::Honest, n, 10, kFree);
  EXPECT_EQ(report.verdict, Verdict::Converged);
  EXPECT_LE(report.iterations, 2);
  EXPECT_EQ(n.norm(), 0);
}

TEST(Newton, fixed_nodes_keep_their_bits) {
  VecX n = VecX::LinSpaced(6, 1, 2);
  const Vec3 kept = n.segment<3>(3);
  solve(Trial::Manner::Honest, n, 10, {0, 1});
  EXPECT_EQ(n.segment<3>(0).norm(), 0);
  EXPECT_EQ(Vec3(n.segment<3>(3)), kept);
}

TEST(Newton, the_step_limit_is_obeyed_and_counted) {
  VecX n = VecX::Constant(6, 1);
  const NewtonReport report = solve(Trial::Manner::Wall, n, 3, kFree);
  EXPECT_EQ(report.verdict, Verdict::TooManyIterations);
  EXPECT_EQ(report.collision_limits, 3);
  EXPECT_NEAR(n[0], 0.75 * 0.75 * 0.75, 1e-15);
}

TEST(Newton, a_matrix_that_stays_the_same_is_factorised_once) {
  VecX n = VecX::Constant(6, 1);
  int factorizations = 0;
  EXPECT_EQ(solve(Trial::Manner::Wall, n, 20, kFree, &factorizations).iterations, 20);
  EXPECT_EQ(factorizations, 1);
}

TEST(Newton, a_shift_that_was_needed_is_taken_at_once) {
  VecX n = VecX::Constant(6, 1);
  n[0] = 0;
  int factorizations = 0;
  EXPECT_EQ(solve(Trial::Manner::Singular, n, 20, kFree, &factorizations).iterations, 20);
  EXPECT_EQ(factorizations, 2 + 19);  // the Hessian changes every time
}

TEST(Newton, a_direction_uphill_is_refused_and_nothing_moves) {
  VecX n = VecX::Constant(6, 1);
  const NewtonReport report = solve(Trial::Manner::WrongGradient, n, 10, kFree);
  EXPECT_EQ(report.verdict, Verdict::NoDescent);
  EXPECT_EQ(n, VecX(VecX::Constant(6, 1)));
}

TEST(Newton, where_projected_steps_crawl_the_exact_hessian_takes_over) {
  VecX n = VecX::Constant(6, 1);
  const NewtonReport report = solve(Trial::Manner::Stiff, n, 200, kFree);
  EXPECT_EQ(report.verdict, Verdict::Converged);
  EXPECT_LE(report.iterations, 4);  // two that crawl, one exact, one to see it
  EXPECT_LE(n.norm(), 1e-12);
}

TEST(Newton, where_the_exact_hessian_is_indefinite_crawling_steps_are_stretched) {
  VecX n = VecX::Constant(6, 1);
  const NewtonReport report = solve(Trial::Manner::StiffIndefinite, n, 200, kFree);
  EXPECT_EQ(report.verdict, Verdict::Converged);
  const double unstretched = 1 + std::log(1e-9 * 5) / std::log(0.8);
  EXPECT_LE(report.iterations, 0.7 * unstretched);
  EXPECT_LE(n.lpNorm<Eigen::Infinity>(), 5e-9);
}

TEST(Newton, steps_that_near_the_end_go_on_where_values_are_only_rounding) {
  VecX n = VecX::LinSpaced(6, 0.5, 1);
  const NewtonReport report = solve(Trial::Manner::Offset, n, 20, kFree);
  EXPECT_EQ(report.verdict, Verdict::Converged);
  EXPECT_LE(report.iterations, 8);
  EXPECT_LE(n.lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(Newton, every_verdict_has_a_name) {
  const std::vector<std::pair<Verdict, const char*>> names = {
      {Verdict::Converged, "converged"},
      {Verdict::CutShort, "cut short"},
      {Verdict::AtRounding, "at rounding"},
      {Verdict::TooManyIterations, "too many iterations"},
      {Verdict::NoDescent, "no descent"},
      {Verdict::Blocked, "blocked"},
      {Verdict::LostInRounding, "lost in rounding"},
      {Verdict::JointsPress, "joints press"},
      {Verdict::LinearSolveFailed, "linear solve failed"},
      {Verdict::OutOfMemory, "out of memory"},
  };
  ASSERT_EQ(names.size(), static_cast<size_t>(Verdict::OutOfMemory) + 1);  // the last: none is left out
  for (const auto& [verdict, name] : names) {
    EXPECT_STREQ(to_string(verdict), name);
    const bool is_fine =
        verdict == Verdict::Converged || verdict == Verdict::CutShort || verdict == Verdict::AtRounding;
    EXPECT_EQ(is_success(verdict), is_fine) << name;
  }
}

}  // namespace marrow
