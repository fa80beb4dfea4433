// A text file that grows line by line and is flushed after each, so that a kill loses at most the line being
// written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace marrow {

class AppendedFile {
 public:
  // Opens for appending, creating the file if need be. Throws OutputError.
  explicit AppendedFile(const std::string& path);
  ~AppendedFile();
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;

  // Adds the line and a line end. Throws OutputError.
  void add_line(std::string_view line);

  // Adds whole lines, with their line ends, at once; nothing if there are none. Throws OutputError.
  void add_lines(std::string_view lines);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace marrow
