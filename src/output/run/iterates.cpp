#include "output/run/iterates.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "core/error.h"
#include "core/file.h"

namespace marrow {
namespace {

constexpr char kIteratesMagic[] = "MARROWIT";
constexpr std::uint64_t kIteratesVersion = 1;

struct FileHeader {
  char magic[8];
  std::uint64_t version;
  std::uint64_t node_count;
};

struct RecordStart {
  std::int32_t step;
  std::uint32_t is_start;
};

std::uint64_t record_size(Index node_count) {
  return sizeof(RecordStart) + 3 * sizeof(double) * static_cast<std::uint64_t>(node_count);
}

std::string format_header(Index node_count) {
  FileHeader header = {};
  std::memcpy(header.magic, kIteratesMagic, sizeof(header.magic));
  header.version = kIteratesVersion;
  header.node_count = static_cast<std::uint64_t>(node_count);
  return {reinterpret_cast<const char*>(&header), sizeof(header)};
}

// Reads as many bytes as there are, up to size; returns how many.
size_t read_at(int fd, std::uint64_t offset, void* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(fd, static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

InputError refuse(const std::string& path, const std::string& problem) {
  return InputError({path, 0, 0, {}}, problem,
                    "Run the scene again with --iterates, or delete the file to check the frames alone.");
}

// The size of the part of the file to keep: the records of steps up to last_step. 0: nothing is usable.
std::uint64_t find_kept_size(const std::string& path, Index node_count, int last_step) {
  try {
    IteratesReader reader(path);
    if (reader.node_count() != node_count) return 0;
    std::uint64_t kept = 0;
    for (int step = 0; reader.skip(step) && step <= last_step;) ++kept;
    return sizeof(FileHeader) + kept * record_size(node_count);
  } catch (const InputError&) {
    return 0;
  }
}

}  // namespace

IteratesFile::IteratesFile(const std::string& path, Index node_count, int last_step)
    : path_(path), node_count_(node_count) {
  const std::uint64_t kept = last_step > 0 ? find_kept_size(path, node_count, last_step) : 0;
  has_earlier_ = kept > sizeof(FileHeader);
  if (kept == 0) {
    write_file(path, format_header(node_count));
  } else if (::truncate(path.c_str(), static_cast<off_t>(kept)) != 0) {
    throw OutputError(path, std::strerror(errno));
  }
  fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw OutputError(path, std::strerror(errno));
}

IteratesFile::~IteratesFile() { ::close(fd_); }

void IteratesFile::append(const std::string& bytes) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw OutputError(path_, std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

void IteratesFile::add(int step, const VecX& nodes, bool is_start) {
  const RecordStart start = {step, is_start ? 1U : 0U};
  std::string bytes(reinterpret_cast<const char*>(&start), sizeof(start));
  bytes.append(reinterpret_cast<const char*>(nodes.data()),
               static_cast<size_t>(nodes.size()) * sizeof(double));
  append(bytes);
}

IteratesReader::IteratesReader(const std::string& path)
    : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) throw refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  struct stat status = {};
  FileHeader header = {};
  const bool is_whole =
      ::fstat(fd_, &status) == 0 && read_at(fd_, 0, &header, sizeof(header)) == sizeof(header);
  const bool is_ours = is_whole && std::memcmp(header.magic, kIteratesMagic, sizeof(header.magic)) == 0;
  const bool is_known = is_ours && header.version == kIteratesVersion;
  constexpr std::uint64_t kMostNodes = std::numeric_limits<Index>::max() / 3;
  if (!is_known || header.node_count > kMostNodes) {
    ::close(fd_);
    if (!is_ours) throw refuse(path, "is not a file of iterates");
    throw refuse(path, is_known ? "has a damaged number of nodes"
                                : fmt::format("has version {}; this program reads version {}", header.version,
                                              kIteratesVersion));
  }
  node_count_ = static_cast<Index>(header.node_count);
  const std::uint64_t payload = static_cast<std::uint64_t>(status.st_size) - sizeof(header);
  count_ = static_cast<std::int64_t>(payload / record_size(node_count_));
  is_torn_ = payload % record_size(node_count_) != 0;
}

IteratesReader::~IteratesReader() { ::close(fd_); }

std::uint64_t IteratesReader::offset() const {
  return sizeof(FileHeader) + static_cast<std::uint64_t>(position_) * record_size(node_count_);
}

void IteratesReader::read_start(Iterate& iterate) const {
  RecordStart start = {};
  if (read_at(fd_, offset(), &start, sizeof(start)) != sizeof(start)) {
    throw refuse(path_, fmt::format("record {} cannot be read", position_));
  }
  if (start.step < 1 || start.is_start > 1) {
    throw refuse(path_, fmt::format("record {} is damaged", position_));
  }
  iterate.step = start.step;
  iterate.is_start = start.is_start == 1;
}

bool IteratesReader::skip(int& step) {
  if (position_ == count_) return false;
  Iterate iterate;
  read_start(iterate);
  step = iterate.step;
  ++position_;
  return true;
}

bool IteratesReader::next(Iterate& iterate) {
  if (position_ == count_) return false;
  read_start(iterate);
  iterate.nodes.resize(3 * static_cast<Eigen::Index>(node_count_));
  const size_t size = static_cast<size_t>(iterate.nodes.size()) * sizeof(double);
  if (read_at(fd_, offset() + sizeof(RecordStart), iterate.nodes.data(), size) != size) {
    throw refuse(path_, fmt::format("record {} cannot be read", position_));
  }
  ++position_;
  return true;
}

}  // namespace marrow
