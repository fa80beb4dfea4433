// A step as a whole, where a factorisation does not fit into memory.
#include "sim/step.h"

#include <gtest/gtest.h>

#include "built_scenes.h"

namespace marrow {
namespace {

using test::build_text;

constexpr int kSteps = 8;

// Direct, until its memory ends.
class SmallMemory final : public LinearSolver {
 public:
  // left: factorisations that still fit.
  explicit SmallMemory(int& left) : left_(left) {}
  void reset() override { solver_->reset(); }
  LinearStatus factorize(const BlockMatrix& A) override {
    return left_-- > 0 ? solver_->factorize(A) : LinearStatus::OutOfMemory;
  }
  LinearStatus solve(const VecX& b, VecX& x) override { return solver_->solve(b, x); }

 private:
  int& left_;
  std::unique_ptr<LinearSolver> solver_ = make_multifrontal_solver();
};

// A soft box of a hundred nodes that falls onto a floor.
BuiltScene build_fall() {
  return build_text(R"({"time": {"step": 0.01, "duration": 1}, "contact": {"friction": 0.3}, "bodies": [
      {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [2, 0.2, 2], "cells_x": 1,
       "cells_y": 1, "cells_z": 1}, "position": [0, -0.1, 0]},
      {"name": "box", "shape": {"type": "box", "size": [0.3, 0.4, 0.3], "cells_x": 3, "cells_y": 4,
       "cells_z": 3}, "position": [0, 0.21, 0], "velocity": [0.5, -1, 0]}]})");
}

// Takes steps until the number is reached.
void advance_to(int step, StepTerms& terms, State& state) {
  while (state.step < step) ASSERT_TRUE(is_success(take_step(terms, state).newton.verdict)) << state.step;
}

void set_solvers(StepTerms& terms, std::unique_ptr<LinearSolver> direct,
                 std::unique_ptr<LinearSolver> iterative) {
  terms.work.system =
      NewtonSystem(Charts(terms.model.kinematics),
                   make_automatic_solver(terms.model.linear, std::move(direct), std::move(iterative)));
}

}  // namespace

TEST(OutOfMemory, the_iterative_solver_takes_over_and_a_resumed_run_gives_the_same_bits) {
  BuiltScene built = build_fall();
  StepTerms terms(built.model);
  int left = std::numeric_limits<int>::max();
  set_solvers(terms, std::make_unique<SmallMemory>(left), make_pcg_solver(built.model.linear));
  State state = built.state;
  advance_to(3, terms, state);
  EXPECT_FALSE(state.linear.is_iterative);
  left = 1;  // of the next step the first factorisation still fits
  advance_to(4, terms, state);
  EXPECT_TRUE(state.linear.is_iterative);
  EXPECT_EQ(left, -1);
  const State broken = state;
  advance_to(kSteps, terms, state);
  EXPECT_TRUE(state.linear.is_iterative);
  EXPECT_EQ(left, -1);  // it was not asked again
  ASSERT_GT(terms.contact.count_contacts(state.nodes), 0u);

  StepTerms fresh(built.model);
  int never = 0;
  set_solvers(fresh, std::make_unique<SmallMemory>(never), make_pcg_solver(built.model.linear));
  State resumed = broken;
  advance_to(kSteps, fresh, resumed);
  EXPECT_EQ(resumed.nodes, state.nodes);
  EXPECT_EQ(resumed.velocities, state.velocities);
  EXPECT_TRUE(resumed.linear.is_iterative);

  // The solvers do differ in the last digits: a state that forgot would be seen.
  State forgetful = broken;
  forgetful.linear = {};
  never = std::numeric_limits<int>::max();
  advance_to(kSteps, fresh, forgetful);
  EXPECT_NE(forgetful.nodes, state.nodes);
  EXPECT_LE((forgetful.nodes - state.nodes).lpNorm<Eigen::Infinity>(), 1e-4 * built.model.size);
}

TEST(OutOfMemory, where_the_iterative_solver_fails_too_the_step_fails_at_once_and_the_state_stays) {
  const BuiltScene built = build_fall();
  StepTerms terms(built.model);
  int none = 0, none_either = 0;
  set_solvers(terms, std::make_unique<SmallMemory>(none), std::make_unique<SmallMemory>(none_either));
  State state = built.state;
  const StepReport report = take_step(terms, state);
  EXPECT_EQ(report.newton.verdict, Verdict::OutOfMemory);
  EXPECT_EQ(none, -1);  // shorter steps would not help
  EXPECT_EQ(none_either, -1);
  EXPECT_EQ(report.failed_length, built.model.time.step);
  EXPECT_EQ(state.step, 0);
  EXPECT_EQ(state.nodes, built.state.nodes);
  EXPECT_FALSE(state.linear.is_iterative);
  EXPECT_NE(explain_failure(report).find("do not fit into memory"), std::string::npos);
}

}  // namespace marrow
