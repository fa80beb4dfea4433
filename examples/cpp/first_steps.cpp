// first_steps SCENE STEPS FOLDER: simulates a scene in memory, saves in the middle, goes on from there in a
// second simulation, and writes where both got to.
#include <marrow/marrow.h>

#include <cstdio>
#include <fstream>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: first_steps SCENE STEPS FOLDER\n");
    return 1;
  }
  try {
    const marrow::Scene scene = marrow::read_scene(argv[1]);
    const int steps = std::atoi(argv[2]);
    const std::string folder = argv[3];
    marrow::Simulation simulation(scene);
    marrow::Checkpoint middle;
    while (simulation.current_step() < steps) {
      if (simulation.current_step() == steps / 2) middle = simulation.save();
      const marrow::StepReport report = simulation.step();
      if (!report.is_solved) {
        std::fprintf(stderr, "%s: %s\n", report.outcome.c_str(), report.explanation.c_str());
        return 3;
      }
    }
    marrow::Simulation second(scene);
    second.restore(middle);
    while (second.current_step() < steps) second.step();

    std::ofstream(folder + "/whole.ckpt", std::ios::binary) << simulation.save().bytes;
    std::ofstream(folder + "/resumed.ckpt", std::ios::binary) << second.save().bytes;
    for (const std::string& body : simulation.bodies()) {
      const auto points = simulation.points(body);
      std::printf("%s: %zu points, the first at %g %g %g\n", body.c_str(), points.size(), points[0][0],
                  points[0][1], points[0][2]);
    }
  } catch (const marrow::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
