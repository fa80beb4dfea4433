#include "run/step_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace marrow {
namespace {

// Joints count as loose where they miss by more than this many tolerances.
constexpr double kLoose = 100;

// From here on what holds a body makes its velocity wrong; from half a turn on it cannot tell which way it
// went.
constexpr double kFarTurn = 2;  // [rad]

std::string find_body_of(const Kinematics& kinematics, Index node) {
  for (const Body& body : kinematics.bodies) {
    if (node >= body.first_node && node < body.first_node + body.node_count) return body.name;
  }
  return "a body";
}

}  // namespace

void StepNotes::add(const StepReport& report) {
  if (report.motion_remaining > 0) note_motion(report);
  if (!model_.joints.empty()) note_joints(report);
  if (report.turn > std::max(kFarTurn, turn_)) note_turn(report);
}

void StepNotes::note_motion(const StepReport& report) {
  ++slowed_steps_;
  shortfall_ = std::max(shortfall_, report.motion_remaining);
  log_.add(fmt::format("step {}: prescribed points of {} are {:.3g} m short of their targets", report.step,
                       find_body_of(model_.kinematics, report.motion_node), report.motion_remaining));
}

void StepNotes::note_joints(const StepReport& report) {
  const JointReport& joints = report.joints;
  if (joints.residual > kLoose * model_.joint_options.tolerance * model_.size) {
    ++loose_steps_;
    log_.add(fmt::format("step {}: {} is off by {:.3g} m", report.step, model_.joints[joints.loosest].name,
                         joints.residual));
    if (joints.residual > loosest_.residual) loosest_ = joints;
  }
  if (joints.broken > broken_) {
    broken_ = joints.broken;
    log_.add(fmt::format("step {}: {} broken so far", report.step, format_count(broken_, "joint", "joints")));
  }
}

void StepNotes::note_turn(const StepReport& report) {
  const bool is_first = turning_body_ == kNone;
  turn_ = report.turn;
  turning_body_ = report.turning_body;
  if (!is_first) return;
  log_.add(fmt::format("step {}: {} turns by {:.3g} rad in one step", report.step,
                       model_.kinematics.bodies[turning_body_].name, turn_));
}

std::vector<std::string> StepNotes::list(int step_count) const {
  std::vector<std::string> notes;
  if (slowed_steps_ > 0) {
    notes.push_back(fmt::format(
        "in {} of {}, prescribed points were blocked and did not reach their targets, by up to {:.3g} "
        "m",
        format_count(slowed_steps_, "step", "steps"), step_count, shortfall_));
  }
  if (loose_steps_ > 0) {
    notes.push_back(fmt::format(
        "in {} of {}, joints did not hold; {} was off by up to {:.3g} m. Something blocks them, joints "
        "contradict each other, or solver.joint_rounds is too small",
        format_count(loose_steps_, "step", "steps"), step_count, model_.joints[loosest_.loosest].name,
        loosest_.residual));
  }
  if (broken_ > 0) notes.push_back(format_count(broken_, "joint", "joints") + " broke");
  if (turning_body_ != kNone) {
    notes.push_back(fmt::format(
        "{} turned by up to {:.3g} rad in one step, which is too much for its joints and contacts to "
        "follow. If it has any, use a time.step below {:.2g} s",
        model_.kinematics.bodies[turning_body_].name, turn_, model_.time.step / turn_));
  }
  return notes;
}

}  // namespace marrow
