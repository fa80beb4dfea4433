#include "preprocess/certificates/certificates.h"

#include <algorithm>

#include "core/clock.h"
#include "exec/parallel.h"
#include "preprocess/certificates/patch_certificate.h"
#include "preprocess/certificates/patch_split.h"
#include "preprocess/certificates/separating_plane.h"

namespace marrow {
namespace {

constexpr double kBatchWork = 2e6;  // triangles squared: part of a second
constexpr size_t kBatchTasks = 64;
constexpr Index kPlaneTriangles = 64;  // larger pairs are looked at through their children

struct Task {
  bool is_pair = false;
  Index index = 0;
  double work = 0;
};

std::vector<Task> list_tasks(const Certificates& certificates) {
  const PatchTree& tree = certificates.tree;
  std::vector<Task> tasks;
  const auto add = [&](bool is_pair, size_t index, Index triangles) {
    const double count = triangles;
    tasks.push_back({is_pair, static_cast<Index>(index), count * count * (1 + 1e-3 * count)});
  };
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (certificates.node_limits[i] == kLimitUnknown) add(false, i, tree.nodes[i].count());
  }
  for (size_t i = 0; i < tree.pairs.size(); ++i) {
    if (certificates.pair_limits[i] != kLimitUnknown) continue;
    add(true, i, tree.node(tree.pairs[i].a).count() + tree.node(tree.pairs[i].b).count());
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.work > b.work; });
  return tasks;
}

PatchCertificate run_task(Certificates& certificates, const RestShapes& rest, const Task& task) {
  const PatchTree& tree = certificates.tree;
  const auto at = static_cast<size_t>(task.index);
  const RestShape shape = task.is_pair ? rest.of_pair(tree.pairs[at]) : rest.of_node(task.index);
  const Patch patch = task.is_pair ? collect_patch(tree, tree.pairs[at]) : collect_patch(tree, task.index);
  const PatchCertificate result = compute_patch_certificate(tree, patch, shape.shape, certificates.options);
  (task.is_pair ? certificates.pair_limits : certificates.node_limits)[at] =
      make_limit(result.energy, shape.error);
  return result;
}

bool wants_plane(const PatchTree& tree, const PatchPair& pair) {
  return !pair.are_siblings && pair.shared_count <= 2 &&
         !(tree.node(pair.a).is_leaf() && tree.node(pair.b).is_leaf()) &&
         tree.node(pair.a).count() + tree.node(pair.b).count() <= kPlaneTriangles;
}

void add_planes(Certificates& certificates) {
  const PatchTree& tree = certificates.tree;
  std::vector<std::array<float, 3>> normals(tree.pairs.size(), {0, 0, 0});
  exec::parallel_for(
      "certificates.planes", tree.pairs.size(),
      [&](size_t i) {
        if (!wants_plane(tree, tree.pairs[i])) return;
        const std::optional<Vec3> normal = find_separating_normal(tree, tree.pairs[i]);
        if (!normal) return;
        for (size_t k = 0; k < 3; ++k) normals[i][k] = static_cast<float>((*normal)[static_cast<Index>(k)]);
      },
      16);
  certificates.planes.clear();
  for (size_t i = 0; i < normals.size(); ++i) {
    if (normals[i] != std::array<float, 3>{0, 0, 0})
      certificates.planes.push_back({static_cast<Index>(i), normals[i]});
  }
}

void count_certificates(const Certificates& certificates, PrepareReport& report) {
  const auto count = [](const std::vector<float>& limits) {
    return static_cast<size_t>(
        std::count_if(limits.begin(), limits.end(), [](float limit) { return limit > 0; }));
  };
  report.intra_count = count(certificates.node_limits);
  report.inter_count = count(certificates.pair_limits);
  report.node_count = certificates.tree.nodes.size();
  report.cover_ratio = static_cast<double>(report.intra_count) / static_cast<double>(report.node_count);
  report.plane_count = certificates.planes.size();
}

}  // namespace

Certificates begin_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                                const CertificateOptions& options) {
  Certificates certificates;
  certificates.options = options;
  certificates.tree =
      build_patch_tree(rest, triangles, compute_patch_split(rest, triangles, options.leaf_size));
  const PatchTree& tree = certificates.tree;
  certificates.node_limits.assign(tree.nodes.size(), 0);
  certificates.pair_limits.assign(tree.pairs.size(), 0);
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    if (is_certifiable(tree, options, static_cast<Index>(i))) certificates.node_limits[i] = kLimitUnknown;
  }
  for (size_t i = 0; i < tree.pairs.size(); ++i) {
    if (is_certifiable(tree, options, tree.pairs[i])) certificates.pair_limits[i] = kLimitUnknown;
  }
  return certificates;
}

PrepareReport complete_certificates(Certificates& certificates, const PrepareWatch& watch) {
  PrepareReport report;
  const Clock::time_point start = Clock::now();
  const std::vector<Task> tasks = list_tasks(certificates);
  const RestShapes rest(certificates.tree, certificates.options);
  double total = 0;
  for (const Task& task : tasks) total += task.work;
  double done = 0;
  for (size_t begin = 0; begin < tasks.size();) {
    // A batch: enough for all threads, little enough to look in between.
    size_t end = begin;
    double work = 0;
    for (; end < tasks.size() && (work < kBatchWork || end < begin + kBatchTasks); ++end)
      work += tasks[end].work;
    std::vector<PatchCertificate> results(end - begin);
    exec::parallel_for(
        "certificates.patches", end - begin,
        [&](size_t i) { results[i] = run_task(certificates, rest, tasks[begin + i]); }, 1);
    for (const PatchCertificate& result : results) {
      report.green_seconds += result.green_seconds;
      report.pair_seconds += result.pair_seconds;
    }
    begin = end;
    done += work;
    const bool goes_on = !watch || watch({begin, tasks.size(), done / total, certificates});
    if (!goes_on && begin < tasks.size()) {
      report.wall_seconds = seconds_since(start);
      return report;
    }
  }
  const Clock::time_point planes = Clock::now();
  add_planes(certificates);
  report.plane_seconds = seconds_since(planes);
  count_certificates(certificates, report);
  report.wall_seconds = seconds_since(start);
  report.is_complete = true;
  return report;
}

Certificates compute_certificates(const Points& rest, const std::vector<Triangle>& triangles,
                                  const CertificateOptions& options) {
  Certificates certificates = begin_certificates(rest, triangles, options);
  complete_certificates(certificates);
  return certificates;
}

}  // namespace marrow
