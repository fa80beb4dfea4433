// The verdicts of a Newton solve and what it tries next, from made-up steps: no scene, no matrix.
#include "solve/newton_progress.h"

#include <gtest/gtest.h>

#include "solve/newton_heuristics.h"

namespace marrow {
namespace {

constexpr double kStop = 1e-6;  // [m]
constexpr Imbalance kBalanced = {1, 2}, kUnbalanced = {1.01, 2}, kSettled = {1, 1};

Balance& get_balance() {
  static Balance balance;
  return balance;
}

NewtonProgress make_progress(bool has_balance, int creeping_steps = 1000) {
  return NewtonProgress({.stop_length = kStop,
                         .iterations = 1000,
                         .creeping_steps = creeping_steps,
                         .balance = has_balance ? &get_balance() : nullptr});
}

DirectionFacts make_direction(double length, double decrement = 1, double promise = 0) {
  return {length, decrement, promise, Curvature::Projected};
}

StepLength make_step(double alpha, const StepLimit& limit = {}) { return {.alpha = alpha, .limit = limit}; }

StepLength whole() { return make_step(1); }
StepLength halved() { return {.alpha = 0.5, .limit = {}, .halvings = 1}; }
StepLength at_rounding() { return {.alpha = 1, .limit = {}, .is_rounding = true}; }
StepLength limited(double alpha) { return make_step(alpha, {alpha, LimitCause::Collision}); }

// Of a solve without a balance to ask.
std::optional<Verdict> judge(NewtonProgress& progress, double length, const StepLength& step) {
  return progress.judge(make_direction(length), step, {});
}

constexpr std::optional<Verdict> kGoesOn = {};

// So many iterations follow each other before the exact Hessian is tried.
int count_wait(CurvatureChoice& choice) {
  int iterations = 0;
  for (; choice.next() == Curvature::Projected && iterations < 100; ++iterations) {
    choice.report_step(Curvature::Projected, true, whole());
  }
  return iterations;
}

// One that crawls, so that an exact Hessian is wanted.
CurvatureChoice make_wanted() {
  CurvatureChoice choice;
  choice.report_step(Curvature::Projected, true, whole());
  return choice;
}

}  // namespace

TEST(NewtonProgress, without_a_balance_a_short_step_has_converged_and_a_longer_one_goes_on) {
  NewtonProgress progress = make_progress(false);
  EXPECT_EQ(judge(progress, 1.01 * kStop, halved()), kGoesOn);
  EXPECT_EQ(judge(progress, kStop, halved()), Verdict::Converged);
}

TEST(NewtonProgress, a_step_of_which_most_was_forbidden_is_no_evidence) {
  NewtonProgress progress = make_progress(false);
  EXPECT_EQ(judge(progress, 0.1 * kStop, limited(0.99 * kNewton.held_up)), kGoesOn);
  EXPECT_EQ(judge(progress, 0.1 * kStop, limited(kNewton.held_up)), Verdict::Converged);
}

TEST(NewtonProgress, many_idle_steps_in_a_row_are_believed) {
  for (const bool has_balance : {false, true}) {
    NewtonProgress progress = make_progress(has_balance);
    const auto take_idle = [&](int count) {
      for (int k = 0; k < count; ++k) {
        EXPECT_EQ(progress.judge(make_direction(0.1 * kStop), limited(0.1), kUnbalanced), kGoesOn) << k;
      }
    };
    take_idle(kNewton.max_idle_steps - 1);
    EXPECT_EQ(progress.judge(make_direction(kStop * 2), halved(), kUnbalanced), kGoesOn);  // counts anew
    take_idle(kNewton.max_idle_steps - 1);
    // Forces that do not balance are as good as rounding lets them be.
    EXPECT_EQ(progress.judge(make_direction(0.1 * kStop), limited(0.1), kUnbalanced),
              has_balance ? Verdict::AtRounding : Verdict::Converged);
  }
}

TEST(NewtonProgress, with_a_balance_a_short_step_counts_only_where_forces_balance) {
  NewtonProgress progress = make_progress(true);
  EXPECT_EQ(progress.judge(make_direction(0.1 * kStop), whole(), kUnbalanced), kGoesOn);
  EXPECT_EQ(progress.judge(make_direction(0.1 * kStop), whole(), kBalanced), Verdict::Converged);
}

TEST(NewtonProgress, balanced_forces_do_not_make_a_long_step_the_last) {
  NewtonProgress progress = make_progress(true);
  EXPECT_EQ(progress.judge(make_direction(2 * kStop), whole(), kBalanced), kGoesOn);
}

TEST(NewtonProgress, a_last_step_promises_little) {
  NewtonProgress progress = make_progress(true);
  const double most = kNewton.last_promise;
  EXPECT_EQ(progress.judge(make_direction(0.1 * kStop, 1, 1.01 * most), whole(), kBalanced), kGoesOn);
  EXPECT_EQ(progress.judge(make_direction(0.1 * kStop, 1, most), whole(), kBalanced), Verdict::Converged);
}

TEST(NewtonProgress, where_nothing_is_left_to_balance_any_step_is_the_last) {
  for (const StepLength& step : {whole(), limited(1e-4), make_step(0)}) {
    NewtonProgress progress = make_progress(true);
    EXPECT_EQ(progress.judge(make_direction(1e6 * kStop, 1, 1), step, kSettled), Verdict::Converged);
  }
  // Imbalance is not known without a balance: its zeros say nothing.
  NewtonProgress alone = make_progress(false);
  EXPECT_EQ(alone.judge(make_direction(2 * kStop), whole(), {}), kGoesOn);
}

TEST(NewtonProgress, two_whole_steps_that_shrink_fast_make_the_next_one_needless) {
  // After 100 and 3 stopping lengths the next would be 3²/100 = 0.09, after 100 and 4 0.16 of one.
  const auto judge_second = [](double second, const StepLength& first_step, const StepLength& second_step) {
    NewtonProgress progress = make_progress(false);
    EXPECT_EQ(judge(progress, 100 * kStop, first_step), kGoesOn);
    return judge(progress, second * kStop, second_step);
  };
  EXPECT_EQ(judge_second(3, whole(), whole()), Verdict::Converged);
  EXPECT_EQ(judge_second(4, whole(), whole()), kGoesOn);
  EXPECT_EQ(judge_second(3, halved(), whole()), kGoesOn);
  EXPECT_EQ(judge_second(3, whole(), halved()), kGoesOn);
}

TEST(NewtonProgress, a_solve_that_creeps_is_blocked_after_as_many_steps_as_it_is_given) {
  NewtonProgress progress = make_progress(false, 3);
  const StepLength creeping = limited(0.99 * kNewton.creeping);
  EXPECT_EQ(judge(progress, 1, creeping), kGoesOn);
  EXPECT_EQ(judge(progress, 1, creeping), kGoesOn);
  EXPECT_EQ(judge(progress, 1, limited(kNewton.creeping)), kGoesOn);  // counts anew
  EXPECT_EQ(judge(progress, 1, creeping), kGoesOn);
  EXPECT_EQ(judge(progress, 1, creeping), kGoesOn);
  EXPECT_EQ(judge(progress, 1, creeping), Verdict::Blocked);
}

TEST(NewtonProgress, where_no_step_is_found_its_length_tells_rounding_from_no_descent) {
  for (const bool has_balance : {false, true}) {
    NewtonProgress progress = make_progress(has_balance);
    const StepLength none = make_step(0);
    EXPECT_EQ(progress.judge(make_direction(kStop), none, kUnbalanced), Verdict::AtRounding);
    EXPECT_EQ(progress.judge(make_direction(1.01 * kStop), none, kUnbalanced), Verdict::NoDescent);
  }
}

TEST(NewtonProgress, values_at_rounding_end_a_solve_well_or_badly_by_the_length_of_the_step) {
  const double most = kNewton.rounding_slack * kStop;
  for (const bool has_balance : {false, true}) {
    NewtonProgress near = make_progress(has_balance), far = make_progress(has_balance);
    EXPECT_EQ(near.judge(make_direction(most), at_rounding(), kUnbalanced), Verdict::AtRounding);
    EXPECT_EQ(far.judge(make_direction(1.01 * most), at_rounding(), kUnbalanced), Verdict::LostInRounding);
  }
}

TEST(NewtonProgress, at_rounding_steps_that_promise_ever_less_go_on) {
  NewtonProgress progress = make_progress(false);
  EXPECT_EQ(progress.judge(make_direction(1, 1), whole(), {}), kGoesOn);
  EXPECT_EQ(progress.judge(make_direction(0.9, kNewton.nearing), at_rounding(), {}), kGoesOn);
  EXPECT_EQ(progress.judge(make_direction(0.8, 1.01 * kNewton.nearing * kNewton.nearing), at_rounding(), {}),
            Verdict::LostInRounding);
}

TEST(NewtonProgress, a_step_held_up_at_rounding_is_lost_only_after_many) {
  NewtonProgress progress = make_progress(false);
  StepLength step = limited(0.1);
  step.is_rounding = true;
  for (int k = 1; k < kNewton.max_idle_steps; ++k) EXPECT_EQ(judge(progress, 2 * kStop, step), kGoesOn) << k;
  EXPECT_EQ(judge(progress, 2 * kStop, step), Verdict::LostInRounding);
}

TEST(NewtonProgress, a_solve_has_no_more_iterations_than_it_is_given) {
  NewtonProgress progress({.stop_length = kStop, .iterations = 3});
  int iterations = 0;
  for (; iterations < 10 && progress.may_go_on(); ++iterations) judge(progress, 1, whole());
  EXPECT_EQ(iterations, 3);
  const NewtonReport report = progress.finish(Verdict::TooManyIterations, 7);
  EXPECT_EQ(report.verdict, Verdict::TooManyIterations);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.gradient_norm, 7);
}

