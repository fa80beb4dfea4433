#include "output/run/summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/file.h"
#include "output/run/failure.h"
#include "output/run/metrics.h"
#include "sample_run.h"

namespace marrow {
namespace {

StepReport sample_report(int step, size_t contacts, double gap) {
  StepReport report;
  report.step = step;
  report.newton.iterations = 2 * step;
  report.substeps = 1;
  report.contacts = contacts;
  report.smallest_gap = gap;
  report.seconds = 0.5;
  return report;
}

class RunTotalsTest : public testing::Test {
 protected:
  nlohmann::json summarize(RunEnd end) const {
    return nlohmann::json::parse(format_summary({"name", end, read_totals(path_), 2}, Model()));
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "metrics.jsonl";
};

TEST_F(RunTotalsTest, add_up_the_steps) {
  MetricsFile file(path_, 0);
  file.add(sample_report(1, 0, std::numeric_limits<double>::infinity()), {0, 0, 0});
  StepReport slowed = sample_report(2, 7, 0.25);
  slowed.motion_remaining = 0.125;
  slowed.substeps = 4;
  file.add(slowed);
  file.add(sample_report(3, 5, 0.5), {2, 1, 0});
  const nlohmann::json summary = summarize(RunEnd::Stopped);
  EXPECT_EQ(summary["verdict"], "stopped");
  EXPECT_EQ(summary["steps"], 3);
  EXPECT_EQ(summary["seconds"], 1.5);
  EXPECT_EQ(summary["newton_iterations"], 12);
  EXPECT_EQ(summary["contacts_max"], 7);
  EXPECT_EQ(summary["min_gap"], 0.25);
  EXPECT_EQ(summary["intersections"], 2);
  EXPECT_EQ(summary["inversions"], 1);
  EXPECT_EQ(summary["split_steps"], 1);
  EXPECT_EQ(summary["slowed_steps"], 1);
  EXPECT_EQ(summary["motion_shortfall"], 0.125);
}

TEST_F(RunTotalsTest, say_null_where_nothing_was_looked_at) {
  MetricsFile(path_, 0).add(sample_report(1, 0, std::numeric_limits<double>::infinity()));
  const nlohmann::json summary = summarize(RunEnd::Finished);
  EXPECT_TRUE(summary["min_gap"].is_null());
  EXPECT_TRUE(summary["intersections"].is_null());
  EXPECT_TRUE(summary["inversions"].is_null());
}

TEST_F(RunTotalsTest, pass_over_a_torn_line) {
  write_file(path_, format_metrics(sample_report(1, 1, 0.5)) + "\n" + "{\"step\": 2, \"itera");
  EXPECT_EQ(read_totals(path_).steps, 1);
  EXPECT_EQ(read_totals(folder_ / "missing").steps, 0);
}

IterationRecord sample_iteration(double alpha, double limit, LimitCause cause) {
  IterationRecord iteration;
  iteration.alpha = alpha;
  iteration.limit = {limit, cause};
  return iteration;
}

TEST(ExplainFailure, says_what_kept_the_steps_short) {
  StepReport report;
  report.newton.verdict = Verdict::TooManyIterations;
  const auto explain = [&](const IterationRecord& iteration) {
    report.history.assign(10, iteration);
    return explain_failure(report);
  };
  EXPECT_NE(explain(sample_iteration(0.01, 0.01, LimitCause::Collision)).find("collided"), std::string::npos);
  EXPECT_NE(explain(sample_iteration(0.01, 0.01, LimitCause::Inversion)).find("inverted"), std::string::npos);
  EXPECT_NE(explain(sample_iteration(0.01, 1, LimitCause::None)).find("energy"), std::string::npos);
  EXPECT_NE(explain(sample_iteration(1, 1, LimitCause::None)).find("still moving"), std::string::npos);
  report.newton.verdict = Verdict::LinearSolveFailed;
  EXPECT_NE(explain_failure(report).find("linear system"), std::string::npos);
  report.runs_away = true;
  EXPECT_NE(explain_failure(report).find("diverged"), std::string::npos);
  report.newton.verdict = Verdict::Converged;
  EXPECT_TRUE(explain_failure(report).empty());
}

TEST(Failure, text_holds_the_last_iterations) {
  StepReport report;
  report.step = 4;
  report.newton.verdict = Verdict::NoDescent;
  report.history = {sample_iteration(0.5, 0.75, LimitCause::Collision)};
  const nlohmann::json text = nlohmann::json::parse(format_failure(report, "marrow run"));
  EXPECT_EQ(text["step"], 4);
  EXPECT_EQ(text["verdict"], "no descent");
  EXPECT_EQ(text["reason"], explain_failure(report));
  EXPECT_EQ(text["last_iterations"][0]["alpha"], 0.5);
  EXPECT_EQ(text["last_iterations"][0]["cause"], "collision");
  EXPECT_TRUE(text["last_iterations"][0]["min_gap"].is_null());
}

}  // namespace
}  // namespace marrow
