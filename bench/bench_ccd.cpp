// The three collision methods on query files with known answers, beside Tight-Inclusion's figures.
//
//   bench_ccd [FOLDER]     FOLDER holds Sample-Queries and Sample-Scalable-CCD-Data; default
//   ../shared/data/ccd
//
// Tolerance 1e-6, one thread, as Tight-Inclusion 1.0.6 was measured on this kind of machine (mean: median of
// its runs). Columns of a method: false positives, false negatives, mean and worst time, and how many times
// faster than Tight-Inclusion on the mean and on the worst query.
#include <fmt/format.h>

#include <filesystem>

#include "exec/parallel.h"
#include "geometry/queries/score.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// What Tight-Inclusion did on a file.
struct Baseline {
  const char* name;
  const char* path;
  size_t false_positives;
  double mean_us, worst_us;
};

constexpr Baseline kBaselines[] = {
    {"armadillo-rollers ee", "Sample-Scalable-CCD-Data/armadillo-rollers/boxes/326ee.json", 5, 376.298,
     53188.2},
    {"armadillo-rollers vf", "Sample-Scalable-CCD-Data/armadillo-rollers/boxes/326vf.json", 2, 612.365,
     247911},
    {"cloth-ball ee", "Sample-Scalable-CCD-Data/cloth-ball/boxes/92ee.json", 3, 234.427, 44404.6},
    {"cloth-ball vf", "Sample-Scalable-CCD-Data/cloth-ball/boxes/92vf.json", 2, 246.42, 26793.7},
    {"cloth-funnel ee", "Sample-Scalable-CCD-Data/cloth-funnel/boxes/227ee.json", 156, 3198.91, 100677},
    {"cloth-funnel vf", "Sample-Scalable-CCD-Data/cloth-funnel/boxes/227vf.json", 65, 48.197, 536.3},
    {"cube-cliff-edges ee 0_0", "Sample-Queries/erleben-cube-cliff-edges/edge-edge/data_0_0.csv", 42, 55700,
     435092},
    {"cube-cliff-edges ee 0_1", "Sample-Queries/erleben-cube-cliff-edges/edge-edge/data_0_1.csv", 58, 63872.7,
     440835},
    {"cube-cliff-edges vf 0_0", "Sample-Queries/erleben-cube-cliff-edges/vertex-face/data_0_0.csv", 45,
     20627.5, 565721},
    {"cube-cliff-edges vf 0_1", "Sample-Queries/erleben-cube-cliff-edges/vertex-face/data_0_1.csv", 27, 20104,
     434927},
    {"sliding-spike ee 0_0", "Sample-Queries/erleben-sliding-spike/edge-edge/data_0_0.csv", 0, 1.08, 3.2},
    {"sliding-spike ee 0_1", "Sample-Queries/erleben-sliding-spike/edge-edge/data_0_1.csv", 0, 1.234, 19.9},
    {"sliding-spike vf 0_0", "Sample-Queries/erleben-sliding-spike/vertex-face/data_0_0.csv", 0, 2.609, 95.7},
    {"sliding-spike vf 0_1", "Sample-Queries/erleben-sliding-spike/vertex-face/data_0_1.csv", 0, 0.368, 1},
    {"spike-crack ee 0_0", "Sample-Queries/erleben-spike-crack/edge-edge/data_0_0.csv", 0, 0.846, 3.4},
    {"spike-crack ee 0_1", "Sample-Queries/erleben-spike-crack/edge-edge/data_0_1.csv", 0, 1.022, 3.5},
    {"spike-crack vf 0_0", "Sample-Queries/erleben-spike-crack/vertex-face/data_0_0.csv", 0, 38.199, 1098.2},
    {"spike-crack vf 0_1", "Sample-Queries/erleben-spike-crack/vertex-face/data_0_1.csv", 0, 146.177, 1834.6},
    {"spike-hole ee 0_0", "Sample-Queries/erleben-spike-hole/edge-edge/data_0_0.csv", 0, 1.399, 107.7},
    {"spike-hole vf 0_0", "Sample-Queries/erleben-spike-hole/vertex-face/data_0_0.csv", 0, 274.452, 6453.4},
    {"spikes ee 0_0", "Sample-Queries/erleben-spikes/edge-edge/data_0_0.csv", 21, 21281.8, 312845},
    {"spikes ee 0_1", "Sample-Queries/erleben-spikes/edge-edge/data_0_1.csv", 0, 110.56, 3600.8},
    {"spikes vf 0_0", "Sample-Queries/erleben-spikes/vertex-face/data_0_0.csv", 6, 32.308, 1876.4},
    {"spikes vf 0_1", "Sample-Queries/erleben-spikes/vertex-face/data_0_1.csv", 0, 304.039, 5842.6},
    {"wedge-crack ee 0_0", "Sample-Queries/erleben-wedge-crack/edge-edge/data_0_0.csv", 0, 5.342, 167.1},
    {"wedge-crack ee 0_1", "Sample-Queries/erleben-wedge-crack/edge-edge/data_0_1.csv", 0, 56.25, 6911.9},
    {"wedge-crack vf 0_0", "Sample-Queries/erleben-wedge-crack/vertex-face/data_0_0.csv", 0, 16.642, 455.5},
    {"wedge-crack vf 0_1", "Sample-Queries/erleben-wedge-crack/vertex-face/data_0_1.csv", 0, 11.135, 222.3},
    {"wedges ee 0_0", "Sample-Queries/erleben-wedges/edge-edge/data_0_0.csv", 4, 1630.23, 53396.7},
    {"wedges ee 0_1", "Sample-Queries/erleben-wedges/edge-edge/data_0_1.csv", 0, 1.593, 36.8},
    {"wedges vf 0_0", "Sample-Queries/erleben-wedges/vertex-face/data_0_0.csv", 0, 2.7, 39.5},
    {"wedges vf 0_1", "Sample-Queries/erleben-wedges/vertex-face/data_0_1.csv", 0, 4.472, 139.9},
    {"unit-tests ee 0_0", "Sample-Queries/unit-tests/edge-edge/data_0_0.csv", 0, 25.471, 179.8},
    {"unit-tests vf 0_1", "Sample-Queries/unit-tests/vertex-face/data_0_1.csv", 0, 39.988, 185},
};

