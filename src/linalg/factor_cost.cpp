#include "linalg/factor_cost.h"

#include <algorithm>

namespace marrow {

FactorCost count_cost(const FrontTree& tree) {
  FactorCost cost;
  const auto count_update = [&](size_t f) {
    const double rows = 3.0 * static_cast<double>(tree.fronts[f].rows.size());
    return rows * rows;
  };
  double live = 0;
  for (size_t f = 0; f < tree.fronts.size(); ++f) {
    const double width = 3.0 * tree.fronts[f].width, update = count_update(f);
    const double rows = 3.0 * static_cast<double>(tree.fronts[f].rows.size());
    cost.operations += width * (width * width / 3 + width * rows + update) / 2;
    cost.panels += width * (width + rows);
    cost.updates += update;
    live += update;
    cost.most_updates = std::max(cost.most_updates, live);
    for (const Index child : tree.children[f]) live -= count_update(static_cast<size_t>(child));
  }
  return cost;
}

}  // namespace marrow
