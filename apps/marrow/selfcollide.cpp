// marrow selfcollide --rest REST FRAMES…: all self-intersections of a deforming mesh, with and without
// certificates, or through medial primitives (selfcollide_medial.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/activity.h"
#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "exec/parallel.h"
#include "geometry/certificates/certificate_file.h"
#include "geometry/certificates/self_collision.h"
#include "marrow/certificate_work.h"
#include "marrow/selfcollide.h"
#include "marrow/verbs.h"
#include "mesh/io/mesh_file.h"
#include "output/vtk/vtu.h"

namespace marrow {
namespace {

struct SelfCollideArguments {
  std::string rest;
  std::vector<std::string> frames;
  std::string certificates;
  CertificateOptions options;
  bool continuous = false;
  int repeat = 1;
  int list = 0;
  int threads = 0;
  bool json = false;
  std::string method = "certificates";
  MedialCollideArguments medial;
};

// One frame, or the way to it from the frame before.
struct FrameResult {
  std::string name;
  SelfCollisions plain, certified;
  size_t differences = 0;
  bool is_searched = false;
};

// Each with the memory of its own past.
struct Colliders {
  SelfCollider plain, certified;

  SelfCollider& of(Culling culling) { return culling == Culling::Plain ? plain : certified; }
};

Certificates get_certificates(const SelfCollideArguments& arguments, const Mesh& rest) {
  if (!arguments.certificates.empty()) {
    return read_certificates(arguments.certificates, rest.points, rest.triangles);
  }
  return compute_certificates(rest, arguments.options, {"", arguments.json}).certificates;
}

// Plain and certified by turns, so that both see the same machine; the fastest of all passes counts.
void test_frame(Colliders& colliders, const SelfCollideArguments& arguments, const Points& from,
                const Points& to, FrameResult& frame) {
  const Activity activity("searching a frame");
  std::array<std::vector<IndexPair>, 2> pairs;
  for (const Culling culling : {Culling::Plain, Culling::Certified}) {
    SelfCollider& collider = colliders.of(culling);
    SelfCollisions found =
        arguments.continuous ? collider.find_swept(from, to, culling) : collider.find(to, culling);
    pairs[culling == Culling::Plain ? 0 : 1] = found.pairs;
    SelfCollisions& kept = culling == Culling::Plain ? frame.plain : frame.certified;
    if (!frame.is_searched || found.counts.seconds() < kept.counts.seconds()) kept = std::move(found);
  }
  frame.is_searched = true;
  frame.differences = std::max(frame.differences, count_differences(pairs[0], pairs[1]));
}

size_t sum(const std::vector<size_t>& list) {
  size_t total = 0;
  for (const size_t count : list) total += count;
  return total;
}

std::string format_levels(const std::vector<size_t>& counts) {
  std::string text;
  for (size_t level = 0; level < counts.size(); ++level) {
    if (counts[level] > 0) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", level, counts[level]);
  }
  return text.empty() ? "none" : text;
}

void print_header(const SelfCollideArguments& arguments) {
  fmt::print("{:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9} {:>9} {:>8} {:>5}  {}\n", "found", "tests",
             "certified", "patches", "pairs", "planes", "plain ms", "cert. ms", "speed-up", "diff.",
             arguments.continuous ? "motion to" : "frame");
}

void print_row(const SelfCollideArguments& arguments, const FrameResult& frame) {
  const SelfCollisionCounts& plain = frame.plain.counts;
  const SelfCollisionCounts& counts = frame.certified.counts;
  std::vector<size_t> by_level = counts.nodes_culled;
  for (size_t level = 0; level < by_level.size(); ++level) {
    by_level[level] += counts.pairs_culled[level] + counts.planes_culled[level];
  }
  fmt::print("{:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9.3f} {:>9.3f} {:>8.2f} {:>5}  {}\n",
             frame.plain.pairs.size(), plain.triangle_tests, counts.triangle_tests, sum(counts.nodes_culled),
             sum(counts.pairs_culled), sum(counts.planes_culled), 1e3 * plain.seconds(),
             1e3 * counts.seconds(), plain.seconds() / counts.seconds(), frame.differences, frame.name);
  fmt::print("        culled at levels {}\n", format_levels(by_level));
  for (int i = 0; i < std::min(arguments.list, static_cast<int>(frame.plain.pairs.size())); ++i) {
    const IndexPair& pair = frame.plain.pairs[static_cast<size_t>(i)];
    fmt::print("        triangles {} and {}\n", pair[0], pair[1]);
  }
}

nlohmann::ordered_json to_json(const SelfCollisionCounts& counts) {
  return {{"triangle_tests", counts.triangle_tests},
          {"leaf_tests", counts.leaf_tests},
          {"far_leaf_tests", counts.far_leaf_tests},
          {"box_tests", counts.box_tests},
          {"update_ms", 1e3 * counts.update_seconds},
          {"query_ms", 1e3 * counts.query_seconds},
          {"ms", 1e3 * counts.seconds()}};
}

nlohmann::ordered_json to_json(const SelfCollideArguments& arguments, const FrameResult& frame) {
  nlohmann::ordered_json entry = {{"file", frame.name}, {"pairs", frame.plain.pairs.size()}};
  entry["plain"] = to_json(frame.plain.counts);
  entry["certified"] = to_json(frame.certified.counts);
  const SelfCollisionCounts& counts = frame.certified.counts;
  entry["certified"]["certificate_tests"] = counts.certificate_tests;
  entry["certified"]["plane_tests"] = counts.plane_tests;
  entry["certified"]["patches_culled_by_level"] = counts.nodes_culled;
  entry["certified"]["pairs_culled_by_level"] = counts.pairs_culled;
  entry["certified"]["planes_culled_by_level"] = counts.planes_culled;
  if (arguments.list > 0) {
    entry["triangles"] = nlohmann::ordered_json::array();
    for (size_t i = 0; i < std::min(static_cast<size_t>(arguments.list), frame.plain.pairs.size()); ++i)
      entry["triangles"].push_back(frame.plain.pairs[i]);
  }
  entry["differences"] = frame.differences;
  entry["speedup"] = frame.plain.counts.seconds() / frame.certified.counts.seconds();
  return entry;
}

struct Totals {
  size_t pairs = 0, differences = 0;
  double plain = 0, certified = 0;