// The first two frames beside a list of boxes.
CcdQuerySet read_set(const fs::path& path) {
  if (path.extension() != ".json") return read_ccd_queries(path.string());
  std::vector<std::string> frames;
  for (const auto& entry : fs::directory_iterator(path.parent_path().parent_path() / "frames"))
    frames.push_back(entry.path().string());
  std::sort(frames.begin(), frames.end());
  return read_ccd_boxes(path.string(), frames.at(0), frames.at(1));
}

std::string format_columns(const CcdScore& score, const Baseline& baseline) {
  return fmt::format(" {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.3g} |", score.false_positives,
                     score.false_negatives, score.mean_us, score.worst_us, baseline.mean_us / score.mean_us,
                     baseline.worst_us / score.worst_us);
}

constexpr CcdMethod kMethods[] = {CcdMethod::Advancement, CcdMethod::Inclusion, CcdMethod::Additive};

std::string make_header() {
  std::string header = "| file | queries | positive | TI: false pos. | mean µs | worst µs |";
  std::string rule = "| --- | ---: | ---: | ---: | ---: | ---: |";
  for (const CcdMethod method : kMethods) {
    header += fmt::format(" {}: false pos. | false neg. | mean µs | worst µs | mean × | worst × |",
                          enum_name(method));
    for (int i = 0; i < 6; ++i) rule += " ---: |";
  }
  return header + "\n" + rule + "\n";
}

int run(const fs::path& folder) {
  if (!fs::exists(folder)) {
    fmt::print("no query files at {}\n", folder.string());
    return 0;
  }
  exec::set_thread_count(1);
  fmt::print("{}", make_header());
  Baseline all{"all", "", 0, 0, 0};
  CcdScore totals[std::size(kMethods)];
  for (const Baseline& baseline : kBaselines) {
    if (!fs::exists(folder / baseline.path)) continue;
    const CcdQuerySet set = read_set(folder / baseline.path);
    std::string row;
    CcdScore score;
    for (size_t m = 0; m < std::size(kMethods); ++m) {
      CcdOptions options;
      options.method = kMethods[m];
      score = score_ccd(set, options);
      totals[m].add(score);
      row += format_columns(score, baseline);
    }
    fmt::print("| {} | {} | {} | {} | {:.4g} | {:.4g} |{}\n", baseline.name, score.queries, score.positives,
               baseline.false_positives, baseline.mean_us, baseline.worst_us, row);
    std::fflush(stdout);
    all.false_positives += baseline.false_positives;
    all.mean_us += baseline.mean_us * static_cast<double>(score.queries);
    all.worst_us = std::max(all.worst_us, baseline.worst_us);
  }
  all.mean_us /= static_cast<double>(std::max<size_t>(totals[0].queries, 1));
  std::string row;
  for (const CcdScore& total : totals) row += format_columns(total, all);
  fmt::print("| all | {} | {} | {} | {:.4g} | {:.4g} |{}\n", totals[0].queries, totals[0].positives,
             all.false_positives, all.mean_us, all.worst_us, row);
  return 0;
}

}  // namespace
}  // namespace marrow

int main(int count, char** values) { return marrow::run(count > 1 ? values[1] : "../shared/data/ccd"); }
