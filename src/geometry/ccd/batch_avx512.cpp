#include "geometry/ccd/batch_kernel.h"

namespace marrow::ccd_batch {
namespace {

struct Target {};

}  // namespace

void run_avx512(const Arguments& a) { run<8, Pack<8, Target>>(a); }
void bound_avx512(const Arguments& a) { bound<8, Pack<8, Target>>(a); }
void closest_avx512(const Arguments& a) { find_closest_points<8, Pack<8, Target>>(a); }

}  // namespace marrow::ccd_batch
