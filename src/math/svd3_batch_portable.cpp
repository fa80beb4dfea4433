#include "math/svd3_batch_kernel.h"

namespace marrow::svd_batch {
namespace {

struct Target {};

}  // namespace

void decompose_portable(const Arguments& args) { decompose<2, Pack<2, Target>>(args); }

}  // namespace marrow::svd_batch
