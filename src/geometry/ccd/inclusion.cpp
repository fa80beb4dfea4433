#include "geometry/ccd/inclusion.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace marrow {
namespace {

constexpr int kConfirmations = 100;    // cells spent on telling a close pass from a contact
constexpr size_t kMaxQueue = 1 << 17;  // cells kept at once; 9 MB

struct QueuedCell {
  InclusionCell cell;
  int order;  // younger first among cells of equal t0: depth first keeps the queue short
};

bool is_later(const QueuedCell& a, const QueuedCell& b) {
  return a.cell.t0 != b.cell.t0 ? a.cell.t0 > b.cell.t0 : a.order < b.order;
}

void push(std::vector<QueuedCell>& queue, const InclusionCell& cell, int order) {
  queue.push_back({cell, order});
  std::push_heap(queue.begin(), queue.end(), is_later);
}

InclusionCell make_whole_cell(double t_max) { return {0, t_max, {0, 1, 0}, {0, 0, 1}}; }

// The gap that counts as contact. A start closer than the tolerance is none unless the pair comes much
// closer; but what is within rounding cannot be told from a contact.
double choose_stop(const InclusionMotion& motion, const CcdOptions& options, double rounding) {
  const double first_gap = std::max(compute_gap_at(motion, 0), 0.0);
  if (options.keep > 0)
    return std::max(std::min(options.keep * first_gap, options.most_kept), options.tolerance);
  return std::max(std::min(options.tolerance, 0.1 * first_gap), rounding);
}

}  // namespace

CcdResult detect_by_inclusion(const CcdQuery& query, const CcdOptions& options) {
  const InclusionMotion motion = make_inclusion_motion(query, options.min_separation);
  if (!(motion.size < kHuge)) return {true, 0, 0};
  const double rounding = 16 * (motion.error + motion.radius_error);
  double stop = choose_stop(motion, options, rounding);
  double gap_time = -1, gap = 0;

  thread_local std::vector<QueuedCell> queue;
  queue.assign(1, {make_whole_cell(options.t_max), 0});
  CcdResult result;
  int limit = options.max_iterations;
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), is_later);
    InclusionCell cell = queue.back().cell;
    queue.pop_back();
    ++result.iterations;
    const InclusionVerdict verdict = judge_cell(motion, cell, 0.5 * stop);
    if (verdict.is_free) continue;

    // Close enough: nothing happens before t0. Whether anything happens after is worth some more cells.
    if (cell.t0 != gap_time) gap = compute_gap_at(motion, gap_time = cell.t0);
    if (std::min(gap, verdict.spread) <= stop) {
      if (result.is_hit || options.keep > 0 || std::min(gap, verdict.spread) <= rounding)
        return CcdResult{true, std::min(result.toi, cell.t0), result.iterations};
      result.is_hit = true;
      result.toi = cell.t0;
      stop = rounding;
      limit = std::min(limit, result.iterations + kConfirmations);
    }

    // Leave out the time that is free, and cut the rest unless that was much.
    InclusionCell rest[2] = {cell, cell};
    rest[0].t0 = verdict.first_time;
    const bool is_shorter = verdict.first_time - cell.t0 > 0.25 * (cell.t1 - cell.t0);
    const bool is_cut = is_shorter || cut_cell(motion.kind, rest[0], verdict.cut, rest);
    if (!is_cut || result.iterations >= limit || queue.size() >= kMaxQueue)
      return CcdResult{true, std::min(result.toi, cell.t0), result.iterations};
    for (int i = 0; i < (is_shorter ? 1 : 2); ++i) push(queue, rest[i], result.iterations);
  }
  return {false, std::numeric_limits<double>::infinity(), result.iterations};
}

}  // namespace marrow
