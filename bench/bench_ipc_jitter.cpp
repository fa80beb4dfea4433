// Ten runs of every small scene of examples/ipc from jittered poses, under the exact checker.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "scenes/witness.h"

namespace {

using namespace marrow;
using namespace marrow::test;

constexpr int kRuns = 10;

void print_row(const std::string& name) {
  int ended = 0, iterates = 0, most_iterations = 0;
  std::int64_t intersections = 0, inversions = 0;
  std::string failed;
  for (int seed = 1; seed <= kRuns; ++seed) {
    const WitnessedRun result = run_witnessed(build_jittered_scene(name, seed));
    ended += result.is_finished();
    if (result.run.failure) {
      failed += fmt::format(" (pose {}: step {}, {})", seed, result.run.failure->step,
                            to_string(result.run.failure->newton.verdict));
    }
    iterates += result.iterates;
    intersections += result.intersections;
    inversions += result.inversions;
    for (const StepReport& step : result.steps) {
      most_iterations = std::max(most_iterations, step.newton.iterations);
    }
  }
  fmt::print("| {} | {} of {}{} | {} | {} | {} | {} |\n", name, ended, kRuns, failed, iterates, intersections,
             inversions, most_iterations);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  fmt::print(
      "| scene | runs that ended | iterates checked | intersections | inversions | iterations, worst step "
      "|\n");
  fmt::print("| --- | --- | --- | --- | --- | --- |\n");
  const std::vector<std::string> named(arguments + 1, arguments + count);
  for (const std::string& name : named.empty() ? list_ipc_scenes() : named) print_row(name);
  fmt::print("\n");
}
