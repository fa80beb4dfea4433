// This file checks that a run can start from a state: nothing intersects, no tet is inverted, and there is
// room to move.
//
// A run keeps apart what is apart when it starts; from an intersecting start it keeps nothing apart. So this
// check precedes the first step of every simulation, however its model was made: sim/simulate.h requires it.
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "sim/model/model.h"
#include "sim/start/meeting_bodies.h"
#include "witness/witness.h"

namespace marrow {

struct StartReport {
  Witness witness;                   // of the model, at the state
  WitnessReport found;               // surfaces only if the model keeps them apart
  std::optional<double> gap;         // the smallest [m]; empty: contact is off, or nothing is within d_hat
  std::optional<double> acting_gap;  // the same, only of pairs between which contact acts
  double least_gap = 0;              // that a run can start with [m]
  double d_hat = 0;                  // [m]
  bool is_contact_on = true;
  VecX nodes;                          // of the state
  std::vector<MeetingBodies> meeting;  // at step 0, if the run cannot start
  Vec3 up = Vec3::UnitY();             // against gravity

  bool has_room() const { return !gap || *gap >= least_gap; }
  bool can_start() const { return found.is_clean() && has_room(); }
};

// Intersections are decided exactly. Pairs that the run would not keep apart do not count: obstacles among
// themselves, bodies that ignore each other, and all pairs if contact is off. Gaps are measured only if
// nothing intersects. The model must outlive the report.
StartReport check_start(const Model& model, const State& state);

// The reason why a run cannot start from this state; empty if it can.
struct StartProblem {
  std::string problem;
  std::string advice;
  bool can_be_parted = false;  // moving bodies helps: `marrow check --part` does it
};
std::optional<StartProblem> find_start_problem(const StartReport& report, const Kinematics& kinematics);

// Sentences about a start that is possible but may surprise: bodies well within d_hat of each other, bodies
// that lie in the volume of others.
std::vector<std::string> list_start_notes(const StartReport& report, const Kinematics& kinematics);

// Throws an InputError that names the bodies and elements, at the place given, unless the run can start.
void require_start(const StartReport& report, const Kinematics& kinematics, const Location& where = {});

}  // namespace marrow
