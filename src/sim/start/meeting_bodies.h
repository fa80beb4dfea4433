// Which bodies meet at the start, how deep, and the least move that parts them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/model.h"
#include "sim/start/parting.h"

namespace marrow {

struct MeetingBodies {
  Index a = 0, b = 0;           // a == b: the body meets itself
  std::int64_t elements = 0;    // pairs of elements that meet; 0: the bodies are only too near
  bool is_joined = false;       // by a joint
  std::optional<double> depth;  // how far one must move until they only touch [m]; empty: no move was found
  Index mover = kNone;          // the body that the move is for
  Vec3 move = Vec3::Zero();     // leaves a gap at which contact only begins to act [m]
};

// The direction against gravity; +y without gravity.
Vec3 find_up(const Model& model);

// Groups of bodies that joints hold together: the number of the group of each body.
std::vector<Index> group_joined_bodies(const Model& model);

// The pairs of bodies of the elements that meet, or, if there are none, of bodies nearer than least_gap.
// Moves are sought for the first `most` pairs.
std::vector<MeetingBodies> list_meeting_bodies(const Model& model, const Witness& witness,
                                               const IntersectionReport& found, double least_gap,
                                               size_t most);

// "raise "box" by 0.0022 m, to position [0, 1.0022, 0]"; empty if there is no move.
std::string describe_move(const MeetingBodies& pair, const Kinematics& kinematics, const Vec3& up);

// ""box" and "floor" touch", ""a" and "b" overlap by 0.1 m", ""a" meets itself".
std::string describe_meeting(const MeetingBodies& pair, const Kinematics& kinematics);

}  // namespace marrow
