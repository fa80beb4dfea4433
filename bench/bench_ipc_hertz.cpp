// Convergence of Hertz contact under refinement: a rigid sphere pressed into an elastic half-space.
#include <fmt/format.h>

#include <cstdlib>

#include "scenes/hertz.h"

int main(int count, char** arguments) {
  const int finest = count > 1 ? std::atoi(arguments[1]) : 6;
  fmt::print("Each quantity divided by its closed form; cells across the contact radius.\n\n");
  fmt::print("| cells | nodes | Newton iterations | force | contact radius | pressure, inner half |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- |\n");
  for (int cells = 2; cells <= finest; ++cells) {
    const marrow::test::HertzResult r = marrow::test::solve_hertz(cells);
    fmt::print("| {} | {} | {} | {:.4f} | {:.4f} | {:.4f} |\n", cells, r.nodes, r.iterations, r.force,
               r.radius, r.inner_pressure);
    std::fflush(stdout);
  }
  fmt::print("\n");
}
