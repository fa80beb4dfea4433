#include "play/desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

// How much pages may ask for. [safety net: rubbish]
constexpr size_t kMostPages = 64;     // known at a time
constexpr size_t kMostMessages = 32;  // in one request
constexpr size_t kMostWaiting = 256;  // inputs for one step; moves of one body count once
constexpr double kLeastSpeed = 0.01;

std::string dump(const Json& root) { return root.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool is_page_name(const std::string& page) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return page.size() >= 8 && page.size() <= 64 && std::all_of(page.begin(), page.end(), is_plain);
}

}  // namespace

Desk::Desk(std::vector<PlayBody> bodies, std::chrono::milliseconds patience)
    : bodies_(std::move(bodies)), patience_(patience) {}

Desk::Answer Desk::take_message(std::string_view text) {
  const auto refuse = [](int status, const char* why) { return Answer{status, dump({{"problem", why}})}; };
  const Json root = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!root.is_object() || root.size() != 2 || !root.contains("page") || !root.contains("messages"))
    return refuse(400, "a request is {\"page\": …, \"messages\": […]}");
  const Json &page = root["page"], &messages = root["messages"];
  if (!page.is_string() || !is_page_name(page.get<std::string>()))
    return refuse(400, "page must be 8 to 64 letters, digits or dashes");
  if (!messages.is_array() || messages.size() > kMostMessages)
    return refuse(400, "messages must be a list of at most 32");
  const std::lock_guard lock(mutex_);
  const auto name = page.get<std::string>();
  drop_lost_pages();
  if (last_seen_.size() >= kMostPages && !last_seen_.contains(name)) return refuse(429, "too many pages");
  last_seen_[name] = Clock::now();
  Json problems = Json::array();
  for (size_t i = 0; i < messages.size(); ++i) {
    const std::string problem = take_one(name, dump(messages[i]));
    if (!problem.empty()) problems.push_back({{"message", i}, {"problem", problem}});
  }
  return {200, dump({{"problems", problems}})};
}

bool Desk::note_page(const std::string& page) {
  if (!is_page_name(page)) return false;
  const std::lock_guard lock(mutex_);
  const auto known = last_seen_.find(page);
  if (known != last_seen_.end()) known->second = Clock::now();
  return true;
}

// Returns what is wrong with the message, or nothing.
std::string Desk::take_one(const std::string& page, const std::string& text) {
  const Json root = Json::parse(text, nullptr, false);
  if (root.is_object() && root.size() == 1 && root.contains("do") && root["do"] == "restart") {
    is_restart_requested_ = true;
    return {};
  }
  if (root.is_object() && root.size() == 2 && root.contains("do") && root["do"] == "speed") {
    const auto speed = root.find("speed");
    if (speed == root.end() || !speed->is_number() || !(*speed >= kLeastSpeed) || !(*speed <= 1))
      return fmt::format("speed must be from {} to 1", kLeastSpeed);
    speed_ = speed->get<double>();
    return {};
  }
  const ParsedInput parsed = parse_input(text, bodies_, false);
  return parsed.input ? take_input(page, *parsed.input) : parsed.problem;
}

std::string Desk::take_input(const std::string& page, const Input& input) {
  const auto owner = owners_.find(input.body);
  const bool is_held = owner != owners_.end(), is_own = is_held && owner->second == page;
  if (input.kind == InputKind::Grab && is_held)
    return is_own ? "you hold this body already" : "somebody else holds this body";
  if ((input.kind == InputKind::Move || input.kind == InputKind::Release) && !is_own)
    return is_held ? "somebody else holds this body" : "this body is not held";
  if (input.kind == InputKind::Move && !waiting_.empty()) {
    // Only the newest place counts: the last input of this body, if that is a move or a grab.
    const auto last = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](const Input& other) { return other.body == input.body; });
    if (last != waiting_.rend() && (last->kind == InputKind::Move || last->kind == InputKind::Grab)) {
      last->target = input.target;
      return {};
    }
  }
  if (input.kind == InputKind::Set) {
    std::erase_if(waiting_, [&](const Input& other) {
      return other.kind == InputKind::Set && other.body == input.body &&
             other.gravity.has_value() == input.gravity.has_value() &&
             other.friction.has_value() == input.friction.has_value() &&
             other.stiffness.has_value() == input.stiffness.has_value();
    });
  }
  // A release must always get through.
  if (waiting_.size() >= kMostWaiting && input.kind != InputKind::Release) return "too many messages";
  if (input.kind == InputKind::Grab) owners_[input.body] = page;
  if (input.kind == InputKind::Release) owners_.erase(owner);
  waiting_.push_back(input);
  return {};
}

// Lets go of what pages hold that have disappeared.
void Desk::drop_lost_pages() {
  const Clock::time_point now = Clock::now();
  std::erase_if(last_seen_, [&](const auto& page) { return now - page.second > patience_; });
  for (auto at = owners_.begin(); at != owners_.end();) {
    if (last_seen_.contains(at->second)) {
      ++at;
      continue;
    }
    Input release;
    release.body = at->first;
    waiting_.push_back(release);
    at = owners_.erase(at);
  }
}

std::vector<Input> Desk::take_inputs(int step, const Hands& hands) {
  const std::lock_guard lock(mutex_);
  drop_lost_pages();
  std::vector<Input> inputs;
  Hands next = hands;
  const auto add = [&](Input input) {
    input.step = step;
    if (next.apply(input, bodies_.size()).empty()) inputs.push_back(std::move(input));
  };
  for (const Input& input : waiting_) add(input);
  waiting_.clear();
  // A run that goes on may hold what nobody does.
  for (const Input& release : release_all(next, step)) {
    if (!owners_.contains(release.body)) add(release);
  }
  return inputs;
}

double Desk::speed() const {
  const std::lock_guard lock(mutex_);
  return speed_;
}

bool Desk::is_restart_requested() const {
  const std::lock_guard lock(mutex_);
  return is_restart_requested_;
}

void Desk::start() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
  owners_.clear();
  is_restart_requested_ = false;
}

}  // namespace marrow
