#include "run/size_note.h"

#include <fmt/format.h>

#include <filesystem>

namespace marrow {
namespace {

namespace fs = std::filesystem;

// Enough frames for a pace: the first ones have the fewest contacts to write.
constexpr int kMeasuredFrames = 3;

// What nobody minds: from here on copying it and keeping several runs is felt. [bytes]
constexpr double kLargeOutput = 1e9;

std::uintmax_t measure_folder(const std::string& folder) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) bytes += at->file_size(ignored);
  }
  return bytes;
}

}  // namespace

SizeNote::SizeNote(std::string folder, const TimeOptions& time, int first_step, int last_step)
    : folder_(std::move(folder)),
      frame_every_(time.frame_every),
      last_step_(last_step),
      begin_step_(first_step) {
  begin_bytes_ = measure_folder(folder_);
}

std::string SizeNote::add(int step) {
  if (is_done_ || step % frame_every_ != 0) return {};
  // The first frame also brings what is written once.
  if (++frames_ == 1) {
    begin_step_ = step;
    begin_bytes_ = measure_folder(folder_);
    return {};
  }
  if (frames_ <= kMeasuredFrames) return {};
  is_done_ = true;
  const auto now = static_cast<double>(measure_folder(folder_));
  const double per_step = (now - static_cast<double>(begin_bytes_)) / (step - begin_step_);
  const double rest = per_step * (last_step_ - step);
  std::error_code error;
  const auto free = static_cast<double>(fs::space(folder_, error).available);
  const bool fits = error || rest < free;
  if (fits && now + rest < kLargeOutput) return {};
  return fmt::format(
      "{} will be written into {}{}. A larger time.frame_every or output.vtu false makes it less",
      "about " + format_bytes(now + rest), folder_,
      error ? "" : fmt::format(", and {}{} are free", fits ? "" : "only ", format_bytes(free)));
}

std::string format_bytes(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes * 1e-3);
  if (bytes < 1e9) return fmt::format("{:.0f} MB", bytes * 1e-6);
  return fmt::format("{:.3g} GB", bytes * 1e-9);
}

}  // namespace marrow
