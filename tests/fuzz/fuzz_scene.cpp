// Any text is either refused with an InputError or a scene whose description reads back as the same scene.
// What stands before a zero byte is an override.
#include <cstdlib>

#include "core/error.h"
#include "fuzz_target.h"
#include "scene/describe.h"
#include "scene/read_scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  if (const size_t zero = text.find('\0'); zero != std::string::npos) {
    overrides.push_back(text.substr(0, zero));
    text.erase(0, zero + 1);
  }
  try {
    const std::string description =
        marrow::describe_scene(marrow::parse_scene(text, "scene.json", overrides));
    const marrow::Scene again = marrow::parse_scene(description, "description");
    if (marrow::describe_scene(again) != description) std::abort();
  } catch (const marrow::InputError&) {
    // The answer that bad input gets.
  }
  return 0;
}

void add_seeds(std::vector<std::string>& seeds) {
  const std::string small = R"({"bodies": [{"shape": {"type": "box"}}]})";
  const std::string override_mark(1, '\0');
  seeds.push_back(small);
  seeds.push_back("bodies[0].material.density=500" + override_mark + small);
  seeds.push_back("bodies[0].shape={\"type\": \"sphere\"}" + override_mark + small);
  seeds.push_back(R"({ // a comment
    "name": "\u00e4 \"quoted\"", "gravity": [0, -9.81, 1e-3],
    "time": {"step": 0.01, "duration": 2, "frame_every": 3},
    "solver": {"tolerance": 1e-4, "max_iterations": 50, "linear_solver": "pcg"},
    "bodies": [
      {"name": "a", "mesh": "a.msh", "position": [1, 2, 3], "rotation": [0, 90, 0], "scale": [1, 2, 1],
       "material": {"model": "neo_hookean", "density": 1e3, "youngs_modulus": 1e6, "poissons_ratio": 0.3},
       "prescribed": [{"select": {"vertices": [0, 1, 2]}, "velocity": [0, 0, 1], "about": [0, 0, 0]},
                      {"select": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}},
                      {"select": {"sphere": {"center": [0, 0, 0], "radius": 1}},
                       "keyframes": [{"time": 0}, {"time": 1, "translation": [1, 0, 0], "rotation": [0, 0, 9]}]}]},
      {"kind": "obstacle", "shape": {"type": "chain_link"}} /* last */ ],
    "output": {"vtu": true, "gltf": false, "checkpoint_every": 5}})");
}
