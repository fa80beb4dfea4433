// Convergence of Hertz contact under refinement: a rigid sphere pressed into an elastic half-space.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "scenes/hertz.h"

// ./dev bench ipc_hertz [cells…]
int main(int count, char** arguments) {
  std::vector<int> meshes;
  for (int i = 1; i < count; ++i) meshes.push_back(std::atoi(arguments[i]));
  if (meshes.empty()) meshes = {2, 3, 4, 6, 8, 12};
  fmt::print("Each quantity divided by its closed form; cells across the contact radius.\n\n");
  fmt::print("| cells | nodes | Newton iterations | force | contact radius | pressure, inner half |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- |\n");
  for (const int cells : meshes) {
    const marrow::test::HertzResult r = marrow::test::solve_hertz(cells);
    fmt::print("| {} | {} | {} | {:.4f} | {:.4f} | {:.4f} |\n", cells, r.nodes, r.iterations, r.force,
               r.radius, r.inner_pressure);
    std::fflush(stdout);
  }
  fmt::print("\n");
}
