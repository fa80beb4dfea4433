// In a step, a pair keeps at least this much of its gap: min(share · gap, most · d̂).
#pragma once

namespace marrow {

struct KeptGap {
  // The fraction of its gap that a pair keeps. Less: longer steps, which end nearer to contact, where the
  // barrier is steeper. [ablation: kept_gap]
  double share = 0.1;
  // The most that a pair must keep, as a fraction of d̂: pairs that stay beyond d̂ limit no step, so that the
  // limit does not depend on which of them are tested. [derived: docs/models/self_collision.md, results do
  // not depend on certificates]
  double most = 0.5;
};

inline constexpr KeptGap kKeptGap;

}  // namespace marrow