TEST(NewtonProgress, counts_halvings_and_what_limited_steps) {
  NewtonProgress progress = make_progress(false);
  judge(progress, 4, halved());
  judge(progress, 3, limited(0.7));
  judge(progress, 2, {.alpha = 0.1, .limit = {0.4, LimitCause::Inversion}, .halvings = 2});
  const NewtonReport report = progress.finish(Verdict::NoDescent, 0);
  EXPECT_EQ(report.halvings, 3);
  EXPECT_EQ(report.collision_limits, 1);
  EXPECT_EQ(report.inversion_limits, 1);
  EXPECT_EQ(report.last_step, 2);
}

TEST(NewtonProgress, crawling_projected_steps_are_stretched_and_no_others) {
  NewtonProgress progress = make_progress(false);
  const DirectionFacts crawling = make_direction(1);
  EXPECT_EQ(progress.choose_stretch(crawling), 1);
  for (int k = 0; k < 1 + kNewton.long_crawl; ++k) judge(progress, 1, whole());
  EXPECT_EQ(progress.choose_stretch(crawling), 2);
  EXPECT_EQ(progress.choose_stretch(make_direction(kNewton.crawling)), 1);  // half as long: it shrinks
  DirectionFacts exact = crawling;
  exact.curvature = Curvature::Exact;
  EXPECT_EQ(progress.choose_stretch(exact), 1);
  judge(progress, 1, halved());
  EXPECT_EQ(progress.choose_stretch(crawling), 1);  // the step before tells nothing
}

