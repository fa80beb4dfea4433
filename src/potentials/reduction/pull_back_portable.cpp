#include "potentials/reduction/pull_back_kernel.h"

namespace marrow::pull_back {
namespace {

struct Target {};

}  // namespace

void run_portable(int packs, const Arguments& a) { run_packs<Target>(packs, a); }

}  // namespace marrow::pull_back
