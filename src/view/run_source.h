// What the viewer shows: the folder of a run, finished or growing, or a single mesh. Only files of fixed
// names in that one folder are ever read, whatever a request says.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "mesh/mesh.h"
#include "output/frames/drawn.h"
#include "output/frames/frame.h"
#include "output/frames/frames_file.h"

namespace marrow {

// How far a run is, as far as its files tell.
struct SourceStatus {
  int generation = 0;  // goes up when what was read before is void
  size_t frames = 0;
  std::uint64_t metrics_bytes = 0;
  bool is_running = false;  // another process writes to the folder
};

// The files of poses and forces that a run has beside its metrics (output/run/results.h).
enum class ResultsTable { Bodies, Contacts, Joints };

class RunSource {
 public:
  // A run's folder. Throws InputError if it holds no frames for the viewer.
  static std::unique_ptr<RunSource> open_folder(const std::string& folder);
  // One picture.
  static std::unique_ptr<RunSource> from_frame(const std::string& name, const OutputTopology& topology,
                                               const Frame& frame);
  // The mesh with the surfaces of its tets.
  static std::unique_ptr<RunSource> from_mesh(const std::string& name, const Mesh& mesh);

  virtual ~RunSource() = default;

  // The functions below may be called by several threads.
  virtual SourceStatus update() = 0;
  // JSON: name, path, planned steps and time step (null if unknown).
  virtual std::string describe() = 0;
  // JSON: steps and times of the frames from the given one on, the box of all frames and the ranges of
  // fields.
  virtual std::string describe_frames(size_t from) = 0;
  // Records as run.mrw holds them; empty if there is no such frame.
  virtual std::string read_topology() = 0;
  virtual std::optional<std::string> read_frame(size_t frame) = 0;
  // Whole lines of metrics.jsonl from a byte on.
  virtual std::string read_metrics(std::uint64_t from) = 0;
  // The same of bodies.csv, contacts.csv or joints.csv.
  virtual std::string read_results(ResultsTable /*table*/, std::uint64_t /*from*/) { return {}; }
};

}  // namespace marrow
