#include "sim/projective/local_kernel.h"

namespace marrow::local_step {
namespace {

struct Target {};

}  // namespace

std::uint8_t project_portable(const Block& block) { return project_block<2, Target>(block); }

}  // namespace marrow::local_step
