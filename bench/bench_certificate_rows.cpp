// Self-collision culling by certificates, one measurement a call, as a line of JSON; bench_certificates.py
// makes the tables. Plain and certified search by turns in one run, on the same hierarchy.
//
//   example KIND TRIANGLES [THREADS [REPEATS]]   a generated relative of table 1 of Zheng and James 2012
//   files REST FRAMES…                           a sequence of meshes
//   sequences TRIANGLES SEEDS                    all kinds with so many seeds: the same pairs?
//   trials COUNT SEED                            deformations aimed at just crossing a certificate
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>

#include "core/error.h"
#include "exec/parallel.h"
#include "geometry/certificates/self_collision.h"
#include "mesh/io/mesh_file.h"
#include "preprocess/certificate_trials.h"
#include "preprocess/certificates/certificates.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

constexpr int kTimes = 10;
constexpr int kWindowFrames = 7;  // of which the first ones lead to those that count
constexpr size_t kLeadingFrames = 3;
constexpr int kRepeats = 3;

struct Totals {
  double plain = 0, certified = 0;            // seconds, summed over frames
  double plain_free = 0, certified_free = 0;  // likewise, of frames without pairs
  size_t frames = 0, differences = 0, far_leaves = 0, leaf_tests = 0, plain_leaf_tests = 0;
  std::string pairs;  // of every frame
};

// Consecutive frames; the first ones only lead to those that count.
struct Window {
  std::vector<Points> frames;
  size_t first = 1;
};

// For plain and certified search, each with the memory of its own past.
struct Colliders {
  SelfCollider plain, certified;
};

SelfCollisions search(Colliders& colliders, const Window& window, size_t frame, bool is_continuous,
                      Culling culling) {
  SelfCollider& collider = culling == Culling::Plain ? colliders.plain : colliders.certified;
  return is_continuous ? collider.find_swept(window.frames[frame - 1], window.frames[frame], culling)
                       : collider.find(window.frames[frame], culling);
}

void add_frame(const SelfCollisions& plain, const SelfCollisions& certified, Totals& totals) {
  totals.plain += plain.counts.seconds();
  totals.certified += certified.counts.seconds();
  if (plain.pairs.empty()) {
    totals.plain_free += plain.counts.seconds();
    totals.certified_free += certified.counts.seconds();
  }
  totals.differences += plain.pairs != certified.pairs ? 1 : 0;
  totals.far_leaves += certified.counts.far_leaf_tests;
  totals.leaf_tests += certified.counts.leaf_tests;
  totals.plain_leaf_tests += plain.counts.leaf_tests;
  totals.pairs += fmt::format("{}{}", totals.frames++ == 0 ? "" : ", ", plain.pairs.size());
}

// Plain and certified by turns; of every frame the fastest of each counts.
void add_window(Colliders& colliders, const Window& window, bool is_continuous, int repeats, Totals& totals) {
  std::vector<std::array<SelfCollisions, 2>> best(window.frames.size());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (size_t frame = 1; frame < window.frames.size(); ++frame) {
      for (const Culling culling : {Culling::Plain, Culling::Certified}) {
        SelfCollisions found = search(colliders, window, frame, is_continuous, culling);
        SelfCollisions& kept = best[frame][culling == Culling::Plain ? 0 : 1];
        if (repeat == 0 || found.counts.seconds() < kept.counts.seconds()) kept = std::move(found);
      }
    }
  }
  for (size_t frame = window.first; frame < window.frames.size(); ++frame) {
    add_frame(best[frame][0], best[frame][1], totals);
  }
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