  void add(const FrameResult& frame) {
    pairs += frame.plain.pairs.size();
    differences += frame.differences;
    plain += frame.plain.counts.seconds();
    certified += frame.certified.counts.seconds();
  }
  double speedup() const { return certified > 0 ? plain / certified : 1; }
};

// Calls what is given with every frame, and where the motion to it begins: at the first frame or, if that is
// the only one, at rest.
template <class Test>
void for_each_frame(const SelfCollideArguments& arguments, const Mesh& rest, const Test& test) {
  Points last = rest.points;
  for (size_t i = 0; i < arguments.frames.size(); ++i) {
    Points x = read_frame(arguments.frames[i], rest);
    const bool is_start = arguments.continuous && i == 0 && arguments.frames.size() > 1;
    if (!is_start) test(i, last, x);
    last = std::move(x);
  }
}

// What is wrong with the arguments is told before the long work, not after it.
void check_arguments(const SelfCollideArguments& arguments) {
  for (const std::string& path : arguments.frames) {
    if (std::filesystem::path(path).extension() != ".vtu") mesh_format_of(path);
    if (!is_file(path)) throw InputError({path, 0, 0, {}}, "the frame does not exist", "Check the name.");
  }
  if (!arguments.certificates.empty() && !is_file(arguments.certificates)) {
    throw InputError({arguments.certificates, 0, 0, {}}, "the certificate file does not exist",
                     "Make it with: marrow prepare certificates MESH -o FILE");
  }
  if (arguments.method == "medial" && arguments.continuous) {
    throw InputError({arguments.rest, 0, 0, {}},
                     "--method medial looks at frames, not at the motion between them",
                     "Leave out --continuous, or use the method certificates.");
  }
}

int run_selfcollide(const SelfCollideArguments& arguments) {
  exec::set_thread_count(arguments.threads);
  check_arguments(arguments);
  if (arguments.method == "medial") {
    MedialCollideArguments medial = arguments.medial;
    medial.rest = arguments.rest;
    medial.frames = arguments.frames;
    medial.list = arguments.list;
    medial.json = arguments.json;
    return run_selfcollide_medial(medial);
  }
  const Mesh rest = read_any(arguments.rest);
  check_triangle_mesh(rest, arguments.rest);
  const Certificates certificates = get_certificates(arguments, rest);
  Colliders colliders = {SelfCollider(certificates), SelfCollider(certificates)};
  // The first search of all is slow for reasons of its own.
  for (const Culling culling : {Culling::Plain, Culling::Certified}) {
    colliders.of(culling).find(rest.points, culling);
  }
  std::vector<FrameResult> frames(arguments.frames.size());
  for (int pass = 1; pass < arguments.repeat; ++pass) {
    colliders.certified.forget();
    for_each_frame(arguments, rest, [&](size_t i, const Points& from, const Points& to) {
      test_frame(colliders, arguments, from, to, frames[i]);
    });
  }
  nlohmann::ordered_json root = {{"rest", arguments.rest},
                                 {"triangles", rest.triangles.size()},
                                 {"continuous", arguments.continuous},
                                 {"frames", nlohmann::ordered_json::array()}};
  Totals totals;
  if (!arguments.json) print_header(arguments);
  colliders.certified.forget();
  for_each_frame(arguments, rest, [&](size_t i, const Points& from, const Points& to) {
    FrameResult& frame = frames[i];
    frame.name = arguments.frames[i];
    test_frame(colliders, arguments, from, to, frame);
    totals.add(frame);
    if (arguments.json) {
      root["frames"].push_back(to_json(arguments, frame));
    } else {
      print_row(arguments, frame);
    }
    frame = {};
  });
  root["pairs"] = totals.pairs;
  root["plain_ms"] = 1e3 * totals.plain;
  root["certified_ms"] = 1e3 * totals.certified;
  root["differences"] = totals.differences;
  root["speedup"] = totals.speedup();
  if (arguments.json) {
    fmt::print("{}\n", root.dump(1));
  } else {
    fmt::print("Total: {} pairs, {} differences, speed-up {:.2f}\n", totals.pairs, totals.differences,
               totals.speedup());
  }
  if (totals.differences == 0) return kExitOk;
  fmt::print(stderr,
             "marrow: certificates changed the result\n  This must never happen. Please report the files.\n");
  return kExitMissed;
}

}  // namespace

size_t count_differences(const std::vector<IndexPair>& a, const std::vector<IndexPair>& b) {
  std::vector<IndexPair> only;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(only));
  return only.size();
}

