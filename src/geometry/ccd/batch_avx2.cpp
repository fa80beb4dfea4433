#include "geometry/ccd/batch_kernel.h"

namespace marrow::ccd_batch {
namespace {

struct Target {};

}  // namespace

void run_avx2(const Arguments& a) { run<4, Pack<4, Target>>(a); }
void bound_avx2(const Arguments& a) { bound<4, Pack<4, Target>>(a); }
void closest_avx2(const Arguments& a) { find_closest_points<4, Pack<4, Target>>(a); }

}  // namespace marrow::ccd_batch
