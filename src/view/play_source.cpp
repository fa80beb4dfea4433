#include "view/play_source.h"

#include <nlohmann/json.hpp>

#include "view/frame_summary.h"

namespace marrow {
namespace {

// Each holds a thread of the server (view/server.cpp).
constexpr int kMostWaiting = 16;

std::string write_json(const nlohmann::ordered_json& root) {
  return root.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

PlaySource::PlaySource(std::string name, std::string path, double time_step)
    : name_(std::move(name)), path_(std::move(path)), time_step_(time_step) {}

void PlaySource::start(const OutputTopology& topology, const Frame& frame, std::string facts) {
  {
    const std::lock_guard lock(mutex_);
    drawn_ = build_drawn(topology);
    topology_ = format_topology_record(drawn_);
    facts_ = std::move(facts);
    ++generation_;
  }
  show(frame, "{}");
}

void PlaySource::show(const Frame& frame, const std::string& status) {
  std::string record = format_frame_record(drawn_, frame, DrawnPrecision::Box16);
  auto root = nlohmann::ordered_json::parse(status);
  const std::lock_guard lock(mutex_);
  root["number"] = ++number_;
  root["generation"] = generation_;
  status_ = write_json(root);
  frame_ = std::move(record);
  step_ = frame.step;
  time_ = frame.time;
  changed_.notify_all();
}

void PlaySource::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

std::string PlaySource::wait_for_next(std::uint64_t number, std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  if (number_ == number) {
    if (waiting_ >= kMostWaiting) return {};
    ++waiting_;
    changed_.wait_for(lock, most, [&] { return is_closed_ || number_ != number; });
    --waiting_;
  }
  if (is_closed_ || number_ == number) return {};
  const auto size = static_cast<std::uint32_t>(status_.size());
  std::string answer;
  answer.reserve(4 + size + frame_.size());
  for (int k = 0; k < 4; ++k) answer += static_cast<char>(size >> (8 * k) & 0xff);
  return answer + status_ + frame_;
}

SourceStatus PlaySource::update() {
  const std::lock_guard lock(mutex_);
  return {generation_, 1, 0, false};
}

std::string PlaySource::describe() {
  const std::lock_guard lock(mutex_);
  return write_json({{"name", name_},
                     {"path", path_},
                     {"steps", nullptr},
                     {"time_step", time_step_},
                     {"play", nlohmann::ordered_json::parse(facts_)}});
}

std::string PlaySource::describe_frames(size_t from) {
  const std::lock_guard lock(mutex_);
  nlohmann::ordered_json root = {{"generation", generation_},
                                 {"from", std::min<size_t>(from, 1)},
                                 {"steps", nlohmann::ordered_json::array()},
                                 {"times", nlohmann::ordered_json::array()}};
  if (from == 0) {
    root["steps"].push_back(step_);
    root["times"].push_back(time_);
  }
  FrameSummary summary;
  summary.add(std::string(record_head(std::string_view(frame_).substr(kRecordHeader))));
  summary.add_to(root);
  return write_json(root);
}

std::string PlaySource::read_topology() {
  const std::lock_guard lock(mutex_);
  return topology_;
}

std::optional<std::string> PlaySource::read_frame(size_t frame) {
  const std::lock_guard lock(mutex_);
  return frame == 0 ? std::optional(frame_) : std::nullopt;
}

}  // namespace marrow
