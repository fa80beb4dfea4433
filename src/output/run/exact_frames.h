// The exact frames of a run, from the record that it keeps (run.mrw, docs/frame_format.md).
//
// A frame holds the nodes of the bodies that move; those of bodies at rest are the model's. All points follow
// by x = W n, computed as the run computed them, and their sums must be those that the run wrote down: so
// every bit is known to be right.
#pragma once

#include <string>
#include <vector>

#include "output/frames/frames_file.h"
#include "sim/model/model.h"

namespace marrow {

class ExactFrames {
 public:
  // The model must outlive this. Throws InputError if there is no such file or it is none of frames.
  ExactFrames(const std::string& path, const Model& model);

  size_t size() const { return reader_.frames().size(); }
  int step(size_t frame) const { return reader_.frames()[frame].header.step; }
  double time(size_t frame) const { return reader_.frames()[frame].header.time; }
  // Whether all frames are of this model and exact. Runs of earlier versions kept none.
  bool is_complete() const { return is_complete_; }

  // A field of the frame: 16 bits between its smallest and largest value on the points that are drawn, 0 on
  // others.
  struct Field {
    std::string name;
    std::vector<double> values;  // one per point
  };
  std::vector<Field> read_fields(size_t frame) const;

  // All nodes, and all points. Throws InputError if the frame is damaged or is not exact.
  VecX read_nodes(size_t frame) const;
  Points read_points(size_t frame) const;

 private:
  void take_record(const std::string& record, const char* array, BodyMotion motion, VecX& nodes,
                   RecordSums& sums) const;
  [[noreturn]] void fail(const std::string& problem) const;

  std::string path_;
  const Model& model_;
  FramesReader reader_;
  DrawnTopology drawn_;
  bool is_complete_ = false;
};

}  // namespace marrow
