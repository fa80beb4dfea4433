// What a split gains, by a solve on a patch of the mesh around it: all else stays where the step ended.
//
//   gain = E(x_interp, T′) − E(x_relaxed, T′)        T′: the split mesh
//
// Both energies are of the same mesh, so contact that T′ integrates otherwise than T does not count as a
// gain. The patch is the larger of the second ring of tets around the edge and a hundredth of the body's
// volume. It is solved as a small model of its own: the tets of the patch, its border held, and, where
// contact acts near, every surface within reach as an obstacle. Nothing of the run moves.
#pragma once

#include "mesh/buckets.h"
#include "sim/remesh/split_gain.h"

namespace marrow {

// What patches of one body share.
class PatchSolver {
 public:
  // before, after: the state at the start and at the end of the step. All must outlive this.
  PatchSolver(const SolvedStep& step, const RemeshedBody& facts, const State& before, const State& after);

  // The gain of the split [J].
  double solve(const SplitGain& split) const;

 private:
  struct Patch;
  Patch choose_patch(Edge edge) const;
  void add_tets(Edge edge, const Patch& patch, struct PatchModel& out) const;
  void add_surfaces(Edge edge, const Patch& patch, struct PatchModel& out) const;

  const SolvedStep& step_;
  const RemeshedBody& facts_;
  const State& before_;
  const State& after_;
  const Body& body_;
  CollisionMesh surfaces_;     // of all bodies
  Points x_before_, x_after_;  // of all points
  Points v_before_;
  Buckets<Index> tets_at_;  // of each point of the body
  std::vector<double> volumes_;
  double volume_ = 0;
};

}  // namespace marrow
