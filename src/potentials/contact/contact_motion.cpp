#include "potentials/contact/contact_motion.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "contact/contact_set.h"
#include "contact/kept_gap.h"
#include "contact/near_pairs.h"
#include "core/macros.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

struct ContactMotionHeuristics {
  // If the pairs near the start of a path allow less than this fraction of it, only that part is searched.
  // 0: every path is searched completely. [ablation: near_start]
  double nearly_whole = 0.9;
  // The number of triangles of a body that are tried for the axes of its box, and the factor by which a box
  // must be smaller. [speed only]
  size_t tried_triangles = 16;
  double clearly_smaller = 0.9;
  // Bisections of the path up to a meeting, to find where bodies come within d̂. [derived: to 2⁻⁴⁵, so that
  // the result does not depend on how far a conservative limit went]
  int halvings = 45;
};
constexpr ContactMotionHeuristics kContactMotion;

std::vector<PairStencil>& list_of(PairShape shape, PairStencils& pairs) {
  if (shape.front == 2) return pairs.edge_edge;
  return shape.count == 4 ? pairs.vertex_face : shape.count == 3 ? pairs.vertex_edge : pairs.vertex_vertex;
}

template <class Visit>
void for_each_pair(const PairStencils& pairs, const Visit& visit) {
  for (const PairStencil& pair : pairs.vertex_vertex) visit(kVertexVertex, pair);
  for (const PairStencil& pair : pairs.vertex_edge) visit(kVertexEdge, pair);
  for (const PairStencil& pair : pairs.vertex_face) visit(kVertexFace, pair);
  for (const PairStencil& pair : pairs.edge_edge) visit(kEdgeEdge, pair);
}

bool meets_itself(Index body, const CandidateFilter& filter) {
  return std::find(filter.ignored_bodies.begin(), filter.ignored_bodies.end(), IndexPair{body, body}) ==
         filter.ignored_bodies.end();
}

// Half the surface area of the bounding box of the points along these axes.
double measure_box(std::span<const Index> points, const Points& y, const Mat3& axes) {
  Eigen::AlignedBox3d box;
  for (const Index i : points) box.extend(Vec3(axes.transpose() * y[i]));
  const Vec3 size = box.sizes();
  return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// Axes along the normal of a triangle, and along an edge at its corner that is nearest to a right angle.
Mat3 find_axes(const Triangle& t, const Points& y) {
  size_t corner = 0;
  double least = 2;
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 a = y[t[(k + 1) % 3]] - y[t[k]], b = y[t[(k + 2) % 3]] - y[t[k]];
    const double cosine = std::abs(a.stableNormalized().dot(b.stableNormalized()));
    if (cosine < least) corner = k;
    least = std::min(least, cosine);
  }
  const Vec3 edge = (y[t[(corner + 1) % 3]] - y[t[corner]]).stableNormalized();
  // The normal of a sliver has lost digits. Its component along the edge is removed, twice, because the boxes
  // need axes that are orthogonal to rounding (contact/group_rounding.h).
  Vec3 normal = edge.cross(y[t[(corner + 2) % 3]] - y[t[corner]]).stableNormalized();
  for (int k = 0; k < 2; ++k) normal = (normal - edge.dot(normal) * edge).stableNormalized();
  if (normal.isZero(0)) return Mat3::Identity();
  Mat3 axes;
  axes << edge, normal.cross(edge), normal;
  return axes;
}

// The length at rest of a unit of each group's coordinates, measured between two points that are far apart.
std::vector<double> compute_scales(const MovedGroups& groups, const Points& rest) {
  std::vector<double> scales(static_cast<size_t>(groups.count), 0), farthest(scales);
  std::vector<Index> first(scales.size(), kNone);
  for (size_t i = 0; i < groups.group_of_point.size(); ++i) {
    const Index group = groups.group_of_point[i];
    if (group == kNone) continue;
    if (first[group] == kNone) first[group] = static_cast<Index>(i);
    const double distance = (groups.coordinates[i] - groups.coordinates[first[group]]).norm();
    if (!(distance > farthest[group])) continue;
    farthest[group] = distance;
    scales[group] = (rest[i] - rest[first[group]]).norm() / distance;
  }
  return scales;
}

// For each body: the group of its nodes if all its points follow the same four nodes, else kNone.
std::vector<Index> find_moved_bodies(const NodeMap& map, const std::vector<Index>& bodies) {
  constexpr Index kMixed = -2;  // [mark]
  std::vector<Index> groups;
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto point = static_cast<Index>(i);
    groups.resize(std::max(groups.size(), static_cast<size_t>(bodies[i]) + 1), kNone);
    Index& group = groups[bodies[i]];
    const Index own = map.nodes_of(point).size() == 4 ? map.group_of(point) : kMixed;
    group = group == kNone || group == own ? own : kMixed;
  }
  for (Index& group : groups) group = group == kMixed ? kNone : group;
  return groups;
}

