// Pictures to a movie (.mp4, .gif) through ffmpeg, one at a time.
#pragma once

#include <string>
#include <string_view>

namespace marrow {

class MovieEncoder {
 public:
  // Starts ffmpeg, writing beside the target. Throws InputError if there is none.
  MovieEncoder(const std::string& path, double frames_per_second);
  // Gives up unless finished.
  ~MovieEncoder();
  MovieEncoder(const MovieEncoder&) = delete;
  MovieEncoder& operator=(const MovieEncoder&) = delete;

  // A PNG of the same size as the others. Throws OutputError.
  void add(std::string_view png);

  // Puts the movie in its place. Throws OutputError.
  void finish();

 private:
  int close();

  std::string path_, beside_;
  int process_ = -1;
  int pipe_ = -1;
};

}  // namespace marrow
