// A weighted point follows nodes: x = offset + Σ_k w_k n_k.
//
// The points of every kind of body are of this form, and so are differences of them, and places in the world
// (an offset alone). Relations between such points work between any two kinds (docs/models/joints.md).
#pragma once

#include "core/types.h"

namespace marrow {

struct WeightedPoint {
  std::vector<Index> nodes;  // ascending, each once
  std::vector<double> weights;
  Vec3 offset = Vec3::Zero();

  Vec3 at(const VecX& n) const {
    Vec3 x = offset;
    for (size_t k = 0; k < nodes.size(); ++k) x += weights[k] * n.segment<3>(3 * nodes[k]);
    return x;
  }
};

// factor_a · a + factor_b · b.
WeightedPoint combine(double factor_a, const WeightedPoint& a, double factor_b, const WeightedPoint& b);

}  // namespace marrow
