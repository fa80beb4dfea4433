// Geometry moves only here: along a direction, no farther than the step limit, and (in a solve) downhill.
//
// The stages are also the statistics: limit (collision, inversion) → sufficient decrease by halving.
#pragma once

#include "contact/step_limit.h"
#include "kinematics/rotated_steps.h"
#include "solve/objective.h"

namespace marrow {

struct StepLength {
  double alpha = 0;  // 0: no step was found
  StepLimit limit;
  int halvings = 0;
  ObjectiveValue end = {};   // of the objective at the end [J s²]
  bool is_rounding = false;  // the remaining decrease is below rounding
};

// The start of a step.
struct Beginning {
  ObjectiveValue value;
  double slope;  // along the path, negative: the directional derivative g·direction
};

// Moves n by the largest safe step that decreases the objective enough (Armijo), and returns its length.
// n: at the start of the path.
StepLength search_and_move(Objective& objective, const Beginning& begin, const NodePath& path, VecX& n);

// The same along a path on which bodies turn; along the straight path if that search finds no step.
StepLength search_along_arcs(Objective& objective, const Beginning& begin, const NodePath& path,
                             const RotatedSteps& swings, VecX& n);

// Moves n to the end of the path if the whole path is safe and the objective is finite there. Returns true if
// it moved n.
bool move_if_safe(const Objective& objective, const NodePath& path, VecX& n);

// The same, if the objective is also lower than at n.
bool move_if_better(const Objective& objective, const NodePath& path, VecX& n);

// Moves n straight towards the target as far as is safe, whatever the energy. Prescribed motion uses it. If
// nothing is in the way, n is the target to the last bit.
StepLength move_towards(const Objective& objective, const VecX& target, VecX& n);

}  // namespace marrow
