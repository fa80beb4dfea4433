// Self-collision culling by certificates, one measurement a call, as a line of JSON; bench_certificates.py
// makes the tables. Plain and certified search by turns in one run, on the same hierarchy.
//
//   bench_certificate_rows example KIND TRIANGLES [THREADS]   a generated relative of table 1 of Zheng and
//   James 2012 bench_certificate_rows files REST FRAMES…                 a sequence of meshes
//   bench_certificate_rows sequences TRIANGLES SEEDS          all kinds with so many seeds: the same pairs?
//   bench_certificate_rows trials COUNT SEED                  deformations aimed at just crossing a
//   certificate
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "core/error.h"
#include "exec/parallel.h"
#include "geometry/mesh_file.h"
#include "geometry/self_collision.h"
#include "preprocess/certificate_trials.h"
#include "preprocess/certificates.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

constexpr int kFrames = 10;
constexpr int kRepeats = 7;

struct Totals {
  double plain = 0, certified = 0;            // seconds, summed over frames
  double plain_free = 0, certified_free = 0;  // likewise, of frames without pairs
  size_t frames = 0, differences = 0, far_leaves = 0, leaf_tests = 0, plain_leaf_tests = 0;
  std::string pairs;  // of every frame
};

// Plain and certified by turns; the fastest of each counts.
void add_frame(SelfCollider& collider, const Points& from, const Points& to, bool is_continuous, int repeats,
               Totals& totals) {
  SelfCollisions best[2];
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (const Culling culling : {Culling::Plain, Culling::Certified}) {
      SelfCollisions found =
          is_continuous ? collider.find_swept(from, to, culling) : collider.find(to, culling);
      SelfCollisions& kept = best[culling == Culling::Plain ? 0 : 1];
      if (repeat == 0 || found.counts.seconds() < kept.counts.seconds()) kept = std::move(found);
    }
  }
  totals.plain += best[0].counts.seconds();
  totals.certified += best[1].counts.seconds();
  if (best[0].pairs.empty()) {
    totals.plain_free += best[0].counts.seconds();
    totals.certified_free += best[1].counts.seconds();
  }
  totals.differences += best[0].pairs != best[1].pairs ? 1 : 0;
  totals.far_leaves += best[1].counts.far_leaf_tests;
  totals.leaf_tests += best[1].counts.leaf_tests;
  totals.plain_leaf_tests += best[0].counts.leaf_tests;
  totals.pairs += fmt::format("{}{}", totals.frames++ == 0 ? "" : ", ", best[0].pairs.size());
}

std::string format_totals(const Totals& t, double leaves) {
  const auto frames = static_cast<double>(t.frames);
  return fmt::format(
      R"({{"plain_ms": {:.4f}, "certified_ms": {:.4f}, "speedup": {:.2f}, "free_speedup": {:.2f}, "leaf_tests": {:.0f}, )"
      R"("plain_leaf_tests": {:.0f}, "difficulty": {:.3f}, "differences": {}, "pairs": [{}]}})",
      1e3 * t.plain / frames, 1e3 * t.certified / frames, t.plain / t.certified,
      t.certified_free > 0 ? t.plain_free / t.certified_free : 0, static_cast<double>(t.leaf_tests) / frames,
      static_cast<double>(t.plain_leaf_tests) / frames, static_cast<double>(t.far_leaves) / frames / leaves,
      t.differences, t.pairs);
}

// A frame, and where the motion to it begins.
struct Frame {
  Points from, to;
};

void measure(const std::string& name, const Mesh& rest, const std::vector<Frame>& frames, int repeats) {
  const CertificateOptions options;
  Certificates certificates = begin_certificates(rest.points, rest.triangles, options);
  // Processor time: others may be at work on the same machine.
  const std::clock_t start = std::clock();
  const PrepareReport report = complete_certificates(certificates);
  const double prepare = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  SelfCollider collider(certificates);
  Totals discrete, continuous;
  for (const Frame& frame : frames) {
    add_frame(collider, frame.from, frame.to, false, repeats, discrete);
    add_frame(collider, frame.from, frame.to, true, repeats, continuous);
  }
  const double leaves = static_cast<double>(certificates.tree.nodes.size() + 1) / 2;
  const double count = static_cast<double>(std::max<size_t>(report.intra_count + report.inter_count, 1));
  fmt::print(
      R"({{"name": "{}", "triangles": {}, "vertices": {}, "threads": {}, "intra": {}, "inter": {}, )"
      R"("cover": {:.3f}, "prepare_s": {:.2f}, "green_share": {:.3f}, "planes": {}, )"
      R"("ms_per_certificate": {:.3f}, "bytes_per_triangle": {:.0f}, "discrete": {}, "continuous": {}}})"
      "\n",
      name, rest.triangles.size(), rest.points.size(), exec::thread_count(), report.intra_count,
      report.inter_count, report.cover_ratio, prepare,
      report.green_seconds / (report.green_seconds + report.pair_seconds), report.plane_count,
      1e3 * prepare / count,
      static_cast<double>(certificates.byte_count()) / static_cast<double>(rest.triangles.size()),
      format_totals(discrete, leaves), format_totals(continuous, leaves));
}

