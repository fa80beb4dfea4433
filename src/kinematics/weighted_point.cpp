#include "kinematics/weighted_point.h"

#include <map>

namespace marrow {

WeightedPoint combine(double factor_a, const WeightedPoint& a, double factor_b, const WeightedPoint& b) {
  std::map<Index, double> sums;
  for (size_t k = 0; k < a.nodes.size(); ++k) sums[a.nodes[k]] += factor_a * a.weights[k];
  for (size_t k = 0; k < b.nodes.size(); ++k) sums[b.nodes[k]] += factor_b * b.weights[k];
  WeightedPoint result;
  result.offset = factor_a * a.offset + factor_b * b.offset;
  for (const auto& [node, weight] : sums) {
    result.nodes.push_back(node);
    result.weights.push_back(weight);
  }
  return result;
}

}  // namespace marrow
