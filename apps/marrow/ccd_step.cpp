#include "marrow/ccd_step.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "contact/candidates.h"
#include "contact/step_limit.h"
#include "geometry/queries/queries.h"

namespace marrow {
namespace {

// Seconds since the last call.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

CollisionStep run_collision_step(const std::string& start_frame, const std::string& end_frame,
                                 const CcdOptions& options) {
  CollisionStep step;
  Stopwatch watch;
  const FramePair frames = read_frame_pair(start_frame, end_frame);
  step.read_s = watch.lap();

  CandidateFinder finder(build_collision_mesh(frames.start), {});
  Candidates candidates;
  finder.find_swept(frames.start.points, frames.end.points, options.min_separation, candidates);
  step.candidates_ee = candidates.edge_edge.size();
  step.candidates_vf = candidates.vertex_triangle.size();
  step.candidates_other = candidates.vertex_edge.size() + candidates.vertex_vertex.size();
  step.broad_s = watch.lap();

  PairStencils pairs;
  make_pair_stencils(finder.mesh(), candidates, pairs);
  step.stencil_s = watch.lap();

  BatchOptions batch;
  batch.tolerance = options.tolerance;
  batch.min_separation = options.min_separation;
  step.toi =
      find_earliest_collision(pairs, {frames.start.points, frames.end.points, finder.mesh().radii}, batch);
  step.narrow_s = watch.lap();
  return step;
}

void print_collision_step(const CollisionStep& step, bool as_json) {
  const bool is_free = std::isinf(step.toi);
  if (as_json) {
    const nlohmann::ordered_json seconds = {{"read", step.read_s},
                                            {"broad_phase", step.broad_s},
                                            {"stencils", step.stencil_s},
                                            {"narrow_phase", step.narrow_s}};
    nlohmann::ordered_json root = {{"candidates_ee", step.candidates_ee},
                                   {"candidates_vf", step.candidates_vf},
                                   {"candidates_other", step.candidates_other},
                                   {"toi", nullptr},
                                   {"seconds", seconds}};
    if (!is_free) root["toi"] = step.toi;
    fmt::print("{}\n", root.dump(1));
    return;
  }
  fmt::print("  edge-edge candidates    {}\n  vertex-face candidates  {}\n", step.candidates_ee,
             step.candidates_vf);
  if (step.candidates_other > 0) fmt::print("  other candidates        {}\n", step.candidates_other);
  fmt::print("  earliest impact         {}\n", is_free ? "none" : fmt::format("t = {:.17g}", step.toi));
  fmt::print(
      "  time                    read {:.3f} s, broad phase {:.3f} s, stencils {:.3f} s, narrow phase {:.3f} "
      "s\n",
      step.read_s, step.broad_s, step.stencil_s, step.narrow_s);
}

}  // namespace marrow
