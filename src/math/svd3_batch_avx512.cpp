#include "math/svd3_batch_kernel.h"

namespace marrow::svd_batch {
namespace {

struct Target {};

}  // namespace

void decompose_avx512(const Arguments& args) { decompose<8, Pack<8, Target>>(args); }

}  // namespace marrow::svd_batch
