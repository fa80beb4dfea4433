// Time of one Newton iteration by scope, on a twisted elastic box of about 100K tets.
#include <fmt/format.h>

#include <cstdlib>

#include "exec/parallel.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace {

using namespace marrow;

std::string make_scene(int cells) {
  return fmt::format(R"({{
    "time": {{"step": 0.02, "duration": 0.1}},
    "bodies": [{{
      "shape": {{"type": "box", "size": [2, 1, 1], "cells_x": {}, "cells_y": {}, "cells_z": {}}},
      "prescribed": [
        {{"select": {{"relative_box": {{"min": [0, 0, 0], "max": [0, 1, 1]}}}}}},
        {{"select": {{"relative_box": {{"min": [1, 0, 0], "max": [1, 1, 1]}}}}, "angular_velocity": [2, 0, 0]}}
      ]
    }}]
  }})",
                     2 * cells, cells, cells);
}

struct Timing {
  Index nodes = 0;
  size_t elements = 0;
  int iterations = 0;
  std::map<std::string, double> scopes;  // seconds per iteration
};

Timing measure(int cells, int threads) {
  exec::set_thread_count(threads);
  const Scene scene = parse_scene(make_scene(cells), "bench");
  BuiltScene built = build_scene(scene, "bench");
  Timing timing;
  timing.nodes = built.model.kinematics.node_count;
  timing.elements = built.model.kinematics.elements.count();
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) {
    timing.iterations += report.newton.iterations;
    for (const auto& [name, seconds] : report.scopes) timing.scopes[name] += seconds;
  };
  const VecX initial = built.state.nodes;
  simulate(built.model, built.state, hooks);
  for (auto& [name, seconds] : timing.scopes) seconds /= timing.iterations;
  return timing;
}

void print_table(const Timing& one, const Timing& two) {
  fmt::print("{} nodes, {} tets, {} Newton iterations over 5 steps; milliseconds per iteration.\n\n",
             one.nodes, one.elements, one.iterations);
  fmt::print("| scope | 1 thread | 2 threads | share of factorisation (2) |\n|---|---|---|---|\n");
  const double factorize = two.scopes.at("linear.factorize");
  for (const char* name :
       {"newton.total", "newton.gradient", "newton.hessian", "elasticity.hessian", "assembly.total",
        "linear.analyze", "linear.copy", "linear.factorize", "linear.solve", "newton.line_search"}) {
    const double a = one.scopes.count(name) ? one.scopes.at(name) : 0;
    const double b = two.scopes.count(name) ? two.scopes.at(name) : 0;
    fmt::print("| {} | {:.1f} | {:.1f} | {:.2f} |\n", name, 1e3 * a, 1e3 * b, b / factorize);
  }
  fmt::print(
      "\n`linear.analyze` happens once per pattern, here in the first iteration; its figure is spread over "
      "all. "
      "Assembly is `newton.hessian` (element Hessians and gathering) plus "
      "`newton.gradient`.\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  const int cells = argc > 1 ? std::atoi(argv[1]) : 20;
  const Timing one = measure(cells, 1);
  print_table(one, measure(cells, 2));
}
