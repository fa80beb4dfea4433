#include "play/hands.h"

namespace marrow {

std::string Hands::apply(const Input& input, size_t body_count) {
  const auto at = held.find(input.body);
  switch (input.kind) {
    case InputKind::Grab:
      if (at != held.end()) return "this body is held already";
      held[input.body] = {input.points, input.weights, input.target, input.strength};
      return {};
    case InputKind::Move:
      if (at == held.end()) return "this body is not held";
      at->second.target = input.target;
      return {};
    case InputKind::Release:
      if (at == held.end()) return "this body is not held";
      held.erase(at);
      return {};
    case InputKind::Set:
      break;
  }
  if (input.gravity) gravity = input.gravity;
  if (input.friction) friction = input.friction;
  if (!input.stiffness) return {};
  if (stiffness.empty()) stiffness.assign(body_count, 1);
  if (input.body == kNone) {
    stiffness.assign(body_count, *input.stiffness);
  } else {
    stiffness[static_cast<size_t>(input.body)] = *input.stiffness;
  }
  return {};
}

std::vector<Input> release_all(const Hands& hands, int step) {
  std::vector<Input> inputs;
  for (const auto& [body, hold] : hands.held) {
    Input input;
    input.step = step;
    input.body = body;
    inputs.push_back(input);
  }
  return inputs;
}

}  // namespace marrow
