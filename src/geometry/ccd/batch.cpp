#include "geometry/ccd/batch.h"

#include <atomic>

#include "core/macros.h"
#include "exec/parallel.h"
#include "geometry/ccd/batch_kernel.h"

namespace marrow {
namespace {

constexpr size_t kChunk = 2048;
constexpr double kNever = std::numeric_limits<double>::infinity();

using Run = void (*)(const ccd_batch::Arguments&);

struct BatchTarget {
  const char* name;
  Run run;    // searches for collisions
  Run bound;  // bounds squared gaps
  Run closest;
};

std::vector<BatchTarget> find_targets() {
  std::vector<BatchTarget> targets;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    targets.push_back({"avx512", ccd_batch::run_avx512, ccd_batch::bound_avx512, ccd_batch::closest_avx512});
  }
  if (__builtin_cpu_supports("avx2")) {
    targets.push_back({"avx2", ccd_batch::run_avx2, ccd_batch::bound_avx2, ccd_batch::closest_avx2});
  }
  targets.push_back(
      {"portable", ccd_batch::run_portable, ccd_batch::bound_portable, ccd_batch::closest_portable});
  return targets;
}

BatchTarget& chosen_target() {
  static BatchTarget target = find_targets().front();
  return target;
}

CcdQuery make_query(PairKind kind, const PairStencil& pair, const MovingPoints& points) {
  CcdQuery query;
  query.kind = kind;
  for (int i = 0; i < 4; ++i) {
    query.x0[i] = points.x0[pair[i]];
    query.x1[i] = points.x1[pair[i]];
    if (!points.radii.empty()) query.r0[i] = query.r1[i] = points.radii[pair[i]];
  }
  return query;
}

CcdOptions make_single_options(const BatchOptions& options) {
  CcdOptions single;
  single.tolerance = options.tolerance;
  single.min_separation = options.min_separation;
  single.t_max = options.t_max;
  single.keep = options.keep;
  single.most_kept = options.most_kept;
  return single;
}

// A chunk of pairs; returns its earliest time.
double detect_chunk(PairKind kind, std::span<const PairStencil> pairs, const MovingPoints& points,
                    BatchOptions options, bool is_tapered, bool is_shared, double* toi) {
  unsigned char status[kChunk];
  ccd_batch::Arguments a;
  a.kind = kind;
  a.count = pairs.size();
  a.stencils = pairs[0].data();
  a.x0 = points.x0[0].data();
  a.x1 = points.x1[0].data();
  a.radii = points.radii.empty() ? nullptr : points.radii.data();
  a.t_max = options.t_max;
  a.separation = options.min_separation;
  a.tolerance = options.tolerance;
  a.keep = options.keep;
  a.most_kept = options.most_kept;
  a.has_taper = is_tapered;
  a.is_shared = is_shared;
  a.toi = toi;
  a.status = status;
  chosen_target().run(a);

  // Certain answers first: they bound the time of what is left open.
  double earliest = kNever;
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (status[k] == ccd_batch::kFree) toi[k] = kNever;
    if (status[k] == ccd_batch::kUnconfirmed &&
        !confirm_closely(make_query(kind, pairs[k], points), make_single_options(options), toi[k]).is_hit) {
      toi[k] = kNever;
    }
    if (status[k] == ccd_batch::kOpen) continue;
    earliest = std::min(earliest, toi[k]);
  }
  for (size_t k = 0; k < pairs.size(); ++k) {
    if (status[k] != ccd_batch::kOpen) continue;
    if (is_shared) options.t_max = std::min(options.t_max, earliest);
    toi[k] = detect_by_advancement(make_query(kind, pairs[k], points), make_single_options(options)).toi;
    earliest = std::min(earliest, toi[k]);
  }
  return earliest;
}

// Whether any two radii differ; then all pairs take the general way.
bool has_taper(std::span<const double> radii) {
  return std::any_of(radii.begin(), radii.end(), [&](double r) { return r != radii[0]; });
}

template <class Body>
void for_each_chunk(size_t count, const Body& body) {
  exec::parallel_for(
      "ccd.batch", (count + kChunk - 1) / kChunk,
      [&](size_t chunk) { body(chunk * kChunk, std::min(count, (chunk + 1) * kChunk)); }, 1);
}

}  // namespace

void detect_collisions(PairKind kind, std::span<const PairStencil> pairs, const MovingPoints& points,
                       const BatchOptions& options, std::span<double> toi) {
  MARROW_ASSERT(toi.size() == pairs.size());
  const bool is_tapered = has_taper(points.radii);
  for_each_chunk(pairs.size(), [&](size_t begin, size_t end) {
    detect_chunk(kind, pairs.subspan(begin, end - begin), points, options, is_tapered, false,
                 toi.data() + begin);
  });
}

double find_earliest_collision(PairKind kind, std::span<const PairStencil> pairs, const MovingPoints& points,
                               const BatchOptions& options) {
  // Chunks learn of each other's hits as they come; a pair that hits before the bound returns the same time
  // whatever the bound was, so the minimum does not depend on the order.
  const bool is_tapered = has_taper(points.radii);
  std::atomic<double> bound{options.t_max};
  std::atomic<double> earliest{kNever};
  for_each_chunk(pairs.size(), [&](size_t begin, size_t end) {
    double toi[kChunk];
    BatchOptions now = options;
    now.t_max = bound.load();
    const double found =
        detect_chunk(kind, pairs.subspan(begin, end - begin), points, now, is_tapered, true, toi);
    for (std::atomic<double>* least : {&bound, &earliest}) {
      double current = least->load();
      while (found < current && !least->compare_exchange_weak(current, found)) {
      }
    }
  });
  return earliest.load();
}

void bound_squared_gaps(PairKind kind, std::span<const PairStencil> pairs, std::span<const Vec3> x,
                        std::span<const double> radii, std::span<double> f) {
  MARROW_ASSERT(f.size() == pairs.size());
  if (pairs.empty()) return;
  ccd_batch::Arguments a = {};
  a.kind = kind;
  a.count = pairs.size();
  a.stencils = pairs[0].data();
  a.x0 = x[0].data();
  a.radii = radii.empty() ? nullptr : radii.data();
  a.has_taper = !radii.empty();
  a.toi = f.data();
  chosen_target().bound(a);
}

void find_closest_points(PairKind kind, std::span<const PairStencil> pairs, std::span<const Vec3> x,
                         std::span<const double> radii, std::span<ClosestPoints> closest) {
  static_assert(sizeof(ClosestPoints) == 7 * sizeof(double));
  MARROW_ASSERT(closest.size() == pairs.size());
  if (pairs.empty()) return;
  ccd_batch::Arguments a = {};
  a.kind = kind;
  a.count = pairs.size();
  a.stencils = pairs[0].data();
  a.x0 = x[0].data();
  a.radii = radii.empty() ? nullptr : radii.data();
  a.closest = &closest[0].at.u;
  chosen_target().closest(a);
}

std::vector<std::string> list_batch_targets() {
  std::vector<std::string> names;
  for (const BatchTarget& target : find_targets()) names.emplace_back(target.name);
  return names;
}

void set_batch_target(const std::string& name) {
  const std::vector<BatchTarget> targets = find_targets();
  chosen_target() = targets.front();
  for (const BatchTarget& target : targets) {
    if (name == target.name) chosen_target() = target;
  }
}

}  // namespace marrow
