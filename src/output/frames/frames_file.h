// run.mrw: the frames for the viewer, one growing file (docs/frame_format.md). The writer appends whole
// records; a reader follows the file while it grows and never believes more than what is whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/frames/drawn.h"
#include "output/frames/record.h"

namespace marrow {

// A record in a file.
struct RecordPlace {
  RecordHeader header;
  std::uint64_t offset = 0;  // of the header

  std::uint64_t size() const { return kRecordHeader + header.payload_size; }
};

struct FramesFileOptions {
  DrawnPrecision precision = DrawnPrecision::Box16;
  bool keeps_exact = false;  // the exact nodes of every frame too; frames must have nodes then
};

class FramesFile {
 public:
  // Opens the file for frames after the step `kept`, dropping later ones; a negative `kept` starts anew, as
  // does a file that is missing, damaged at its start, of an earlier version or of another topology. Throws
  // OutputError.
  FramesFile(const std::string& path, const OutputTopology& topology, int kept,
             const FramesFileOptions& options = {});
  ~FramesFile();
  FramesFile(const FramesFile&) = delete;
  FramesFile& operator=(const FramesFile&) = delete;

  // Throws OutputError.
  void add(const Frame& frame);

  // Step of the newest frame; −1 if there is none.
  int last_step() const { return last_step_; }
  int frame_count() const { return frame_count_; }

 private:
  bool keep_frames(const std::string& topology_record, int kept);
  void append(const std::string& bytes);

  std::string path_;
  DrawnTopology drawn_;
  FramesFileOptions options_;
  int fd_ = -1;
  int last_step_ = -1;
  int frame_count_ = 0;
};

// Follows a file of records.
class FramesReader {
 public:
  explicit FramesReader(std::string path) : path_(std::move(path)) {}

  // Looks for new whole records. If the file was replaced or cut, everything is read anew and the generation
  // goes up. Throws InputError if there is no such file or it is no file of records.
  void update();

  int generation() const { return generation_; }
  // Of the file's format.
  std::uint32_t version() const { return version_; }
  bool has_topology() const { return has_topology_; }
  const std::vector<RecordPlace>& frames() const { return frames_; }
  // Where the records of a frame end.
  std::uint64_t end_of(size_t frame) const;

  // The bytes of a record, unchecked; fewer if the file was cut meanwhile. Throws InputError.
  std::string read_topology() const { return read(topology_.offset, topology_.size()); }
  std::string read_frame(size_t frame) const { return read(frames_[frame].offset, frames_[frame].size()); }
  bool has_exact(size_t frame) const { return exact_[frame].has_value(); }
  // Empty if the frame has none.
  std::string read_exact(size_t frame) const;

  // The JSON head of a frame; empty if it is damaged.
  std::string read_head(size_t frame) const;

 private:
  std::string read(std::uint64_t offset, std::uint64_t size) const;

  std::string path_;
  int generation_ = 0;
  std::uint32_t version_ = 0;
  std::uint64_t inode_ = 0, device_ = 0;
  std::uint64_t end_ = 0;  // of the last whole record
  bool has_topology_ = false;
  RecordPlace topology_;
  std::vector<RecordPlace> frames_;
  std::vector<std::optional<RecordPlace>> exact_;  // of each frame
};

}  // namespace marrow