// 1 for the points of simplices and for loose points.
std::vector<std::uint8_t> flag_colliding(const CollisionMesh& mesh) {
  std::vector<std::uint8_t> flags(static_cast<size_t>(mesh.point_count), 0);
  for (const Edge& e : mesh.edges) flags[static_cast<size_t>(e[0])] = flags[static_cast<size_t>(e[1])] = 1;
  for (const Index i : mesh.loose) flags[static_cast<size_t>(i)] = 1;
  return flags;
}

}  // namespace

ContactMotion::ContactMotion(const CollisionMesh& mesh, const CandidateFilter& filter, NodeMap map,
                             const Points& rest, double d_hat, const std::vector<CertifiedSurface>& certified)
    : map_(std::move(map)),
      proximity_(mesh, filter, d_hat, find_groups(mesh, filter, rest), certified),
      near_pairs_(std::make_unique<NearPairs>(proximity_.groups().group_of_point, proximity_.activation(),
                                              proximity_.mesh().radii)) {
  const std::vector<std::uint8_t> collides = flag_colliding(this->mesh());
  for (const Index i : proximity_.free_points()) {
    if (collides[static_cast<size_t>(i)] != 0) free_points_.push_back(i);
  }
}

ContactMotion::~ContactMotion() = default;

MovedGroups ContactMotion::find_groups(const CollisionMesh& mesh, const CandidateFilter& filter,
                                       const Points& rest) {
  MovedGroups groups;
  if (map_.is_identity() || mesh.bodies.empty()) return groups;
  const Eigen::Matrix<double, 3, 4> corners = list_tetrahedron();
  const std::vector<Index> moved = find_moved_bodies(map_, mesh.bodies);
  std::vector<Index> group_of_body(moved.size(), kNone);
  groups.group_of_point.assign(mesh.bodies.size(), kNone);
  groups.coordinates.assign(mesh.bodies.size(), Vec3::Zero());
  group_of_node_.assign(static_cast<size_t>(map_.node_count()), kNone);
  for (size_t i = 0; i < mesh.bodies.size(); ++i) {
    const auto point = static_cast<Index>(i);
    const Index body = mesh.bodies[i];
    if (moved[body] == kNone || meets_itself(body, filter)) continue;
    const std::span<const Index> nodes = map_.nodes_of(point);
    Index& group = group_of_body[body];
    if (group == kNone) {
      group = groups.count++;
      nodes_.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
      for (const Index node : nodes) group_of_node_[node] = group;
    }
    groups.group_of_point[i] = group;
    const std::span<const double> w = map_.weights_of(point);
    groups.coordinates[i] = corners * Eigen::Map<const Eigen::Vector4d>(w.data());
  }
  if (groups.count == 0) return {};
  corners_.assign(nodes_.size(), corners);
  turn_groups(mesh, groups);
  groups.scales = compute_scales(groups, rest);
  return groups;
}

// If the principal axes of a body are not unique, as those of a cube, its box along them may be oblique. The
// box is turned to lie along one of the body's triangles if that makes it clearly smaller.
void ContactMotion::turn_groups(const CollisionMesh& mesh, MovedGroups& groups) {
  std::vector<std::vector<Index>> points(nodes_.size()), triangles(nodes_.size());
  for (size_t i = 0; i < groups.group_of_point.size(); ++i) {
    const Index group = groups.group_of_point[i];
    if (group != kNone) points[group].push_back(static_cast<Index>(i));
  }
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Index group = groups.group_of_point[mesh.triangles[i][0]];
    if (group != kNone) triangles[group].push_back(static_cast<Index>(i));
  }
  for (size_t g = 0; g < nodes_.size(); ++g) {
    double smallest =
        kContactMotion.clearly_smaller * measure_box(points[g], groups.coordinates, Mat3::Identity());
    Mat3 best = Mat3::Identity();
    const size_t stride = std::max<size_t>(1, triangles[g].size() / kContactMotion.tried_triangles);
    for (size_t k = 0; k < triangles[g].size(); k += stride) {
      const Mat3 axes = find_axes(mesh.triangles[triangles[g][k]], groups.coordinates);
      const double size = measure_box(points[g], groups.coordinates, axes);
      if (!(size < smallest)) continue;
      smallest = size;
      best = axes;
    }
    corners_[g] = best.transpose() * corners_[g];
    for (const Index i : points[g]) groups.coordinates[i] = best.transpose() * groups.coordinates[i];
  }
}

