// Self-collision culling by certificates: the columns of table 1 of Zheng and James 2012 for relatives of its
// examples, plain and certified search by turns in one run, and the trials aimed at unsound certificates.
//
// Usage: bench_certificates [triangles, default 12000] [trials, default 100000] [threads, default 1]
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "exec/parallel.h"
#include "geometry/self_collision.h"
#include "preprocess/certificate_trials.h"
#include "preprocess/certificates.h"
#include "preprocess/deforming_meshes.h"

namespace marrow {
namespace {

constexpr int kFrames = 10;
constexpr int kRepeats = 9;

struct Times {
  double plain = 0, certified = 0;
  size_t pairs = 0, differences = 0, far_leaves = 0, leaf_tests = 0, plain_leaf_tests = 0;
  double speedup() const { return plain / certified; }
};

// Plain and certified by turns; the fastest of each counts.
void add_frame(SelfCollider& collider, const Points& from, const Points& to, bool is_continuous,
               Times& times) {
  SelfCollisions best[2];
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (const Culling culling : {Culling::Plain, Culling::Certified}) {
      SelfCollisions found =
          is_continuous ? collider.find_swept(from, to, culling) : collider.find(to, culling);
      SelfCollisions& kept = best[culling == Culling::Plain ? 0 : 1];
      if (repeat == 0 || found.counts.seconds() < kept.counts.seconds()) kept = std::move(found);
    }
  }
  times.plain += best[0].counts.seconds() / kFrames;
  times.certified += best[1].counts.seconds() / kFrames;
  times.pairs += best[0].pairs.size();
  times.differences += best[0].pairs != best[1].pairs ? 1 : 0;
  times.far_leaves += best[1].counts.far_leaf_tests;
  times.leaf_tests += best[1].counts.leaf_tests;
  times.plain_leaf_tests += best[0].counts.leaf_tests;
}

void run_example(const DeformingMesh& body) {
  const CertificateOptions options;
  Certificates certificates = begin_certificates(body.rest.points, body.rest.triangles, options);
  const PrepareReport report = complete_certificates(certificates);
  SelfCollider collider(certificates);
  Times discrete, continuous;
  Points last = body.rest.points;
  for (int frame = 1; frame <= kFrames; ++frame) {
    const Points x = body.at(double(frame) / kFrames);
    add_frame(collider, last, x, false, discrete);
    add_frame(collider, last, x, true, continuous);
    last = x;
  }
  const auto triangles = static_cast<double>(body.rest.triangles.size());
  const double leaves = static_cast<double>(certificates.tree.nodes.size() + 1) / 2;
  fmt::print(
      "| {} | {} | {} | {} | {} | {:.2f} | {:.1f} | {:.1f} | {} | {:.2f} | {:.2f} | {:.0f} | {:.2f} | {:.2f} "
      "| "
      "**{:.1f}×** | **{:.1f}×** | {:.0f} → {:.0f} | {:.2f} | {} |\n",
      body.name, body.rest.triangles.size(), body.rest.points.size(), report.intra_count, report.inter_count,
      report.cover_ratio, report.green_seconds, report.pair_seconds, report.plane_count, report.plane_seconds,
      1e3 * (report.green_seconds + report.pair_seconds) /
          static_cast<double>(std::max<size_t>(report.intra_count + report.inter_count, 1)),
      static_cast<double>(certificates.byte_count()) / triangles, 1e3 * discrete.plain,
      1e3 * discrete.certified, discrete.speedup(), continuous.speedup(),
      static_cast<double>(discrete.plain_leaf_tests) / kFrames,
      static_cast<double>(discrete.leaf_tests) / kFrames,
      static_cast<double>(discrete.far_leaves) / kFrames / leaves,
      discrete.differences + continuous.differences);
}

void run_trials(size_t trials) {
  fmt::print(
      "\nLeast-energy deformations aimed at just crossing a certificate, under random affine maps:\n\n"
      "| mesh | trials | colliding | certified whole | unsound |\n| --- | --- | --- | --- | --- |\n");
  const std::vector<DeformingMesh> bodies = make_deforming_meshes(120, 21);
  TrialCounts all;
  for (const DeformingMesh& body : bodies) {
    const TrialCounts counts = run_crossing_trials(body.rest, trials / bodies.size(), 5);
    fmt::print("| {} | {} | {} | {} | {} |\n", body.name, counts.trials, counts.colliding, counts.certified,
               counts.unsound);
    all.trials += counts.trials;
    all.unsound += counts.unsound;
  }
  fmt::print("\n{} unsound certificates in {} trials.\n", all.unsound, all.trials);
}

}  // namespace
}  // namespace marrow

int main(int argc, char** argv) {
  using namespace marrow;
  const int triangles = argc > 1 ? std::atoi(argv[1]) : 12000;
  const size_t trials = argc > 2 ? static_cast<size_t>(std::atol(argv[2])) : 100000;
  exec::set_thread_count(argc > 3 ? std::atoi(argv[3]) : 1);
  fmt::print(
      "Times in seconds of all threads (G, certificates, planes), ms per certificate, bytes per triangle, ms "
      "per frame\n"
      "(mean of {} frames from rest to the end), threads: {}.\n\n",
      kFrames, exec::thread_count());
  fmt::print(
      "| example | tri | vtx | intra | inter | cover | G s | cert. s | planes | planes s | ms/cert. | B/tri "
      "| plain ms | "
      "certified ms | speed-up | CCD speed-up | leaf tests | difficulty | differences |\n");
  fmt::print(
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- "
      "| --- | --- |\n");
  for (const DeformingMesh& body : make_deforming_meshes(triangles, 1)) run_example(body);
  run_trials(trials);
  return 0;
}
