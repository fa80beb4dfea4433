#include "output/frames/frames_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"

namespace marrow {
namespace {

// An open file that closes itself.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) throw InputError({path, 0, 0, {}}, std::strerror(errno), "Check the name.");
  }
  ~OpenFile() { ::close(fd_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  // Up to size bytes; fewer at the end of the file.
  std::string read(std::uint64_t offset, std::uint64_t size) const {
    std::string bytes(size, '\0');
    size_t done = 0;
    while (done < size) {
      const ssize_t got = ::pread(fd_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<size_t>(got);
    }
    bytes.resize(done);
    return bytes;
  }

  struct stat status() const {
    struct stat result = {};
    ::fstat(fd_, &result);
    return result;
  }

 private:
  int fd_;
};

// Whether two topology records are of the same bodies and elements; how these are shown may differ.
bool is_same_topology(const std::string& a, const std::string& b) {
  const auto read = [](const std::string& record) {
    nlohmann::json head = nlohmann::json::parse(
        record_head(std::string_view(record).substr(std::min<size_t>(record.size(), kRecordHeader))), nullptr,
        false);
    if (!head.is_object() || !head["bodies"].is_array()) return nlohmann::json();
    head.erase("view");
    for (nlohmann::json& body : head["bodies"]) {
      for (const char* key : {"color", "visible", "radius", "group"}) body.erase(key);
    }
    return head;
  };
  const nlohmann::json head = read(a);
  if (head.is_null() || head != read(b)) return false;
  const auto arrays = [](const std::string& record) {
    return std::string_view(record).substr(
        kRecordHeader + 8 + record_head(std::string_view(record).substr(kRecordHeader)).size());
  };
  return arrays(a) == arrays(b);
}

// Cuts a file. Throws OutputError.
void cut_file(const std::string& path, std::uint64_t size) {
  if (::truncate(path.c_str(), static_cast<off_t>(size)) != 0) throw OutputError(path, std::strerror(errno));
}

}  // namespace

FramesFile::FramesFile(const std::string& path, const OutputTopology& topology, int kept,
                       const FramesFileOptions& options)
    : path_(path), drawn_(build_drawn(topology)), options_(options) {
  const std::string record = format_topology_record(drawn_);
  if (kept < 0 || !keep_frames(record, kept)) write_file(path_, format_records_header() + record);
  fd_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw OutputError(path_, std::strerror(errno));
}

FramesFile::~FramesFile() { ::close(fd_); }

// Cuts the file after the last frame that is kept. Returns false if the file is unusable. A run goes on to
// look as it did at its start.
bool FramesFile::keep_frames(const std::string& topology_record, int kept) {
  FramesReader reader(path_);
  std::uint64_t end = kRecordsFileHeader;
  try {
    reader.update();
    if (reader.version() != kRecordsVersion || !reader.has_topology()) return false;
    const std::string kept_record = reader.read_topology();
    if (kept_record != topology_record && !is_same_topology(kept_record, topology_record)) return false;
    end += kept_record.size();
  } catch (const InputError&) {
    return false;
  }
  for (size_t i = 0; i < reader.frames().size(); ++i) {
    const int step = reader.frames()[i].header.step;
    if (step > kept) break;
    end = reader.end_of(i);
    last_step_ = step;
    ++frame_count_;
  }
  cut_file(path_, end);
  return true;
}

void FramesFile::append(const std::string& bytes) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw OutputError(path_, std::strerror(errno));
    rest.remove_prefix(static_cast<size_t>(written));
  }
}

void FramesFile::add(const Frame& frame) {
  std::string records = format_frame_record(drawn_, frame, options_.precision);
  if (options_.keeps_exact) records += format_exact_record(drawn_, frame);
  append(records);
  last_step_ = frame.step;
  ++frame_count_;
}

void FramesReader::update() {
  const OpenFile file(path_);
  const struct stat status = file.status();
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (!S_ISREG(status.st_mode)) throw InputError({path_, 0, 0, {}}, "is not a file");

  // The file was replaced or became shorter: start again.
  if (end_ == 0 || status.st_ino != inode_ || status.st_dev != device_ || size < end_) {
    const std::string start = file.read(0, kRecordsFileHeader);
    version_ = parse_records_header(start);
    if (version_ > kRecordsVersion) {
      throw InputError({path_, 0, 0, {}}, "has a version that this program cannot read",
                       "Use the program that wrote it.");
    }
    if (version_ == 0) {
      throw InputError({path_, 0, 0, {}}, "is not a file of frames", "Run the scene again.");
    }
    ++generation_;
    inode_ = status.st_ino;
    device_ = status.st_dev;
    end_ = kRecordsFileHeader;
    has_topology_ = false;
    frames_.clear();
    exact_.clear();
  }

  // Only complete records are taken; an incomplete one at the end is examined again next time.
  while (end_ + kRecordHeader <= size) {
    RecordPlace place;
    place.offset = end_;
    if (!parse_record_header(file.read(end_, kRecordHeader), place.header)) break;
    if (place.header.payload_size > size - end_ - kRecordHeader) break;
    if (place.header.kind == RecordKind::Frame) {
      frames_.push_back(place);
      exact_.emplace_back();
    } else if (place.header.kind == RecordKind::Exact) {
      if (!frames_.empty() && frames_.back().header.step == place.header.step) exact_.back() = place;
    } else if (!has_topology_) {
      topology_ = place;
      has_topology_ = true;
    }
    end_ += place.size();
  }
}

std::string FramesReader::read(std::uint64_t offset, std::uint64_t size) const {
  return OpenFile(path_).read(offset, size);
}

std::string FramesReader::read_exact(size_t frame) const {
  const std::optional<RecordPlace>& place = exact_[frame];
  return place ? read(place->offset, place->size()) : std::string();
}

std::uint64_t FramesReader::end_of(size_t frame) const {
  const RecordPlace& last = exact_[frame] ? *exact_[frame] : frames_[frame];
  return last.offset + last.size();
}

std::string FramesReader::read_head(size_t frame) const {
  const RecordPlace& place = frames_[frame];
  constexpr std::uint64_t kUsualHead = 4096;
  const std::uint64_t start = place.offset + kRecordHeader;
  std::string payload = read(start, std::min(place.header.payload_size, kUsualHead));
  if (record_head(payload).empty()) payload = read(start, place.header.payload_size);
  return std::string(record_head(payload));
}

}  // namespace marrow
