#include "contact/proximity.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "contact/group_rounding.h"
#include "core/clock.h"
#include "core/trace.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// How much farther than needed a search looks. More slack means fewer searches and more pairs in each.
// Whether a search is made changes the order of sums, and so the last bits of results. [measured:
// docs/models/contact.md, Constants; ablation: kept_pairs]
struct SlackHeuristics {
  double point = 0.5;   // of d_hat
  double group = 0.02;  // of the mean length of a group's edges, if that is more
};
constexpr SlackHeuristics kSlack;

// Rounding reduces the slack of points by this fraction of the width by which their boxes are grown: 3 units
// for the sum of that width, 1 for the comparison. The boxes cover the rest (geometry/bvh/aabb.h).
constexpr double kPointRounding = 4 * 0x1p-53;  // [derived: docs/models/contact.md, Rounding]

// The largest gap at which a barrier acts. If radii taper, f falls below ŝ at gaps up to
// φ(m, M) = √(m² + d̂² + 2 d̂ M) − m, with m and M the smallest and the largest radius sum of the pair
// (docs/models/distance.md). φ(m, M) is where g² − d̂² + 2 (g m − d̂ M) turns positive. m and M are sums over
// the two simplices. So if g is beyond the φ(2m, 2M) of both simplices, with their own m and M, that number
// is the mean of two positive ones: the largest φ(2m, 2M) of any simplex bounds every pair. It is d̂ if no
// radius tapers.
double compute_activation(const CollisionMesh& mesh, double d_hat) {
  const std::vector<double>& r = mesh.radii;
  double largest = d_hat;
  const auto look_at = [&](const auto& simplices) {
    for (const auto& simplex : simplices) {
      double low = r[simplex[0]], high = low;
      for (const Index i : simplex) {
        low = std::min(low, r[i]);
        high = std::max(high, r[i]);
      }
      if (low == high) continue;
      largest = std::max(largest, std::sqrt(4 * low * low + d_hat * (d_hat + 4 * high)) - 2 * low);
    }
  };
  if (r.empty()) return d_hat;
  look_at(mesh.edges);
  look_at(mesh.triangles);
  return largest;
}

// How much the slack of each group exceeds that of points.
std::vector<double> compute_more_slack(const CollisionMesh& mesh, const MovedGroups& groups, double slack) {
  std::vector<double> lengths(static_cast<size_t>(groups.count), 0), counts(lengths);
  for (const Edge& e : mesh.edges) {
    const Index group = groups.group_of(e[0]);
    if (group == kNone) continue;
    lengths[group] += groups.scales[group] * (groups.coordinates[e[0]] - groups.coordinates[e[1]]).norm();
    counts[group] += 1;
  }
  for (size_t g = 0; g < lengths.size(); ++g) {
    const double length = counts[g] > 0 ? lengths[g] / counts[g] : 0;
    lengths[g] = std::max(0.0, kSlack.group * length - slack);
  }
  return lengths;
}

double find_largest(const std::vector<double>& radii) {
  return radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
}

// Keeps the pairs whose simplices are not both in one region.
void keep_apart(const std::vector<IndexPair>& pairs, const std::vector<Index>& regions_a,
                const std::vector<Index>& regions_b, std::vector<IndexPair>& kept) {
  kept.clear();
  for (const IndexPair& pair : pairs) {
    const Index region = regions_a[pair[0]];
    if (region == kNone || region != regions_b[pair[1]]) kept.push_back(pair);
  }
}

}  // namespace

Proximity::Proximity(CollisionMesh mesh, CandidateFilter filter, double d_hat, MovedGroups groups,
                     const std::vector<CertifiedSurface>& certified)
    : broad_phase_(std::move(mesh), std::move(filter), std::move(groups)),
      d_hat_(d_hat),
      activation_(compute_activation(broad_phase_.mesh(), d_hat)),
      slack_(kSlack.point * d_hat),
      point_slack_(slack_ -
                   kPointRounding * (find_largest(broad_phase_.mesh().radii) + activation_ + slack_)),
      more_slack_(compute_more_slack(broad_phase_.mesh(), broad_phase_.groups(), slack_)),
      culling_(broad_phase_.mesh(), certified, activation_) {}

