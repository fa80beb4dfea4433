// What a factorisation will cost, counted in the plan of its fronts, before it is made.
#pragma once

#include "linalg/front_tree.h"

namespace marrow {

struct FactorCost {
  double operations = 0;    // multiplications with additions
  double panels = 0;        // numbers of the factor
  double updates = 0;       // numbers that fronts hand to their parents, all together
  double most_updates = 0;  // that live at the same time, if fronts are eliminated one after the other

  // The factor, and updates of two subtrees at a time [bytes].
  double memory() const { return sizeof(double) * (panels + 2 * most_updates); }
};

FactorCost count_cost(const FrontTree& tree);

}  // namespace marrow