void ContactMotion::compute_frames(const VecX& n, std::vector<AffineFrame>& frames) const {
  frames.resize(nodes_.size());
  exec::parallel_for("contact.frames", nodes_.size(), [&](size_t g) {
    Eigen::Matrix<double, 3, 4> x;
    for (int a = 0; a < 4; ++a) x.col(a) = n.segment<3>(3 * nodes_[g][a]);
    frames[g].A.noalias() = 0.75 * x * corners_[g].transpose();
    frames[g].t = 0.25 * x.rowwise().sum();
  });
}

const PairStencils& ContactMotion::move_to(const VecX& n, Points& x) {
  x.resize(static_cast<size_t>(map_.point_count()), Vec3::Zero());
  map_.compute_points(n, free_points_, x);
  compute_frames(n, start_);
  proximity_.find_pairs({x, x, start_, start_});
  map_.compute_points(n, proximity_.near_points(), x);
  return near_pairs().find_at(x);
}

NearPairs& ContactMotion::near_pairs() {
  if (near_version_ != proximity_.pairs_version()) near_pairs_->set_pairs(proximity_.pairs());
  near_version_ = proximity_.pairs_version();
  return *near_pairs_;
}

double ContactMotion::compute_reach(std::span<const Vec3> x) const {
  double reach = 0;
  for (const auto* points : {&free_points_, &proximity_.near_points()}) {
    reach = exec::parallel_max("contact.reach", points->size(), reach,
                               [&](size_t k) { return x[(*points)[k]].lpNorm<Eigen::Infinity>(); });
  }
  return reach;
}

PointPaths ContactMotion::make_paths(const NodePath& path) {
  end_nodes_ = path.at(1);
  x0_.resize(static_cast<size_t>(map_.point_count()), Vec3::Zero());
  x1_.resize(x0_.size(), Vec3::Zero());
  map_.compute_points(path.start, free_points_, x0_);
  map_.compute_points(end_nodes_, free_points_, x1_);
  compute_frames(path.start, start_);
  compute_frames(end_nodes_, end_);
  turns_.assign(path.turns.empty() ? 0 : nodes_.size(), {});
  for (const Turn& turn : path.turns) {
    MARROW_ASSERT(!group_of_node_.empty() && group_of_node_[turn.first_node] != kNone);
    turns_[group_of_node_[turn.first_node]] = turn;
  }
  return {x0_, x1_, start_, end_, turns_};
}

void ContactMotion::prefetch_pairs(const NodePath& path) {
  if (!nodes_.empty()) proximity_.find_pairs(make_paths(path));
}

// The points of near pairs on the path for which make_paths was called last, and their grown radii.
TurningPoints ContactMotion::place_points(const NodePath& path) {
  const std::vector<Index>& near = proximity_.near_points();
  map_.compute_points(path.start, near, x0_);
  map_.compute_points(end_nodes_, near, x1_);
  const std::vector<double>& radii = mesh().radii;
  if (path.turns.empty()) return {x0_, x1_, radii, {}, {}};
  // The same points turn on all paths.
  if (turn_of_point_.empty()) {
    std::vector<std::uint8_t> is_turning(nodes_.size(), 0);
    for (const Turn& turn : path.turns) is_turning[group_of_node_[turn.first_node]] = 1;
    for (const Index group : proximity_.groups().group_of_point) {
      turn_of_point_.push_back(group != kNone && is_turning[group] != 0 ? group : kNone);
    }
    grown_radii_ = radii;
    grown_radii_.resize(x0_.size(), 0);
  }
  const TurningPoints paths = {x0_, x1_, radii, turn_of_point_, turns_};
  // Points that were grown before get their own radii again: CCD is cheaper for all pairs if no two radii
  // differ.
  for (const Index i : grown_points_) grown_radii_[i] = radii.empty() ? 0 : radii[i];
  grown_points_ = near;
  grow_radii(paths, near, grown_radii_);
  return paths;
}

// The limit that these pairs set to the path for which place_points was called last.
StepLimit ContactMotion::limit_by_pairs(const NodePath& path, const TurningPoints& points,
                                        const PairStencils& pairs) const {
  const double most_kept = kKeptGap.most * d_hat();
  if (path.turns.empty()) return compute_collision_limit({x0_, x1_, points.radii}, pairs, 0, most_kept);
  return compute_turning_collision_limit(points, grown_radii_, pairs, most_kept);
}

StepLimit ContactMotion::limit_by_pairs(const NodePath& path) {
  const TurningPoints points = place_points(path);
  const std::span<const double> grown = path.turns.empty() ? std::span<const double>() : grown_radii_;
  return limit_by_pairs(path, points, near_pairs().find_limiting({x0_, x1_, points.radii}, grown));
}