bool Proximity::is_covered(const PointPaths& paths) const {
  if (!is_searched_) return false;
  const std::vector<Index>& points = free_points();
  std::atomic<bool> is_out{false};
  exec::parallel_for("contact.covers_points", points.size(), [&](size_t i) {
    if (is_out.load(std::memory_order_relaxed)) return;
    const Vec3 &x0 = paths.x0[points[i]], &x1 = paths.x1[points[i]];
    const Eigen::Array3d lower = lower_[i].array() - point_slack_, upper = upper_[i].array() + point_slack_;
    if ((x0.array() < lower).any() || (x0.array() > upper).any() || (x1.array() < lower).any() ||
        (x1.array() > upper).any()) {
      is_out.store(true, std::memory_order_relaxed);
    }
  });
  if (is_out) return false;
  exec::parallel_for("contact.covers_groups", static_cast<size_t>(groups().count), [&](size_t g) {
    if (is_out.load(std::memory_order_relaxed) || is_group_covered(paths, static_cast<Index>(g))) return;
    is_out.store(true, std::memory_order_relaxed);
  });
  return !is_out;
}

bool Proximity::is_group_covered(const PointPaths& paths, Index group) const {
  const CenterBox box = broad_phase_.box_of(group);
  const AffineFrame &start = start_[group], &end = end_[group];
  const Vec3 path_of_center = end.place(box.center) - start.place(box.center);
  const Mat3 path_of_axes = (end.A - start.A) * box.half.asDiagonal();
  const double square = path_of_center.squaredNorm() + path_of_axes.squaredNorm();
  const auto is_near = [&](const AffineFrame& frame, double slack) {
    const Vec3 center = frame.place(box.center) - start.place(box.center);
    const Mat3 axes = (frame.A - start.A) * box.half.asDiagonal();
    const double along = center.dot(path_of_center) + axes.cwiseProduct(path_of_axes).sum();
    const double s = square > 0 ? std::clamp(along / square, 0.0, 1.0) : 0;
    const Vec3 farthest =
        (center - s * path_of_center).cwiseAbs() + (axes - s * path_of_axes).cwiseAbs().rowwise().sum();
    return farthest.maxCoeff() <= slack;
  };
  double size = 0, bow = 0;
  for (const AffineFrame* frame : {&start, &end, &paths.start[group], &paths.end[group]}) {
    size = std::max(size, measure_frame(*frame, box));
  }
  if (!paths.turns.empty() && !paths.turns[group].rotation.isZero(0)) {
    const TurningFrame& turn = paths.turns[group];
    const Vec3 half = paths.start[group].A.cwiseAbs() * box.half;
    bow = turn.compute_bow(paths.start[group].place(box.center), 1) +
          turn.rotation.squaredNorm() / 8 * half.norm();
    size *= measure_turn(turn);
  }
  const double slack = slack_ + more_slack_[group] - GroupRounding::kSum * bow - GroupRounding::kCover * size;
  return is_near(paths.start[group], slack) && is_near(paths.end[group], slack);
}

// is_all: also the pairs within regions.
CertifiedCulling::Search Proximity::find_candidates(const PointPaths& paths, bool is_all) {
  const Clock::time_point start = Clock::now();
  is_all_ = is_all;
  if (is_all && culling().triangles > 0) broad_phase_.set_regions({}, {}, {});
  if (!is_all) {
    broad_phase_.set_regions(culling_.point_regions(), culling_.edge_regions(), culling_.triangle_regions());
  }
  broad_phase_.find(paths, activation_ + 2 * slack_, candidates_, more_slack_);
  return {seconds_since(start), candidates_.size()};
}

