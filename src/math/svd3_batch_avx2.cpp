#include "math/svd3_batch_kernel.h"

namespace marrow::svd_batch {
namespace {

struct Target {};

}  // namespace

void decompose_avx2(const Arguments& args) { decompose<4, Pack<4, Target>>(args); }

}  // namespace marrow::svd_batch