StepLimit ContactMotion::compute_limit(const NodePath& path) {
  const PointPaths paths = make_paths(path);
  if (proximity_.is_covered(paths)) {
    proximity_.find_covered_pairs(paths);
    return limit_by_pairs(path);
  }

  // A long path is first cut to the part that the pairs near its start allow.
  proximity_.find_pairs(paths.at_start(), paths);
  const StepLimit near = limit_by_pairs(path);
  if (near.alpha >= kContactMotion.nearly_whole) {
    proximity_.find_pairs(paths);
    return limit_by_pairs(path);
  }
  const NodePath part = path.cut(near.alpha);
  const PointPaths part_of_paths = make_paths(part);
  if (proximity_.is_covered(part_of_paths)) return near;  // they include all pairs of the part
  proximity_.find_pairs(part_of_paths);
  StepLimit limit = limit_by_pairs(part);
  limit.alpha *= near.alpha;
  limit.cause = LimitCause::Collision;
  return limit;
}

// The candidate pairs between these bodies.
PairStencils ContactMotion::select_pairs(const std::vector<IndexPair>& bodies) const {
  const std::vector<Index>& body_of = mesh().bodies;
  PairStencils some;
  for_each_pair(proximity_.pairs(), [&](PairShape shape, const PairStencil& pair) {
    const auto [a, b] = std::minmax(body_of[pair[0]], body_of[pair[shape.front]]);
    if (std::binary_search(bodies.begin(), bodies.end(), IndexPair{a, b}))
      list_of(shape, some).push_back(pair);
  });
  return some;
}

Meeting ContactMotion::find_meeting(const NodePath& path, const std::vector<IndexPair>& bodies) {
  Meeting meeting;
  if (bodies.empty() || mesh().bodies.empty()) return meeting;
  reset();  // so that the candidates, and with them the last bits of a limit, depend on the path only
  proximity_.find_pairs(make_paths(path));
  const PairStencils pairs = select_pairs(bodies);
  meeting.alpha = limit_by_pairs(path, place_points(path), pairs).alpha;
  if (meeting.alpha >= 1) return meeting;
  // The bodies that are within d̂ then. x1_ is the end of the path.
  const Points x = compute_near_points(path.at(meeting.alpha));
  struct Near {
    NearBodies bodies;
    PairStencils pairs;
  };
  std::map<IndexPair, Near> near;
  for_each_pair(pairs, [&](PairShape shape, const PairStencil& pair) {
    const PairPoint point = find_closest(shape, gather_balls(pair, shape.count, x, mesh().radii));
    const double gap = point.compute_gap();
    if (!(gap < d_hat())) return;
    Vec3 end = Vec3::Zero();
    NearBodies now = {.bodies = {mesh().bodies[pair[0]], mesh().bodies[pair[shape.front]]}};
    for (int i = 0; i < shape.count; ++i) {
      end += point.w[i] * x1_[pair[i]];
      now.shifts[i < shape.front ? 0 : 1] += std::abs(point.w[i]) * (x1_[pair[i]] - x0_[pair[i]]);
    }
    if (now.bodies[0] > now.bodies[1]) {
      std::swap(now.bodies[0], now.bodies[1]);
      std::swap(now.shifts[0], now.shifts[1]);
    }
    Near& found = near.try_emplace(now.bodies, Near{now, {}}).first->second;
    if (now.compute_path() > found.bodies.compute_path()) found.bodies.shifts = now.shifts;
    const double depth = point.c.norm() - gap - point.c.stableNormalized().dot(end);
    found.bodies.depth = std::max(found.bodies.depth, depth);
    list_of(shape, found.pairs).push_back(pair);
  });
  for (auto& [pair, found] : near) {
    found.bodies.begin = find_begin(path, found.pairs, meeting.alpha);
    meeting.near.push_back(found.bodies);
  }
  return meeting;
}

Points ContactMotion::compute_near_points(const VecX& n) const {
  Points x(x0_.size(), Vec3::Zero());
  map_.compute_points(n, free_points_, x);
  map_.compute_points(n, proximity_.near_points(), x);
  return x;
}

// By bisection to the last digits, so that the result does not depend on how far a conservative limit went.
double ContactMotion::find_begin(const NodePath& path, const PairStencils& pairs, double end) const {
  const auto is_near = [&](double t) {
    const Points x = compute_near_points(path.at(t));
    double smallest = d_hat();
    for_each_pair(pairs, [&](PairShape shape, const PairStencil& pair) {
      const PairPoint point = find_closest(shape, gather_balls(pair, shape.count, x, mesh().radii));
      smallest = std::min(smallest, point.compute_gap());
    });
    return smallest < d_hat();
  };
  double far = 0, near = end;
  if (is_near(far)) return 0;
  for (int k = 0; k < kContactMotion.halvings; ++k) {
    const double middle = 0.5 * (far + near);
    (is_near(middle) ? near : far) = middle;
  }
  return far;
}

}  // namespace marrow