// Makes the stencils of the candidates that are not within one region.
void Proximity::make_stencils() {
  const bool is_filtered = is_all_ && culling().regions > 0;
  if (is_filtered) {
    const auto &points = culling_.point_regions(), &edges = culling_.edge_regions(),
               &triangles = culling_.triangle_regions();
    keep_apart(candidates_.edge_edge, edges, edges, kept_.edge_edge);
    keep_apart(candidates_.vertex_triangle, points, triangles, kept_.vertex_triangle);
    keep_apart(candidates_.vertex_edge, points, edges, kept_.vertex_edge);
    keep_apart(candidates_.vertex_vertex, points, points, kept_.vertex_vertex);
  }
  make_pair_stencils(mesh(), is_filtered ? kept_ : candidates_, stencils_);
  ++pairs_version_;
  list_near_points();
}

// Searches the paths for candidates. Regions are chosen to hold on the path on which the pairs are used.
void Proximity::search(const PointPaths& paths, const PointPaths& use) {
  const trace::Scope scope("contact.search");
  const bool was_on = culling_.is_on();
  if (was_on) {
    culling_.choose(use);
  } else if (culling().regions > 0) {
    culling_.choose_none();
  }
  const CertifiedCulling::Search found = find_candidates(paths, !was_on || culling_.is_restless());
  const bool is_sample = culling_.wants_sample();
  const CertifiedCulling::Search plain = is_sample && !is_all_ ? find_candidates(paths, true) : found;
  make_stencils();
  if (was_on) culling_.note_search();
  if (is_sample) culling_.note_sample(plain, {found.seconds, stencils_.size()});
  if (was_on) {
    x0_.assign(paths.x0.begin(), paths.x0.end());
    x1_.assign(paths.x1.begin(), paths.x1.end());
    turns_.assign(paths.turns.begin(), paths.turns.end());
  }
  const std::vector<Index>& points = free_points();
  lower_.resize(points.size());
  upper_.resize(points.size());
  exec::parallel_for(
      "contact.boxes", points.size(),
      [&](size_t i) {
        lower_[i] = paths.x0[points[i]].cwiseMin(paths.x1[points[i]]);
        upper_[i] = paths.x0[points[i]].cwiseMax(paths.x1[points[i]]);
      },
      4096);
  start_.assign(paths.start.begin(), paths.start.end());
  end_.assign(paths.end.begin(), paths.end.end());
  is_searched_ = true;
}

// Chooses regions again for this path. The pairs of regions that do not hold on it come back, and those
// within new regions are left out.
void Proximity::renew_regions(const PointPaths& use) {
  const trace::Scope scope("contact.renewal");
  const Clock::time_point start = Clock::now();
  if (culling_.is_on()) {
    culling_.choose(use);
  } else {
    culling_.choose_none();
  }
  if (!is_all_) find_candidates({x0_, x1_, start_, end_, turns_}, true);
  make_stencils();
  culling_.note_renewal(seconds_since(start));
}

void Proximity::list_near_points() {
  for (const Index point : near_points_) is_near_[point] = 0;
  near_points_.clear();
  if (groups().count == 0) return;
  is_near_.resize(static_cast<size_t>(mesh().point_count), 0);
  for (const auto* list :
       {&stencils_.edge_edge, &stencils_.vertex_face, &stencils_.vertex_edge, &stencils_.vertex_vertex}) {
    for (const PairStencil& stencil : *list) {
      for (const Index point : stencil) {
        if (is_near_[point] != 0 || groups().group_of(point) == kNone) continue;
        is_near_[point] = 1;
        near_points_.push_back(point);
      }
    }
  }
}

const PairStencils& Proximity::find_pairs(const PointPaths& paths, const PointPaths& use) {
  if (is_covered(paths)) return find_covered_pairs(use);
  search(paths, use);
  return stencils_;
}

const PairStencils& Proximity::find_covered_pairs(const PointPaths& paths) {
  if (!culling_.holds(paths)) renew_regions(paths);
  return stencils_;
}

}  // namespace marrow
