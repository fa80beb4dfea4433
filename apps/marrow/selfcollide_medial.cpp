// marrow selfcollide --method medial: the same pairs through medial primitives and voxels (docs/models/
// medial_elastics.md), beside the exact search.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/activity.h"
#include "core/clock.h"
#include "core/error.h"
#include "geometry/certificates/self_collision.h"
#include "geometry/medial/fit_nodes.h"
#include "geometry/medial/voxel_query.h"
#include "marrow/certificate_work.h"
#include "marrow/selfcollide.h"
#include "marrow/verbs.h"
#include "preprocess/medial/medial_file.h"
#include "preprocess/medial_body/medial_body.h"

namespace marrow {
namespace {

struct MedialFrame {
  std::string name;
  std::vector<IndexPair> found;
  size_t exact = 0, differences = 0, overlaps = 0, neighbors = 0;
  CullCounts culled;
  VoxelCounts voxels;
  size_t exact_tests = 0;
  double growth = 0;  // the largest [m]
  double seconds = 0, exact_seconds = 0;
};

PreparedMedial load_prepared(const MedialCollideArguments& arguments) {
  if (arguments.rest.ends_with(".medial")) return read_medial(arguments.rest);
  const Mesh mesh = read_any(arguments.rest);
  MedialOptions options;
  options.handles = arguments.handles;
  MedialReport report;
  bool is_cached = false;
  PreparedMedial prepared = prepare_medial_cached(mesh, arguments.rest, options, report, is_cached);
  if (prepared.surface.points.size() != mesh.points.size() || prepared.surface.triangles != mesh.triangles) {
    throw InputError({arguments.rest, 0, 0, {}},
                     "the rest mesh had to be repaired, so frames do not fit its surface",
                     "Repair it first with `marrow prepare repair`, and deform the repaired mesh.");
  }
  return prepared;
}

BoundKind read_bound(const std::string& name) {
  const auto& names = EnumNames<BoundKind>::names;
  return static_cast<BoundKind>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

// The hierarchy of the exact search, without certificates.
Certificates make_tree(const Mesh& surface) {
  CertificateOptions options;
  options.max_triangles = 0;
  return compute_certificates(surface, options, {"", true}).certificates;
}

// The medial search with its memory, and the exact one.
class MedialSearch {
 public:
  MedialSearch(const MedialCollideArguments& arguments, const PreparedMedial& prepared)
      : kind_(read_bound(arguments.bound)),
        bounds_(make_medial_rest(prepared, list_body_handles(prepared, HandleKind::Affine))),
        fit_(bounds_.rest()),
        certificates_(make_tree(bounds_.rest().surface)),
        exact_(certificates_) {}

  const MedialBounds& bounds() const { return bounds_; }

  MedialFrame search(const std::string& name, const Points& x) {
    const Activity activity("searching a frame");
    MedialFrame frame;
    frame.name = name;
    const Clock::time_point start = Clock::now();
    bounds_.update(kind_, fit_.fit(x), x, cover_);
    frame.culled = culling_.find_self(bounds_.primitives(), cover_, overlaps_);
    const MedialSurface surface = {&bounds_, &cover_, &x};
    frame.voxels = find_meeting_triangles(surface, surface, overlaps_, frame.found);
    frame.seconds = seconds_since(start);
    frame.overlaps = overlaps_.size();
    for (const PrimitiveOverlap& overlap : overlaps_) frame.neighbors += overlap.is_neighbor ? 1 : 0;
    for (const double growth : cover_.growth) frame.growth = std::max(frame.growth, growth);
    const SelfCollisions exact = exact_.find(x, Culling::Plain);
    frame.exact = exact.pairs.size();
    frame.exact_seconds = exact.counts.seconds();
    frame.exact_tests = exact.counts.triangle_tests;
    frame.differences = count_differences(exact.pairs, frame.found);
    return frame;
  }

 private:
  BoundKind kind_;
  MedialBounds bounds_;
  NodeFit fit_;
  Certificates certificates_;
  SelfCollider exact_;
  MedialCulling culling_;
  MedialCover cover_;
  std::vector<PrimitiveOverlap> overlaps_;
};

nlohmann::ordered_json to_json(const MedialFrame& frame, int list) {
  nlohmann::ordered_json entry = {
      {"file", frame.name},
      {"pairs", frame.exact},
      {"medial",
       {{"overlaps", frame.overlaps},
        {"neighbor_overlaps", frame.neighbors},
        {"primitive_tests", frame.culled.primitive_tests},
        {"voxel_tests", frame.voxels.box_tests},
        {"triangle_tests", frame.voxels.triangle_tests},
        {"largest_growth", frame.growth},
        {"ms", 1e3 * frame.seconds}}},
      {"exact", {{"triangle_tests", frame.exact_tests}, {"ms", 1e3 * frame.exact_seconds}}}};
  if (list > 0) {
    const size_t count = std::min(static_cast<size_t>(list), frame.found.size());
    entry["triangles"] =
        std::vector<IndexPair>(frame.found.begin(), frame.found.begin() + static_cast<std::ptrdiff_t>(count));
  }
  entry["differences"] = frame.differences;
  return entry;
}

void print_medial_row(const MedialFrame& frame, int list) {
  fmt::print("{:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9.3f} {:>9.3f} {:>5}  {}\n", frame.exact, frame.overlaps,
             frame.neighbors, frame.voxels.box_tests, frame.voxels.triangle_tests, frame.exact_tests,
             1e3 * frame.seconds, 1e3 * frame.exact_seconds, frame.differences, frame.name);
  for (size_t i = 0; i < std::min(static_cast<size_t>(list), frame.found.size()); ++i)
    fmt::print("        triangles {} and {}\n", frame.found[i][0], frame.found[i][1]);
}

}  // namespace

int run_selfcollide_medial(const MedialCollideArguments& arguments) {
  const PreparedMedial prepared = load_prepared(arguments);
  MedialSearch search(arguments, prepared);
  const Mesh& rest = search.bounds().rest().surface;
  nlohmann::ordered_json root = {{"rest", arguments.rest},
                                 {"method", "medial"},
                                 {"bound", arguments.bound},
                                 {"triangles", rest.triangles.size()},
                                 {"primitives", search.bounds().primitives().size()},
                                 {"frames", nlohmann::ordered_json::array()}};
  size_t pairs = 0, differences = 0;
  if (!arguments.json) {
    fmt::print("{} triangles, {} primitives\n{:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>5}  frame\n",
               rest.triangles.size(), search.bounds().primitives().size(), "found", "overlaps", "neighbors",
               "in voxels", "tests", "exact", "medial ms", "exact ms", "diff.");
  }
  for (const std::string& path : arguments.frames) {
    const MedialFrame frame = search.search(path, read_frame(path, rest));
    pairs += frame.exact;
    differences += frame.differences;
    if (arguments.json) {
      root["frames"].push_back(to_json(frame, arguments.list));
    } else {
      print_medial_row(frame, arguments.list);
    }
  }
  root["pairs"] = pairs;
  root["differences"] = differences;
  if (arguments.json) {
    fmt::print("{}\n", root.dump(1));
  } else {
    fmt::print("Total: {} pairs, {} differences\n", pairs, differences);
  }
  if (differences == 0) return kExitOk;
  fmt::print(
      stderr,
      "marrow: medial culling changed the result\n  This must never happen. Please report the files.\n");
  return kExitMissed;
}

}  // namespace marrow