TEST(NewtonProgress, a_step_that_ends_the_solve_is_not_stretched) {
  NewtonProgress progress = make_progress(true);
  const DirectionFacts last = make_direction(0.9 * kStop);
  for (int k = 0; k < 5; ++k) EXPECT_EQ(progress.judge(last, whole(), kUnbalanced), kGoesOn);
  EXPECT_EQ(progress.choose_stretch(last), 1);
  EXPECT_GT(progress.choose_stretch(make_direction(1.1 * kStop)), 1);
}

TEST(NewtonProgress, asks_for_the_exact_hessian_where_whole_steps_hardly_shrink) {
  NewtonProgress progress = make_progress(false);
  judge(progress, 1, whole());
  EXPECT_EQ(progress.curvature().next(), Curvature::Projected);
  judge(progress, 0.5, whole());
  EXPECT_EQ(progress.curvature().next(), Curvature::Projected);  // it shrinks by half
  judge(progress, 0.26, whole());
  EXPECT_EQ(progress.curvature().next(), Curvature::Exact);
}

TEST(CurvatureChoice, tries_the_exact_hessian_after_a_whole_step_that_crawls) {
  CurvatureChoice choice;
  EXPECT_EQ(choice.next(), Curvature::Projected);
  choice.report_step(Curvature::Projected, false, whole());
  EXPECT_EQ(choice.next(), Curvature::Projected);
  choice.report_step(Curvature::Projected, true, halved());
  EXPECT_EQ(choice.next(), Curvature::Projected);
  choice.report_step(Curvature::Projected, true, whole());
  EXPECT_EQ(choice.next(), Curvature::Exact);
}

