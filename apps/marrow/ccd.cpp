// marrow ccd FILES…: runs collision queries with known answers and counts what is wrong.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "exec/parallel.h"
#include "geometry/queries/score.h"
#include "marrow/ccd_step.h"
#include "marrow/verbs.h"

namespace marrow {
namespace {

struct CcdArguments {
  std::vector<std::string> files;
  std::string boxes;
  std::vector<std::string> frames;
  std::string truth;
  std::string kind;
  std::string method = "advancement";
  CcdOptions options;
  int threads = 1;
  bool json = false;
};

std::optional<PairKind> parse_kind(const std::string& text) {
  if (text.empty()) return {};
  return text == "ee" ? PairKind::EdgeEdge : PairKind::PointTriangle;
}

CcdMethod parse_method(const std::string& text) {
  if (text == "inclusion") return CcdMethod::Inclusion;
  return text == "additive" ? CcdMethod::Additive : CcdMethod::Advancement;
}

struct FileScore {
  std::string file;
  CcdScore score;
};

nlohmann::ordered_json to_json(const CcdScore& score) {
  return {{"queries", score.queries},
          {"positives", score.positives},
          {"false_positives", score.false_positives},
          {"false_negatives", score.false_negatives},
          {"unknown", score.unknown},
          {"hits", score.hits},
          {"mean_us", score.mean_us},
          {"worst_us", score.worst_us},
          {"mean_iterations", score.mean_iterations},
          {"worst_iterations", score.worst_iterations}};
}

void print_json(const std::vector<FileScore>& scores, const CcdScore& total, const CcdArguments& arguments) {
  nlohmann::ordered_json root = to_json(total);
  root["method"] = arguments.method;
  root["tolerance"] = arguments.options.tolerance;
  root["files"] = nlohmann::ordered_json::array();
  for (const FileScore& part : scores) {
    nlohmann::ordered_json entry = {{"file", part.file}};
    entry.update(to_json(part.score));
    root["files"].push_back(entry);
  }
  fmt::print("{}\n", root.dump(1));
}

void print_row(const std::string& label, const CcdScore& score) {
  const std::string truth =
      score.unknown == score.queries
          ? fmt::format("{:>9} {:>9} {:>9}", "?", "?", "?")
          : fmt::format("{:>9} {:>9} {:>9}", score.positives, score.false_positives, score.false_negatives);
  fmt::print("{:>9} {} {:>9} {:>10.3f} {:>10.1f} {:>8.1f} {:>8}  {}\n", score.queries, truth, score.hits,
             score.mean_us, score.worst_us, score.mean_iterations, score.worst_iterations, label);
}

void print_table(const std::vector<FileScore>& scores, const CcdScore& total) {
  fmt::print("{:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10} {:>8} {:>8}\n", "queries", "positive", "false pos",
             "false neg", "reported", "mean µs", "worst µs", "mean it.", "most it.");
  for (const FileScore& part : scores) print_row(part.file, part.score);
  if (scores.size() != 1) print_row("in total", total);
}

std::vector<CcdQuerySet> read_sets(const CcdArguments& arguments) {
  std::vector<CcdQuerySet> sets;
  if (!arguments.boxes.empty()) {
    sets.push_back(
        read_ccd_boxes(arguments.boxes, arguments.frames[0], arguments.frames[1], arguments.truth));
  }
  for (const std::string& file : arguments.files)
    sets.push_back(read_ccd_queries(file, parse_kind(arguments.kind), arguments.truth));
  return sets;
}

int run_queries(const CcdArguments& arguments) {
  std::vector<FileScore> scores;
  CcdScore total;
  for (const CcdQuerySet& set : read_sets(arguments)) {
    scores.push_back({set.name, score_ccd(set, arguments.options)});
    total.add(scores.back().score);
  }
  if (arguments.json) {
    print_json(scores, total, arguments);
  } else {
    print_table(scores, total);
  }
  if (total.false_negatives == 0) return kExitOk;
  fmt::print(stderr,
             "marrow: {} contacts were missed\n  This must never happen. Please report the file and the "
             "command line.\n",
             total.false_negatives);
  return kExitMissed;
}

void check_combination(const CcdArguments& arguments) {
  const bool has_boxes = !arguments.boxes.empty(), has_frames = !arguments.frames.empty();
  if (arguments.files.empty() && !has_frames)
    throw UsageError("ccd", "give query files, --boxes with --frames, or --frames alone");
  if (has_boxes && !has_frames) throw UsageError("--boxes", "needs --frames");
  if (!arguments.truth.empty() && arguments.files.size() + (has_boxes ? 1 : 0) != 1)
    throw UsageError("--truth", "needs exactly one query file");
}

int run_ccd(CcdArguments& arguments) {
  check_combination(arguments);
  arguments.options.method = parse_method(arguments.method);
  exec::set_thread_count(arguments.threads);
  if (!arguments.files.empty() || !arguments.boxes.empty()) return run_queries(arguments);
  print_collision_step(run_collision_step(arguments.frames[0], arguments.frames[1], arguments.options),
                       arguments.json);
  return kExitOk;
}

}  // namespace

void add_ccd_verb(Verb root) {
  auto arguments = std::make_shared<CcdArguments>();
  const Verb verb = root.add_verb("ccd", "Run collision queries and count wrong answers");
  CcdOptions& options = arguments->options;
  verb.add_option("files", arguments->files, "Query files (CSV)").file({".csv"});
  verb.add_option("--boxes", arguments->boxes,
                  "Pairs of element ids (JSON); with --frames, queries are rebuilt from them")
      .file({".json"});
  verb.add_option("--frames", arguments->frames,
                  "Two frames of a mesh; without --boxes: the whole step between them")
      .take_exactly(2)
      .type_name("A B");
  verb.add_option("--truth", arguments->truth, "True answers (JSON list), for query files that have none")
      .file({".json"});
  verb.add_option("--kind", arguments->kind,
                  "Type of the queries, edge-edge or vertex-face, if the path does not tell")
      .check(one_of({"ee", "vf"}));
  verb.add_option("--method", arguments->method, "Detection method")
      .check(one_of({"advancement", "inclusion", "additive"}));
  verb.add_option("--tolerance", options.tolerance,
                  "Gap that counts as contact [m]; smaller values are slower")
      .check(not_negative());
  verb.add_option("--max-iterations", options.max_iterations,
                  "Iterations per query; after that, the time reached is reported as contact")
      .check(whole_from(1));
  verb.add_option("--min-separation", options.min_separation, "Minimum separation [m]").check(not_negative());
  verb.add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      .check(whole_from(0));
  verb.add_flag("--json", arguments->json, "Print one JSON object");
  verb.add_example("marrow ccd --frames a.ply b.ply", "computes how far the mesh may move from a to b");
  verb.set_action([arguments] { return run_ccd(*arguments); });
}

}  // namespace marrow
