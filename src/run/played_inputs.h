// The inputs of a run that is played (play/input.h) become springs and settings of its model, and are
// recorded in its folder, inputs.jsonl, by the step in which they first act.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/appended_file.h"
#include "play/hands.h"
#include "sim/model/settings.h"
#include "sim/simulate.h"

namespace marrow {

// The file in a run's folder.
std::string inputs_file(const std::string& folder);

std::vector<PlayBody> list_play_bodies(const Kinematics& kinematics);

class PlayedInputs {
 public:
  // Goes on after the step, with the hands that the recorded inputs lead to; later ones are dropped. model:
  // takes the settings; must outlive this. end_reading: called before the model changes, so that results that
  // are written beside the steps are those of the model that the steps had. folder: empty if nothing is
  // recorded. Throws OutputError.
  PlayedInputs(Model& model, std::function<void()> end_reading, const std::string& folder, int step);

  const Hands& hands() const { return hands_; }

  // Takes in what happens before the step.
  StepInputs take(const std::vector<Input>& inputs);

 private:
  Settings make_settings() const;

  Model& model_;
  std::function<void()> end_reading_;
  const SettingDefaults defaults_;
  const std::vector<PlayBody> bodies_;
  Hands hands_;
  Settings settings_;  // that the model has
  std::unique_ptr<AppendedFile> file_;
};

}  // namespace marrow
