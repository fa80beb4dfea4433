// Broad phase against ipc-toolkit's fastest method (LBVH) on the same frames: candidates and time, at rest
// and swept.
//
// Usage: bench_broad_phase [DATA [REPETITIONS]], DATA being the folder of the shared data.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>

#include "contact/candidates.h"
#include "exec/parallel.h"
#include "mesh/io/mesh_file.h"

namespace {

using namespace marrow;

// ipc-toolkit 1.5.0 on a machine of this kind, min of several; 0: not measured.
struct Baseline {
  size_t edge_edge, vertex_triangle;
  double ms_1, ms_2;
};

struct Scene {
  const char* name;
  const char* frame_0;
  const char* frame_1;
  double activation_distance;
  Baseline at_rest, swept;
};

const Scene kScenes[] = {
    {"spheres20k",
     "meshes/spheres20k/spheres20k_t0.obj",
     "meshes/spheres20k/spheres20k_t1.obj",
     0.01,
     {349071, 105400, 93.280, 59.223},
     {184376, 50240, 85.761, 53.953}},
    {"cloth-ball",
     "ccd/Sample-Scalable-CCD-Data/cloth-ball/frames/cloth_ball92.ply",
     "ccd/Sample-Scalable-CCD-Data/cloth-ball/frames/cloth_ball93.ply",
     0.01,
     {742421, 167258, 253.504, 152.964},
     {5197332, 1655541, 666.161, 421.650}},
    {"cloth-funnel",
     "ccd/Sample-Scalable-CCD-Data/cloth-funnel/frames/227.ply",
     "ccd/Sample-Scalable-CCD-Data/cloth-funnel/frames/228.ply",
     0.005,
     {167231, 49378, 47.395, 0},
     {33770, 7319, 36.378, 0}},
    {"armadillo-rollers",
     "ccd/Sample-Scalable-CCD-Data/armadillo-rollers/frames/326.ply",
     "ccd/Sample-Scalable-CCD-Data/armadillo-rollers/frames/327.ply",
     0.003,
     {129781, 37871, 53.273, 0},
     {5068572, 2032089, 430.120, 0}},
};

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class Call>
double measure_ms(int repetitions, const Call& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repetitions; ++i) {
    const double start = now_ms();
    call();
    least = std::min(least, now_ms() - start);
  }
  return least;
}

struct Times {
  double first, again;  // [ms]
};

struct Motion {
  const CollisionMesh& mesh;
  const Points& x0;
  const Points& x1;
  double activation_distance;
};

Times measure(const Motion& m, int threads, int repetitions, Candidates& candidates) {
  exec::set_thread_count(threads);
  CandidateFinder finder(m.mesh, {});
  Times times;
  times.first = measure_ms(std::min(repetitions, 5),
                           [&] { compute_swept_candidates(m.mesh, m.x0, m.x1, m.activation_distance); });
  times.again =
      measure_ms(repetitions, [&] { finder.find_swept(m.x0, m.x1, m.activation_distance, candidates); });
  return times;
}

std::string ratio_text(double baseline, double ours) {
  return baseline > 0 ? fmt::format("{:.1f} → **{:.1f}×**", baseline, baseline / ours) : "-";
}

void print_row(const Scene& scene, const char* kind, const Motion& motion, const Baseline& baseline,
               int repetitions) {
  Candidates found;
  const Times one = measure(motion, 1, repetitions, found);
  const Times two = measure(motion, 2, repetitions, found);
  fmt::print("| {} | {} | {} / {} | {} / {} | {:.1f} / {:.1f} | {:.1f} / {:.1f} | {} | {} |\n", scene.name,
             kind, found.edge_edge.size(), found.vertex_triangle.size(), baseline.edge_edge,
             baseline.vertex_triangle, one.again, two.again, one.first, two.first,
             ratio_text(baseline.ms_1, one.again), ratio_text(baseline.ms_2, two.again));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string data = argc > 1 ? argv[1] : "../shared/data";
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 20;
  fmt::print(
      "Milliseconds, min of {}, on 1 / 2 threads. again: memory kept; first: everything new.\n\n"
      "| scene | boxes | candidates EE / VT | LBVH's EE / VT | again | first | LBVH 1 thread → "
      "ours is faster by | LBVH 2 threads |\n|---|---|---|---|---|---|---|---|\n",
      repetitions);
  for (const Scene& scene : kScenes) {
    const Mesh frame_0 = read_mesh(data + "/" + scene.frame_0);
    const Mesh frame_1 = read_mesh(data + "/" + scene.frame_1);
    const CollisionMesh mesh = build_collision_mesh(frame_0);
    print_row(scene, "static", {mesh, frame_0.points, frame_0.points, scene.activation_distance},
              scene.at_rest, repetitions);
    print_row(scene, "swept", {mesh, frame_0.points, frame_1.points, 0}, scene.swept, repetitions);
  }
}
