#include "geometry/queries/score.h"

#include <algorithm>
#include <chrono>

#include "core/clock.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr double kEnoughMicroseconds = 50e3;
constexpr int kTimedRuns = 3;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

void count_results(const CcdQuerySet& set, const std::vector<CcdResult>& results, CcdScore& score) {
  double iterations = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    const CcdResult& result = results[i];
    iterations += result.iterations;
    score.worst_iterations = std::max(score.worst_iterations, result.iterations);
    if (result.is_hit) {
      ++score.hits;
      score.earliest_toi = std::min(score.earliest_toi, result.toi);
    }
    if (set.truth.empty()) {
      ++score.unknown;
      continue;
    }
    const bool touches = set.truth[i] != 0;
    score.positives += touches ? 1 : 0;
    score.false_positives += result.is_hit && !touches ? 1 : 0;
    score.false_negatives += !result.is_hit && touches ? 1 : 0;
  }
  score.mean_iterations = iterations / static_cast<double>(results.size());
}

// Mean time of a query over whole passes, as many as give a readable time.
double measure_mean(const std::vector<CcdQuery>& queries, const CcdOptions& options,
                    std::vector<CcdResult>& results) {
  int passes = 0;
  const Clock::time_point start = Clock::now();
  do {
    exec::parallel_for("ccd queries", queries.size(),
                       [&](size_t i) { results[i] = detect_collision(queries[i], options); });
    ++passes;
  } while (microseconds_since(start) < kEnoughMicroseconds);
  return microseconds_since(start) / passes / static_cast<double>(queries.size());
}

// The slowest query. Each counts with the best of its runs, so that an interrupted one does not.
double measure_worst(const std::vector<CcdQuery>& queries, const CcdOptions& options) {
  double worst = 0;
  for (const CcdQuery& query : queries) {
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kTimedRuns && best > worst; ++run) {
      const Clock::time_point start = Clock::now();
      const CcdResult result = detect_collision(query, options);
      const double time = microseconds_since(start);
      if (result.iterations >= 0) best = std::min(best, time);
    }
    worst = std::max(worst, best);
  }
  return worst;
}

}  // namespace

void CcdScore::add(const CcdScore& other) {
  const double mine = static_cast<double>(queries), theirs = static_cast<double>(other.queries);
  const double all = std::max(mine + theirs, 1.0);
  mean_us = (mine * mean_us + theirs * other.mean_us) / all;
  mean_iterations = (mine * mean_iterations + theirs * other.mean_iterations) / all;
  queries += other.queries;
  unknown += other.unknown;
  positives += other.positives;
  false_positives += other.false_positives;
  false_negatives += other.false_negatives;
  hits += other.hits;
  earliest_toi = std::min(earliest_toi, other.earliest_toi);
  worst_us = std::max(worst_us, other.worst_us);
  worst_iterations = std::max(worst_iterations, other.worst_iterations);
}

CcdScore score_ccd(const CcdQuerySet& set, const CcdOptions& options) {
  CcdScore score;
  score.queries = set.queries.size();
  if (set.queries.empty()) return score;
  std::vector<CcdResult> results(set.queries.size());
  score.mean_us = measure_mean(set.queries, options, results);
  score.worst_us = measure_worst(set.queries, options);
  count_results(set, results, score);
  return score;
}

}  // namespace marrow