TEST(CurvatureChoice, keeps_the_exact_hessian_while_its_steps_are_whole) {
  CurvatureChoice choice = make_wanted();
  choice.report_step(Curvature::Exact, false, whole());
  EXPECT_EQ(choice.next(), Curvature::Exact);
  choice.report_step(Curvature::Exact, false, halved());
  EXPECT_EQ(choice.next(), Curvature::Projected);
}

TEST(CurvatureChoice, waits_twice_as_long_after_every_indefinite_hessian_up_to_sixteen) {
  CurvatureChoice choice = make_wanted();
  for (const int expected : {1, 2, 4, 8, 16, 16}) {
    ASSERT_EQ(choice.next(), Curvature::Exact);
    choice.report_indefinite();
    EXPECT_EQ(count_wait(choice), expected);
  }
  // One that was definite: patience begins anew.
  choice.report_step(Curvature::Exact, false, whole());
  choice.report_indefinite();
  EXPECT_EQ(count_wait(choice), 1);
}

TEST(Stretch, doubles_to_four_in_a_long_crawl) {
  Stretch stretch;
  std::vector<double> factors;
  for (int k = 0; k < 5; ++k) {
    factors.push_back(stretch.get(true));
    EXPECT_EQ(stretch.get(false), 1);
    stretch.report_step(true, 1, whole());
  }
  EXPECT_EQ(factors, (std::vector<double>{1, 1, 2, 4, 4}));
}

TEST(Stretch, is_halved_by_a_step_that_was_not_taken_whole) {
  Stretch stretch;
  for (int k = 0; k < 3; ++k) stretch.report_step(true, 1, whole());
  for (const double expected : {2, 1, 1}) {
    stretch.report_step(true, 1, halved());
    EXPECT_EQ(stretch.get(true), expected);
  }
  stretch.report_step(true, 1, whole());  // the crawl is as long as it was
  EXPECT_EQ(stretch.get(true), 2);
}

TEST(Stretch, begins_anew_once_steps_shrink) {
  Stretch stretch;
  for (int k = 0; k < 3; ++k) stretch.report_step(true, 1, whole());
  stretch.report_step(false, 0, whole());  // after one that was not whole: nothing to compare with
  EXPECT_EQ(stretch.get(true), 4);
  stretch.report_step(false, 1, whole());
  EXPECT_EQ(stretch.get(true), 1);
  stretch.report_step(true, 1, whole());
  EXPECT_EQ(stretch.get(true), 1);
  stretch.report_step(true, 1, whole());
  EXPECT_EQ(stretch.get(true), 2);
}

}  // namespace marrow
