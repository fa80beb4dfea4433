#include "core/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace marrow {
namespace {

// Closes a file descriptor on every way out.
struct Descriptor {
  int fd = -1;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw OutputError(path, std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void write_beside(const std::string& beside, std::string_view bytes, const std::string& path) {
  Descriptor file{::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
  if (file.fd < 0) throw OutputError(path, std::strerror(errno));
  write_all(file.fd, bytes, path);
  const int closed = ::close(file.fd);
  file.fd = -1;
  if (closed != 0) throw OutputError(path, std::strerror(errno));
}

}  // namespace

std::string read_file(const std::string& path) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status = {};
  if (file.fd < 0 || ::fstat(file.fd, &status) != 0) {
    throw InputError({path, 0, 0, {}}, std::string("cannot be read: ") + std::strerror(errno),
                     "Check the name; paths in a scene are relative to the scene file.");
  }
  if (S_ISDIR(status.st_mode)) {
    throw InputError({path, 0, 0, {}}, "is a folder, not a file", "Name a file inside it.");
  }
  std::string bytes;
  bytes.reserve(static_cast<size_t>(status.st_size) + 1);
  std::string chunk(1 << 20, '\0');
  for (;;) {
    const ssize_t count = ::read(file.fd, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError({path, 0, 0, {}}, std::string("cannot be read: ") + std::strerror(errno));
    if (count == 0) return bytes;
    bytes.append(chunk.data(), static_cast<size_t>(count));
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  // The renaming would put a file in the place of a device.
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw OutputError(path, S_ISDIR(status.st_mode) ? std::strerror(EISDIR) : "it is a device or a pipe");
  }
  const std::string beside = path + ".part";
  try {
    write_beside(beside, bytes, path);
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  if (::rename(beside.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    ::unlink(beside.c_str());
    throw OutputError(path, reason);
  }
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw OutputError(path, error.message());
}

bool is_file(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

bool is_folder(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(path, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) throw OutputError(path, std::strerror(errno));
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  const std::filesystem::path canonical =
      error ? absolute : std::filesystem::weakly_canonical(absolute, error);
  if (error) throw InputError({path, 0, 0, {}}, "cannot be read: " + error.message(), "Check the name.");
  return canonical.string();
}

std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace marrow
