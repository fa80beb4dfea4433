#include "geometry/ccd/batch_kernel.h"

namespace marrow::ccd_batch {
namespace {

struct Target {};

}  // namespace

void run_portable(const Arguments& a) { run<2, Pack<2, Target>>(a); }
void bound_portable(const Arguments& a) { bound<2, Pack<2, Target>>(a); }
void closest_portable(const Arguments& a) { find_closest_points<2, Pack<2, Target>>(a); }

}  // namespace marrow::ccd_batch
