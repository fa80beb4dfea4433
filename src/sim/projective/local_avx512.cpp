#include "sim/projective/local_kernel.h"

namespace marrow::local_step {
namespace {

struct Target {};

}  // namespace

std::uint8_t project_avx512(const Block& block) { return project_block<8, Target>(block); }

}  // namespace marrow::local_step
