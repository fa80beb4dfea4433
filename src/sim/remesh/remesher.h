// A step whose meshes adapt to it (docs/models/remeshing.md, decision 41):
//
//   solve the step on T
//   up to `rounds` times: split the edges whose split lowers the energy of the step enough, carry the state
//   at
//                         the start over to T′, solve the step again, from there
//
// Splits of a round have no tet in common, so that they do not disturb each other; what they lead to is found
// in the next round. A split changes no shape and no field, so the start on T′ is that on T. Still all of it
// is checked exactly before anything moves: orientation of every new tet at rest, at the start and at the
// end, and the surfaces at the start.
#pragma once

#include "sim/remesh/changed_model.h"
#include "sim/simulate.h"

namespace marrow {

class Remesher {
 public:
  // model: the scene's, with bodies to remesh; it takes the meshes of the steps and must outlive this. state:
  // that the run goes on from; the model gets its meshes. before_change is called before the model changes.
  Remesher(Model& model, const State& state, std::function<void()> before_change);

  // RunHooks::take_step.
  StepReport take_step(StepMaker& maker, State& state);

 private:
  struct Round;
  bool split(StepMaker& maker, State& before, const State& after, StepReport& report, Round& round);
  void set_meshes(StepMaker& maker, Model next);

  const Model base_;
  Model& model_;
  std::function<void()> before_change_;
};

}  // namespace marrow
