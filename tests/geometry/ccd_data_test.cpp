// The published query files, where they are at hand: no contact is missed, no time is late.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/file.h"
#include "core/options.h"
#include "exec/parallel.h"
#include "geometry/queries/queries.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

fs::path ccd_data_folder() { return fs::path(MARROW_SOURCE_DIR).parent_path() / "shared" / "data" / "ccd"; }
fs::path scene_folder(const std::string& scene) {
  return ccd_data_folder() / "Sample-Scalable-CCD-Data" / scene;
}

std::vector<CcdResult> detect_all(const CcdQuerySet& set, CcdMethod method) {
  CcdOptions options;
  options.method = method;
  std::vector<CcdResult> results(set.queries.size());
  exec::parallel_for("ccd data", results.size(),
                     [&](size_t i) { results[i] = detect_collision(set.queries[i], options); });
  return results;
}

struct Counts {
  size_t positives = 0, false_positives = 0, false_negatives = 0;
};

Counts count(const CcdQuerySet& set, const std::vector<CcdResult>& results) {
  Counts counts;
  for (size_t i = 0; i < results.size(); ++i) {
    const bool touches = set.truth[i] != 0;
    counts.positives += touches ? 1 : 0;
    counts.false_positives += results[i].is_hit && !touches ? 1 : 0;
    counts.false_negatives += !results[i].is_hit && touches ? 1 : 0;
  }
  return counts;
}

constexpr CcdMethod kMethods[] = {CcdMethod::Advancement, CcdMethod::Inclusion, CcdMethod::Additive};

TEST(CcdData, handcrafted_queries) {
  if (!fs::exists(ccd_data_folder())) GTEST_SKIP() << "no shared data beside the repository";
  size_t queries = 0, positives = 0, false_positives[3] = {0, 0, 0};
  for (const auto& entry : fs::recursive_directory_iterator(ccd_data_folder() / "Sample-Queries")) {
    if (entry.path().extension() != ".csv") continue;
    const CcdQuerySet set = read_ccd_queries(entry.path().string());
    queries += set.queries.size();
    for (const CcdMethod method : kMethods) {
      const Counts counts = count(set, detect_all(set, method));
      EXPECT_EQ(counts.false_negatives, 0u) << entry.path() << " " << enum_name(method);
      false_positives[static_cast<int>(method)] += counts.false_positives;
      if (method == CcdMethod::Advancement) positives += counts.positives;
    }
  }
  EXPECT_EQ(queries, 5634u);
  EXPECT_EQ(positives, 278u);
  // Tight-Inclusion: 203.
  EXPECT_LE(false_positives[0], 20u);
  EXPECT_LE(false_positives[1], 203u);
}

struct Scene {
  const char* name;
  const char* id;
  const char* start;
  const char* end;
  size_t queries, positives;
};

TEST(CcdData, simulated_steps) {
  if (!fs::exists(ccd_data_folder())) GTEST_SKIP() << "no shared data beside the repository";
  const Scene scenes[] = {{"armadillo-rollers", "326ee", "326", "327", 19313, 19308},
                          {"armadillo-rollers", "326vf", "326", "327", 4652, 4650},
                          {"cloth-ball", "92ee", "cloth_ball92", "cloth_ball93", 94825, 94822},
                          {"cloth-ball", "92vf", "cloth_ball92", "cloth_ball93", 19034, 19032},
                          {"cloth-funnel", "227ee", "227", "228", 263, 107},
                          {"cloth-funnel", "227vf", "227", "228", 92, 27}};
  for (const Scene& scene : scenes) {
    const fs::path folder = scene_folder(scene.name), frames = folder / "frames";
    const CcdQuerySet set =
        read_ccd_boxes((folder / "boxes" / scene.id).string() + ".json",
                       (frames / scene.start).string() + ".ply", (frames / scene.end).string() + ".ply");
    EXPECT_EQ(set.queries.size(), scene.queries);
    for (const CcdMethod method : kMethods) {
      const Counts counts = count(set, detect_all(set, method));
      EXPECT_EQ(counts.positives, scene.positives);
      EXPECT_EQ(counts.false_negatives, 0u) << scene.name << scene.id << " " << enum_name(method);
      // Tight-Inclusion: 5, 2, 3, 2, 156, 65.
      EXPECT_LE(counts.false_positives, method == CcdMethod::Additive ? 160u : 2u) << scene.name << scene.id;
    }
  }
}

