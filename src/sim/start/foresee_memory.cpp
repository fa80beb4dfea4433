#include "sim/start/foresee_memory.h"

#include <fmt/format.h>

#include "core/memory.h"

namespace marrow {
namespace {

// What soft bodies need, of which nearly all is proportional to their size. More: runs are called too large
// that are not. [measured: bench/results/large_bodies.md]
struct MemoryOfBodies {
  double node = 9800, element = 1200;  // [bytes]
};
constexpr MemoryOfBodies kMemory;

}  // namespace

double foresee_memory(const Model& model) {
  return kMemory.node * model.kinematics.node_count +
         kMemory.element * static_cast<double>(model.kinematics.elements.count());
}

std::string describe_memory(const Model& model) {
  const double needed = foresee_memory(model), limit = memory_limit();
  if (needed <= limit) return {};
  return fmt::format(
      "the run will need about {} of memory, and may use {}: it is likely to be ended by the system. Take "
      "coarser meshes, affine, rigid or medial bodies where they do, or a larger machine",
      format_memory(needed), format_memory(limit));
}

}  // namespace marrow
