// iterates.bin: every configuration to which the nodes were moved, so that the paths between them can be
// checked.
//
// Little-endian. A header of 24 bytes: "MARROWIT", version (u64), node count (u64). Then records of one size:
// step (i32), 1 if a solve begins there and nothing moved (u32), and three doubles per node. From a record to
// the next the nodes moved straight, and rigid bodies turned about an axis (kinematics/charts.h, find_turns),
// unless the next one is such a start. Only the last record can be incomplete; it counts as not written.
#pragma once

#include <cstdint>
#include <string>

#include "core/types.h"

namespace marrow {

struct Iterate {
  int step = 0;           // the step being solved
  bool is_start = false;  // a solve begins here
  VecX nodes;
};

class IteratesFile {
 public:
  // Opens for appending after keeping only the whole records of steps up to last_step; 0 starts anew, as does
  // a file that is missing, damaged at its start or of another number of nodes. Throws OutputError.
  IteratesFile(const std::string& path, Index node_count, int last_step);
  ~IteratesFile();
  IteratesFile(const IteratesFile&) = delete;
  IteratesFile& operator=(const IteratesFile&) = delete;

  // Throws OutputError.
  void add(int step, const VecX& nodes, bool is_start);

  // Whether what earlier steps recorded was there; false too if there was nothing to keep.
  bool has_earlier() const { return has_earlier_; }

 private:
  void append(const std::string& bytes);

  std::string path_;
  Index node_count_;
  int fd_ = -1;
  bool has_earlier_ = false;
};

// Reads the records one after the other.
class IteratesReader {
 public:
  // Throws InputError if there is no such file or it is none of ours.
  explicit IteratesReader(const std::string& path);
  ~IteratesReader();
  IteratesReader(const IteratesReader&) = delete;
  IteratesReader& operator=(const IteratesReader&) = delete;

  Index node_count() const { return node_count_; }
  // Whole records in the file.
  std::int64_t count() const { return count_; }
  // Whether bytes of a record that is not whole follow.
  bool is_torn() const { return is_torn_; }

  // Passes over the next record, telling its step; false at the end. Throws as next does.
  bool skip(int& step);

  // The next record; false at the end. Throws InputError if the record makes no sense or cannot be read.
  bool next(Iterate& iterate);

 private:
  void read_start(Iterate& iterate) const;
  std::uint64_t offset() const;

  std::string path_;
  int fd_ = -1;
  Index node_count_ = 0;
  std::int64_t count_ = 0;
  std::int64_t position_ = 0;
  bool is_torn_ = false;
};

}  // namespace marrow