// Some frames of a sequence of so many; motions are from the frame before.
std::vector<Frame> list_frames(const DeformingMesh& body, double sequence_frames) {
  std::vector<Frame> frames;
  for (int frame = 1; frame <= kFrames; ++frame) {
    const double t = double(frame) / kFrames;
    frames.push_back({body.at(t - 1 / sequence_frames), body.at(t)});
  }
  return frames;
}

int run_example(const std::string& kind, int triangles) {
  using Make = std::function<DeformingMesh(int, unsigned)>;
  const std::pair<const char*, Make> kinds[] = {
      {"flowing_cloth", make_flowing_cloth}, {"cloth_on_sphere", make_cloth_on_sphere},
      {"folding_cloth", make_folding_cloth}, {"twisting_bar", make_twisting_bar},
      {"spring_wire", make_spring_wire},     {"bending_rod", make_bending_rod},
      {"squashed_blob", make_squashed_blob}, {"noisy_blob", make_noisy_blob},
      {"spiky_blob", make_spiky_blob},       {"tentacle_ball", make_tentacle_ball}};
  for (const auto& [name, make] : kinds) {
    if (kind != name) continue;
    const DeformingMesh body = make(triangles, 1);
    measure(kind, body.rest, list_frames(body, 200), kRepeats);
    return 0;
  }
  fmt::print(stderr, "bench_certificate_rows: no kind '{}'\n", kind);
  return 2;
}

void run_files(const std::vector<std::string>& files) {
  const Mesh rest = read_mesh(files.at(0));
  std::vector<Frame> frames;
  for (size_t i = 1; i < files.size(); ++i) {
    frames.push_back({i == 1 ? rest.points : frames.back().to, read_mesh(files[i]).points});
  }
  measure(files[0], rest, frames, kRepeats);
}

void run_sequences(int triangles, unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    for (const DeformingMesh& body : make_deforming_meshes(triangles, seed)) {
      measure(body.name, body.rest, list_frames(body, kFrames), 1);
    }
  }
}

void run_trials(size_t trials, unsigned seed) {
  const std::vector<DeformingMesh> bodies = make_deforming_meshes(120, seed);
  for (const DeformingMesh& body : bodies) {
    const TrialCounts counts = run_crossing_trials(body.rest, trials / bodies.size(), seed);
    fmt::print(R"({{"name": "{}", "trials": {}, "colliding": {}, "certified": {}, "unsound": {}}})"
               "\n",
               body.name, counts.trials, counts.colliding, counts.certified, counts.unsound);
    std::fflush(stdout);
  }
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](size_t i, int otherwise) {
    return i < words.size() ? std::atoi(words[i].c_str()) : otherwise;
  };
  if (words.size() >= 2 && words[0] == "example") {
    exec::set_thread_count(number(3, 1));
    return run_example(words[1], number(2, 12000));
  }
  if (words.size() >= 3 && words[0] == "files") {
    exec::set_thread_count(1);
    run_files({words.begin() + 1, words.end()});
    return 0;
  }
  if (!words.empty() && words[0] == "sequences") {
    run_sequences(number(1, 600), static_cast<unsigned>(number(2, 2)));
    return 0;
  }
  if (!words.empty() && words[0] == "trials") {
    run_trials(static_cast<size_t>(number(1, 1000)), static_cast<unsigned>(number(2, 21)));
    return 0;
  }
  fmt::print(stderr,
             "Usage: bench_certificate_rows example|files|sequences|trials …; see its first lines.\n");
  return words.empty() ? 0 : 2;
}

}  // namespace
}  // namespace marrow

int main(int argc, char** argv) {
  try {
    return marrow::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_certificate_rows: {}\n", error.what());
    return 1;
  }
}
