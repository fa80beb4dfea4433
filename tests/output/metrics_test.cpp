#include "output/run/metrics.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "output/run/run_log.h"
#include "sample_run.h"

namespace marrow {
namespace {

StepReport sample_report(int step) {
  StepReport report;
  report.step = step;
  report.time = 0.01 * step;
  report.newton.iterations = 3;
  report.energies.kinetic = 0.1 + 0.2;
  report.scopes = {{"solve", 0.5}};
  return report;
}

std::string join_lines(int last_step) {
  std::string text;
  for (int step = 1; step <= last_step; ++step) text += format_metrics(sample_report(step)) + "\n";
  return text;
}

TEST(Metrics, line_holds_the_report) {
  StepReport report = sample_report(7);
  report.newton.gradient_norm = std::numeric_limits<double>::quiet_NaN();
  const nlohmann::json line = nlohmann::json::parse(format_metrics(report));
  EXPECT_EQ(line["step"], 7);
  EXPECT_EQ(line["verdict"], to_string(Verdict::Converged));
  EXPECT_EQ(line["energy"]["kinetic"], 0.1 + 0.2);
  EXPECT_EQ(line["seconds"]["solve"], 0.5);
  EXPECT_TRUE(line["residual"].is_null());
  EXPECT_EQ(format_metrics(report).find('\n'), std::string::npos);
}

class MetricsFileTest : public testing::Test {
 protected:
  // The file after opening it at a step.
  std::string reopen(const std::string& text, int last_step) {
    write_file(path_, text);
    MetricsFile(path_, last_step);
    return read_file(path_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "metrics.jsonl";
};

TEST_F(MetricsFileTest, lines_reach_the_disk_at_once) {
  MetricsFile file(path_, 0);
  for (int step = 1; step <= 3; ++step) {
    file.add(sample_report(step));
    EXPECT_EQ(read_file(path_), join_lines(step));
  }
}

TEST_F(MetricsFileTest, new_run_starts_anew) { EXPECT_EQ(reopen(join_lines(4), 0), ""); }

TEST_F(MetricsFileTest, later_steps_are_dropped) { EXPECT_EQ(reopen(join_lines(9), 5), join_lines(5)); }

TEST_F(MetricsFileTest, torn_last_line_is_dropped) {
  const std::string whole = join_lines(3);
  for (size_t torn = join_lines(2).size(); torn < whole.size(); ++torn) {
    EXPECT_EQ(reopen(whole.substr(0, torn), 3), join_lines(2));
  }
}

TEST_F(MetricsFileTest, resumed_run_continues_the_file) {
  write_file(path_, join_lines(4) + "{\"step\": 5, \"ti");
  MetricsFile file(path_, 3);
  file.add(sample_report(4));
  EXPECT_EQ(read_file(path_), join_lines(4));
}

TEST(RunLog, lines_carry_the_time_and_survive_reopening) {
  const TemporaryFolder folder;
  RunLog(folder / "run.log").add("started");
  RunLog(folder / "run.log").add("resumed at step 3");
  const std::string text = read_file(folder / "run.log");
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.substr(19, 10), "  started\n");
  EXPECT_EQ(text[4], '-');
  EXPECT_EQ(text[13], ':');
}

}  // namespace
}  // namespace marrow