// A frame of our own runs, or a mesh of any format.
Mesh read_any(const std::string& path) {
  if (std::filesystem::path(path).extension() != ".vtu") return read_mesh(path);
  VtuFrame frame = read_vtu(path);
  Mesh mesh;
  mesh.points = std::move(frame.points);
  mesh.triangles = std::move(frame.triangles);
  if (mesh.triangles.empty()) {
    throw InputError(
        {path, 0, 0, {}}, "the frame has no triangles",
        "For bodies with tets, a run writes the tets only. Extract their surface with another program.");
  }
  return mesh;
}

Points read_frame(const std::string& path, const Mesh& rest) {
  Mesh frame = read_any(path);
  const auto fail = [&](const std::string& problem) {
    throw InputError({path, 0, 0, {}}, problem,
                     "All frames must have the rest mesh's triangles, in the same order.");
  };
  if (frame.points.size() != rest.points.size())
    fail(fmt::format("{} points, but the rest mesh has {}", frame.points.size(), rest.points.size()));
  if (frame.triangles != rest.triangles) fail("its triangles differ from those of the rest mesh");
  return std::move(frame.points);
}

void add_selfcollide_verb(Verb root) {
  auto arguments = std::make_shared<SelfCollideArguments>();
  const Verb verb = root.add_verb("selfcollide", "Find the self-intersections of a deforming mesh");
  verb.add_option("frames", arguments->frames, "Frames: meshes with the same triangles as the rest mesh")
      .required();
  verb.add_option("--rest", arguments->rest, "Mesh at rest; for the method medial also a .medial file")
      .required()
      .file();
  const Option given = verb.add_option("--certificates", arguments->certificates,
                                       "Certificates of the rest mesh; computed first if not given")
                           .file({".cert"});
  verb.add_option("--max-triangles", arguments->options.max_triangles,
                  "Number of triangles in the largest patch that gets a certificate, if they are computed")
      .check(whole(0, 10000))
      .show_default()
      .excludes(given);
  verb.add_option("--method", arguments->method,
                  "What leaves out work: certificates, or the medial primitives of a closed surface")
      .check(one_of({"certificates", "medial"}))
      .show_default();
  verb.add_option(
          "--bound", arguments->medial.bound,
          "How medial primitives follow the surface: measured is tightest, the others look at handles only")
      .check(one_of({"displacement", "rigid", "affine", "measured"}))
      .show_default();
  verb.add_option("--handles", arguments->medial.handles,
                  "Number of handles of the medial mesh, if the rest mesh is no .medial file")
      .check(whole_from(1))
      .show_default();
  verb.add_flag("--continuous", arguments->continuous,
                "Check the motion between frames instead of the frames");
  verb.add_option("--repeat", arguments->repeat,
                  "Number of passes through the sequence; the fastest search of each frame counts")
      .check(whole_from(1));
  verb.add_option("--list", arguments->list, "Number of triangle pairs to list per frame")
      .check(whole_from(0));
  verb.add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      .check(whole_from(0));
  verb.add_flag("--json", arguments->json, "Print one JSON object");
  verb.add_example("marrow selfcollide --rest rest.obj pose.obj", "lists where the pose intersects itself");
  verb.set_action([arguments] { return run_selfcollide(*arguments); });
}

}  // namespace marrow
