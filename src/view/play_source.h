// A scene that plays, for the page: the newest frame only, in memory. Who asks for the next one waits for it,
// so that no backlog can grow, however slow a page is.
#pragma once

#include <chrono>
#include <condition_variable>

#include "view/run_source.h"

namespace marrow {

class PlaySource final : public RunSource {
 public:
  // name: of the scene; path: of its file; time_step [s].
  PlaySource(std::string name, std::string path, double time_step);

  // A start: everything before is void. facts: a JSON object about the bodies and settings (docs/play.md).
  void start(const OutputTopology& topology, const Frame& frame, std::string facts);

  // The frame of a step. status: a JSON object about it.
  void show(const Frame& frame, const std::string& status);

  // Ends all waiting, for good.
  void close();

  // Waits for a frame with another number than this. An empty text: there was none in time, or too many wait
  // already.
  //
  //   bytes 0–3   length of the status, little-endian
  //   …           the status, JSON, with "number" and "generation"
  //   …           the record of the frame
  std::string wait_for_next(std::uint64_t number, std::chrono::milliseconds most);

  SourceStatus update() override;
  std::string describe() override;
  std::string describe_frames(size_t from) override;
  std::string read_topology() override;
  std::optional<std::string> read_frame(size_t frame) override;
  std::string read_metrics(std::uint64_t) override { return {}; }

 private:
  const std::string name_, path_;
  const double time_step_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  DrawnTopology drawn_;  // written by start only
  std::string topology_, facts_ = "{}", frame_, status_ = "{}";
  int generation_ = 0, step_ = 0;
  double time_ = 0;
  std::uint64_t number_ = 0;
  int waiting_ = 0;
  bool is_closed_ = false;
};

}  // namespace marrow
