#include "run/step_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.h"

namespace marrow {
namespace {

// Joints count as loose where they miss by more than this many tolerances.
constexpr double kLoose = 100;

constexpr int kShown = 3;  // bodies of a kind of note that are named; the rest is counted

// From here on what holds a body makes its velocity wrong; from half a turn on it cannot tell which way it
// went.
constexpr double kFarTurn = 2;  // [rad]

}  // namespace

StepNotes::StepNotes(const Model& model, RunLog& log, const std::string& folder, int first_step,
                     std::function<void(const std::string&)> tell)
    : model_(model),
      log_(log),
      tell_(std::move(tell)),
      bodies_(model),
      size_(folder, model.time, first_step, model.step_count()) {}

void StepNotes::tell(const std::string& text) {
  if (!text.empty() && tell_) tell_(text);
}

void StepNotes::add(const State& state, const StepReport& report) {
  for (const std::string& note : bodies_.add(state, report)) {
    log_.add(note);
    if (++lost_bodies_ <= kShown) tell(note);
  }
  tell(size_.add(state.step));
  if (report.substeps > 1) note_split(report);
  if (report.motion_remaining > 0) note_motion(report);
  if (!model_.joints.empty()) note_joints(report);
  if (report.turn > std::max(kFarTurn, turn_)) note_turn(report);
  if (report.projective.penetration > 0) note_penetration(report);
  if (report.remesh.is_on) note_remesh(report);
}

void StepNotes::note_remesh(const StepReport& report) {
  const RemeshReport& own = report.remesh;
  if (!remesh_.is_on) first_nodes_ = own.nodes - own.splits;
  remesh_.is_on = true;
  remesh_.nodes = own.nodes;
  remesh_.proposals += own.proposals;
  remesh_.solved += own.solved;
  remesh_.splits += own.splits;
  remesh_.gain += own.gain;
  if (!own.is_capped || capped_since_ > 0) return;
  capped_since_ = report.step;
  tell(fmt::format(
      "since step {} ({:.3g} s) a body has as many nodes as it may have (remesh.max_nodes): no more edges "
      "are split, and the run goes on",
      report.step, report.time));
}

void StepNotes::note_penetration(const StepReport& report) {
  const ProjectiveReport& own = report.projective;
  const auto name_of = [&](Index body) { return model_.kinematics.bodies[static_cast<size_t>(body)].name; };
  if (++penetrating_steps_ == 1) {
    log_.add(fmt::format("step {}: {} is {:.3g} m inside of {}; contact is only detected", report.step,
                         name_of(own.penetrating_body), own.penetration, name_of(own.penetrated_body)));
  }
  if (own.penetration <= deepest_.penetration) return;
  deepest_ = own;
  deepest_step_ = report.step;
}

void StepNotes::note_motion(const StepReport& report) {
  if (slowed_steps_++ == 0) slowed_since_ = report.step;
  shortfall_ = std::max(shortfall_, report.motion_remaining);
  const Index body = find_body_of_node(model_.kinematics.bodies, report.motion_node);
  const std::string& name = model_.kinematics.bodies[body].name;
  log_.add(fmt::format("step {}: prescribed points of {} are {:.3g} m short of their targets", report.step,
                       name, report.motion_remaining));
  if (!held_up_.insert(body).second) return;
  tell(fmt::format(
      "since step {} ({:.3g} s) {} is held up by something in the way; prescribed points are {:.3g} m short "
      "of their targets so far",
      report.step, report.time, name, report.motion_remaining));
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

// Splitting is how a step gets through a hard collision: nothing is wrong, but it takes longer.
void StepNotes::note_split(const StepReport& report) {
  if (split_steps_++ > 0) return;
  tell(fmt::format(
      "step {} ({:.3g} s) was split into {} parts, as it could not be taken in one; later steps that are "
      "split are counted in summary.json",
      report.step, report.time, report.substeps));
}

std::vector<std::string> StepNotes::list(int step_count) const {
  std::vector<std::string> notes;
  if (remesh_.is_on) {
    notes.push_back(
        fmt::format("remeshing split {} of {} that it looked at ({} solved on a patch), which gained {:.3g} "
                    "J; the bodies "
                    "went from {} to {} nodes",
                    format_count(remesh_.splits, "edge", "edges"), remesh_.proposals, remesh_.solved,
                    remesh_.gain, first_nodes_, remesh_.nodes));
  }
  if (slowed_steps_ > 0) {
    notes.push_back(
        fmt::format("in {} of {}, since step {}, prescribed points were blocked and did not reach their "
                    "targets, by up to {:.3g} m",
                    format_count(slowed_steps_, "step", "steps"), step_count, slowed_since_, shortfall_));
  }
  if (loose_steps_ > 0) {
    notes.push_back(fmt::format(
        "in {} of {}, joints did not hold; {} was off by up to {:.3g} m. Something blocks them, joints "
        "contradict each other, or solver.joint_rounds is too small",
        format_count(loose_steps_, "step", "steps"), step_count, model_.joints[loosest_.loosest].name,
        loosest_.residual));
  }
  if (lost_bodies_ > kShown) {
    notes.push_back(fmt::format(
        "{} bodies in all fell with nothing below them or left the scene; run.log names them", lost_bodies_));
  }
  std::vector<std::string> creeping = bodies_.list();
  const auto hidden = static_cast<int>(creeping.size()) - kShown;
  if (hidden > 0) creeping.resize(kShown);
  for (std::string& note : creeping) notes.push_back(std::move(note));
  if (hidden > 0) notes.push_back(fmt::format("{} more crept", format_count(hidden, "body", "bodies")));
  if (model_.is_unguarded()) {
    notes.push_back(
        deepest_.penetration > 0
            ? fmt::format(
                  "contact was only detected, not prevented: at the end of {} of {} bodies were inside of "
                  "each other, by up to {:.3g} m ({} in {}, step {}). What passes in one step, and soft "
                  "bodies "
                  "in themselves, are not looked for",
                  penetrating_steps_, format_count(step_count, "step", "steps"), deepest_.penetration,
                  model_.kinematics.bodies[static_cast<size_t>(deepest_.penetrating_body)].name,
                  model_.kinematics.bodies[static_cast<size_t>(deepest_.penetrated_body)].name, deepest_step_)
            : "contact was only detected, not prevented: nothing was found inside of another body at the end "
              "of a step");
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
