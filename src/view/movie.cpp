#include "view/movie.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/file.h"
#include "view/programs.h"

namespace marrow {
namespace {

// Sizes of H.264 are even; a GIF gets a palette of its own.
std::vector<std::string> make_encoder_arguments(const std::string& program, const std::string& path,
                                                double rate) {
  std::vector<std::string> words = {
      program,      "-y",   "-loglevel", "error",      "-f",
      "image2pipe", "-c:v", "png",       "-framerate", fmt::format("{:.6g}", rate),
      "-i",         "-"};
  const auto add = [&](std::initializer_list<const char*> more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  if (path.ends_with(".gif")) {
    add({"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
         "-f", "gif"});
  } else {
    add({"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p",
         "-movflags", "+faststart", "-f", "mp4"});
  }
  return words;
}

}  // namespace

MovieEncoder::MovieEncoder(const std::string& path, double frames_per_second)
    : path_(path), beside_(path + ".part") {
  const std::string program = find_program("ffmpeg");
  if (program.empty()) {
    throw InputError({path, 0, 0, {}}, "a movie needs ffmpeg, which was not found",
                     "Install the package ffmpeg (`./dev setup movie`), or write pictures: -o NAME.png.");
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw OutputError(path, std::strerror(errno));
  pipe_ = ends[1];
  std::signal(SIGPIPE, SIG_IGN);  // if the encoder ends, writing fails
  std::vector<std::string> words = make_encoder_arguments(program, path, frames_per_second);
  words.push_back(std::filesystem::absolute(beside_).string());
  process_ = start_program(words, {{ends[0], 0}});
  ::close(ends[0]);
  if (process_ < 0)
    throw InputError({program, 0, 0, {}}, std::string("cannot be started: ") + std::strerror(-process_));
}

MovieEncoder::~MovieEncoder() {
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    close();
    std::remove(beside_.c_str());
  }
}

int MovieEncoder::close() {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  int status = -1;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void MovieEncoder::add(std::string_view png) {
  while (!png.empty()) {
    const ssize_t written = ::write(pipe_, png.data(), png.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw OutputError(path_, "ffmpeg ended early; check that the folder exists and the disk is not full");
    png.remove_prefix(static_cast<size_t>(written));
  }
}

void MovieEncoder::finish() {
  if (close() != 0) {
    std::remove(beside_.c_str());
    throw OutputError(path_, "ffmpeg failed; check that the folder exists and the disk is not full");
  }
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) throw OutputError(path_, std::strerror(errno));
}

}  // namespace marrow
