// Singular value decompositions of many 3×3 matrices, several side by side.
//
// AVX-512 or AVX2 is chosen when the processor has it; the results are the bits of compute_svd3 in any case.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/svd3.h"

namespace marrow {

void compute_svds(std::span<const Mat3> F, std::span<Svd3> svds);

// The instruction sets that can be used here, best first, and a choice of one for tests; empty: the best.
std::vector<std::string> list_svd_targets();
void set_svd_target(const std::string& name);

}  // namespace marrow
