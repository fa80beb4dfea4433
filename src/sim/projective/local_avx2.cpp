#include "sim/projective/local_kernel.h"

namespace marrow::local_step {
namespace {

struct Target {};

}  // namespace

std::uint8_t project_avx2(const Block& block) { return project_block<4, Target>(block); }

}  // namespace marrow::local_step
