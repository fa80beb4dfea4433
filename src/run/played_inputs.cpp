#include "run/played_inputs.h"

#include <utility>

#include "core/file.h"
#include "play/script.h"
#include "sim/model/make_grab.h"

namespace marrow {

std::string inputs_file(const std::string& folder) { return folder + "/inputs.jsonl"; }

std::vector<PlayBody> list_play_bodies(const Kinematics& kinematics) {
  std::vector<PlayBody> bodies;
  for (const Body& body : kinematics.bodies) {
    bodies.push_back({body.name, static_cast<Index>(body.rest.points.size()), !body.is_obstacle(),
                      !body.is_obstacle() && body.can_strain()});
  }
  return bodies;
}

PlayedInputs::PlayedInputs(Model& model, std::function<void()> end_reading, const std::string& folder,
                           int step)
    : model_(model),
      end_reading_(std::move(end_reading)),
      defaults_(read_defaults(model)),
      bodies_(list_play_bodies(model.kinematics)) {
  if (folder.empty()) return;
  const std::string path = inputs_file(folder);
  std::string kept;
  if (step > 0 && is_file(path)) {
    for (const Input& input : read_recorded(path, bodies_, step)) {
      hands_.apply(input, bodies_.size());
      kept += format_input(input, bodies_) + "\n";
    }
  }
  write_file(path, kept);
  file_ = std::make_unique<AppendedFile>(path);
}

Settings PlayedInputs::make_settings() const { return {hands_.gravity, hands_.friction, hands_.stiffness}; }

StepInputs PlayedInputs::take(const std::vector<Input>& inputs) {
  std::string lines;
  for (const Input& input : inputs) {
    if (!hands_.apply(input, bodies_.size()).empty()) continue;
    lines += format_input(input, bodies_) + "\n";
  }
  if (file_) file_->add_lines(lines);
  StepInputs result;
  const Settings settings = make_settings();
  result.is_model_changed = settings != settings_;
  if (result.is_model_changed) {
    end_reading_();
    apply_settings(settings, defaults_, model_);
  }
  settings_ = settings;
  for (const auto& [body, hold] : hands_.held) {
    result.grabs.push_back(make_grab(model_, {body, hold.points, hold.weights}, hold.target, hold.strength));
  }
  return result;
}

}  // namespace marrow