TEST(CcdData, query_files_are_what_frames_and_boxes_give) {
  if (!fs::exists(ccd_data_folder())) GTEST_SKIP() << "no shared data beside the repository";
  const fs::path folder = scene_folder("cloth-funnel");
  for (const std::string id : {"227ee", "227vf"}) {
    const CcdQuerySet file = read_ccd_queries((folder / "queries" / (id + ".csv")).string());
    const CcdQuerySet built =
        read_ccd_boxes((folder / "boxes" / (id + ".json")).string(), (folder / "frames/227.ply").string(),
                       (folder / "frames/228.ply").string());
    ASSERT_EQ(file.queries.size(), built.queries.size());
    EXPECT_EQ(file.truth, built.truth);
    for (size_t i = 0; i < file.queries.size(); ++i) {
      EXPECT_EQ(file.queries[i].x0, built.queries[i].x0) << i;
      EXPECT_EQ(file.queries[i].x1, built.queries[i].x1) << i;
    }
  }
}

// Lines "query,root[;root…]": the time of impact is the smallest.
std::vector<double> read_roots(const fs::path& path, size_t count) {
  std::vector<double> roots(count, std::numeric_limits<double>::infinity());
  std::istringstream lines(read_file(path.string()));
  for (std::string line; std::getline(lines, line);) {
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    std::istringstream words(line);
    size_t query = 0;
    words >> query;
    for (double root = 0; words >> root;) roots.at(query) = std::min(roots.at(query), root);
  }
  return roots;
}

TEST(CcdData, times_of_impact_are_never_late) {
  if (!fs::exists(ccd_data_folder())) GTEST_SKIP() << "no shared data beside the repository";
  const Scene scenes[] = {{"armadillo-rollers", "326vf", "326", "327", 0, 0},
                          {"cloth-funnel", "227ee", "227", "228", 0, 0},
                          {"cloth-funnel", "227vf", "227", "228", 0, 0}};
  for (const Scene& scene : scenes) {
    const fs::path folder = scene_folder(scene.name), frames = folder / "frames";
    const CcdQuerySet set =
        read_ccd_boxes((folder / "boxes" / scene.id).string() + ".json",
                       (frames / scene.start).string() + ".ply", (frames / scene.end).string() + ".ply");
    const std::vector<double> roots = read_roots(
        ccd_data_folder() / "DERIVED-toi-from-wxf" / (std::string(scene.name) + "_" + scene.id + ".csv"),
        set.queries.size());
    for (const CcdMethod method : kMethods) {
      const std::vector<CcdResult> results = detect_all(set, method);
      double earliest = 1, exact = 1, most_early = 0;
      for (size_t i = 0; i < results.size(); ++i) {
        if (!(roots[i] <= 1)) continue;
        ASSERT_TRUE(results[i].is_hit);
        EXPECT_LE(results[i].toi, roots[i]) << i;
        most_early = std::max(most_early, roots[i] - results[i].toi);
        earliest = std::min(earliest, results[i].toi);
        exact = std::min(exact, roots[i]);
      }
      std::printf("%s %s %s: exact %.17g, found %.17g, at most %.2g early\n", scene.name, scene.id,
                  enum_name(method), exact, earliest, most_early);
    }
  }
}

TEST(CcdData, queries_that_blow_up_box_searches_end) {
  if (!fs::exists(ccd_data_folder())) GTEST_SKIP() << "no shared data beside the repository";
  for (const CcdMethod method : kMethods) {
    const fs::path folder = ccd_data_folder() / "sccd-worst-queries";
    const auto first = detect_all(read_ccd_queries((folder / "worst-query-w1ee.csv").string()), method);
    EXPECT_FALSE(first[0].is_hit);
    const auto third = detect_all(read_ccd_queries((folder / "worst-query-w3ee.csv").string()), method);
    EXPECT_TRUE(third[0].is_hit);
    EXPECT_LE(third[0].toi, 0.174736695844175);
    EXPECT_LT(first[0].iterations + third[0].iterations, 1000);
  }
}

}  // namespace
}  // namespace marrow
