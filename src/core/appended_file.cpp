#include "core/appended_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace marrow {

AppendedFile::AppendedFile(const std::string& path)
    : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (fd_ < 0) throw OutputError(path_, std::strerror(errno));
}

AppendedFile::~AppendedFile() { ::close(fd_); }

void AppendedFile::add_line(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  add_lines(bytes);
}

void AppendedFile::add_lines(std::string_view lines) {
  // One write: either all of it reaches the file or it is torn at its end.
  for (std::string_view rest = lines; !rest.empty();) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw OutputError(path_, std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace marrow