void measure(const std::string& name, const Mesh& rest, const std::vector<Window>& windows, int repeats) {
  const CertificateOptions options;
  Certificates certificates = begin_certificates(rest.points, rest.triangles, options);
  // Processor time: others may be at work on the same machine.
  const std::clock_t start = std::clock();
  const PrepareReport report = complete_certificates(certificates);
  const double prepare = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  Colliders colliders = {SelfCollider(certificates), SelfCollider(certificates)};
  Totals discrete, continuous;
  for (const Window& window : windows) {
    add_window(colliders, window, false, repeats, discrete);
    add_window(colliders, window, true, repeats, continuous);
  }
  const double leaves = static_cast<double>(certificates.tree.nodes.size() + 1) / 2;
  const double count = static_cast<double>(std::max<size_t>(report.intra_count + report.inter_count, 1));
  fmt::print(
      R"({{"name": "{}", "triangles": {}, "vertices": {}, "threads": {}, "intra": {}, "inter": {}, )"
      R"("cover": {:.3f}, "prepare_s": {:.2f}, "green_share": {:.3f}, "planes": {}, )"
      R"("ms_per_certificate": {:.3f}, "bytes_per_triangle": {:.0f}, "data_bytes_per_triangle": {:.0f}, "discrete": {}, "continuous": {}}})"
      "\n",
      name, rest.triangles.size(), rest.points.size(), exec::thread_count(), report.intra_count,
      report.inter_count, report.cover_ratio, prepare,
      report.green_seconds / (report.green_seconds + report.pair_seconds), report.plane_count,
      1e3 * prepare / count,
      static_cast<double>(certificates.byte_count()) / static_cast<double>(rest.triangles.size()),
      static_cast<double>(certificates.data_byte_count()) / static_cast<double>(rest.triangles.size()),
      format_totals(discrete, leaves), format_totals(continuous, leaves));
}

// Some times of a sequence of so many frames, each with the frames before it.
std::vector<Window> list_windows(const DeformingMesh& body, double sequence_frames) {
  std::vector<Window> windows(kTimes);
  for (int k = 1; k <= kTimes; ++k) {
    Window& window = windows[static_cast<size_t>(k - 1)];
    window.first = kLeadingFrames;
    for (int back = kWindowFrames; back-- > 0;)
      window.frames.push_back(body.at(double(k) / kTimes - back / sequence_frames));
  }
  return windows;
}

// From rest to the end in few frames.
Window list_frames(const DeformingMesh& body) {
  Window window;
  for (int frame = 0; frame <= kTimes; ++frame) window.frames.push_back(body.at(double(frame) / kTimes));
  return window;
}

int run_example(const std::string& kind, int triangles, int repeats) {
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
    measure(kind, body.rest, list_windows(body, 200), repeats);
    return 0;
  }
  fmt::print(stderr, "bench_certificate_rows: no kind '{}'\n", kind);
  return 2;
}

void run_files(const std::vector<std::string>& files) {
  const Mesh rest = read_mesh(files.at(0));
  Window window = {{rest.points}};
  for (size_t i = 1; i < files.size(); ++i) window.frames.push_back(read_mesh(files[i]).points);
  measure(files[0], rest, {window}, kRepeats);
}

void run_sequences(int triangles, unsigned seeds) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    for (const DeformingMesh& body : make_deforming_meshes(triangles, seed)) {
      measure(body.name, body.rest, {list_frames(body)}, 1);
    }
  }
}

// Ever other meshes of all kinds, a few trials each; every kind gets its share or says that it has none.
void run_trials(size_t trials, unsigned seed) {
  constexpr size_t kRounds = 40;
  std::map<std::string, TrialCounts> totals;
  for (unsigned round = 0; round < kRounds; ++round) {
    const int triangles = 100 + 4 * static_cast<int>(round);
    const std::vector<DeformingMesh> bodies = make_deforming_meshes(triangles, seed + round);
    for (size_t i = 0; i < bodies.size(); ++i) {
      const auto draws = static_cast<unsigned>(1000 * (seed + round) + i);
      const TrialCounts counts = run_crossing_trials(bodies[i].rest, trials / bodies.size() / kRounds, draws);
      TrialCounts& sum = totals[bodies[i].name];
      sum.trials += counts.trials;
      sum.colliding += counts.colliding;
      sum.certified += counts.certified;
      sum.unsound += counts.unsound;
    }
  }
  for (const auto& [name, counts] : totals) {
    fmt::print(R"({{"name": "{}", "trials": {}, "colliding": {}, "certified": {}, "unsound": {}}})"
               "\n",
               name, counts.trials, counts.colliding, counts.certified, counts.unsound);
  }
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](size_t i, int otherwise) {
    return i < words.size() ? std::atoi(words[i].c_str()) : otherwise;
  };
  if (words.size() >= 2 && words[0] == "example") {
    exec::set_thread_count(number(3, 1));
    return run_example(words[1], number(2, 12000), number(4, kRepeats));
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
