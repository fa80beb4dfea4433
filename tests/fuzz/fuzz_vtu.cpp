// Any bytes are either refused with an InputError or read as a frame.
#include "core/error.h"
#include "fuzz_target.h"
#include "output/vtk/vtu.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    marrow::parse_vtu(std::string(reinterpret_cast<const char*>(data), size), "frame.vtu");
  } catch (const marrow::InputError&) {
    // The answer that bad input gets.
  }
  return 0;
}

void add_seeds(std::vector<std::string>& seeds) {
  marrow::OutputTopology topology;
  topology.bodies = {{"tet", "soft", 0, 4}, {"rest", "obstacle", 4, 4}};
  topology.tets = {{0, 1, 2, 3}};
  topology.triangles = {{0, 2, 1}, {4, 5, 6}};
  topology.edges = {{5, 6}};
  const marrow::Points points(8, marrow::Vec3(1, 2, 3));
  const std::vector<double> stress = {4};
  marrow::Frame frame;
  frame.points = points;
  seeds.push_back(format_vtu(topology, frame));
  frame.step = 7;
  frame.time = 0.07;
  frame.velocities = points;
  frame.tet_scalars = {{"stress", stress}};
  seeds.push_back(format_vtu(topology, frame));
}
