#include "sim/projective/medial_meetings.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/distance/closest.h"
#include "geometry/medial/voxel_query.h"

namespace marrow {
namespace {

// A vertex is behind a triangle if the way to its closest point leaves through the triangle: cos of the angle
// with the normal. [D34]
constexpr double kThrough = 0.9;
// The two were this much farther from each other at rest: the far side of a limb is behind its near side,
// too. [D34]
constexpr double kFarther = 4;
// A ball is left out only if it is farther away by more than rounding. [derived: some operations, of 1e-16
// each]
constexpr double kNotCloser = 1 + 1e-12;

// Surface points × nodes: the rows of the collider are left out.
ScalarMatrix take_rows(const ScalarMatrix& W, size_t count) {
  ScalarMatrix rows;
  rows.columns = W.columns;
  rows.offsets.assign(W.offsets.begin(), W.offsets.begin() + static_cast<std::ptrdiff_t>(count) + 1);
  rows.indices.assign(W.indices.begin(), W.indices.begin() + rows.offsets.back());
  rows.values.assign(W.values.begin(), W.values.begin() + rows.offsets.back());
  return rows;
}

MedialRest make_rest(const Body& body, const ReducedElements& reduced) {
  MedialRest rest;
  rest.surface.points = body.rest.points;
  rest.surface.triangles = body.rest.triangles;
  rest.medial = reduced.medial;
  rest.nodes = reduced.rest_nodes;
  rest.handle_nodes = reduced.handle_nodes;
  rest.surface_weights = take_rows(body.W, body.rest.points.size());
  rest.sphere_weights = reduced.sphere_weights;
  return rest;
}

Aabb box_of_balls(const MedialBalls& balls) {
  Aabb box = box_of_ball(balls.x[0], balls.r[0]);
  for (size_t i = 1; i < static_cast<size_t>(balls.count); ++i) {
    box = merge(box, box_of_ball(balls.x[i], balls.r[i]));
  }
  return box;
}

Aabb box_of_cover(const MedialCover& cover) {
  Aabb box = box_of_balls(cover.primitives.at(0));
  for (const MedialBalls& balls : cover.primitives) box = merge(box, box_of_balls(balls));
  return box;
}

MedialBalls make_slab(const Points& x, const Triangle& t) {
  MedialBalls balls;
  for (size_t k = 0; k < 3; ++k) balls.x[k] = x[static_cast<size_t>(t[k])];
  balls.count = 3;
  return balls;
}

struct CoveredBody {
  Index body;
  MedialBounds bounds;
  Buckets<Index> primitives;       // of every triangle
  std::vector<IndexPair> at_rest;  // pairs of primitives that overlap at rest
  MedialCover cover;
  Aabb box = {};

  Triangle triangle(Index t, Index first) const {
    const Triangle& own = bounds.rest().surface.triangles[static_cast<size_t>(t)];
    return {own[0] + first, own[1] + first, own[2] + first};
  }
};

Buckets<Index> list_primitives_of_triangles(const MedialBounds& bounds) {
  return fill_buckets<Index>(bounds.rest().surface.triangles.size(), [&](const auto& visit) {
    for (size_t p = 0; p < bounds.primitives().size(); ++p) {
      for (const Index t : bounds.list_triangles(static_cast<Index>(p))) visit(t, static_cast<Index>(p));
    }
  });
}

std::vector<IndexPair> list_overlaps_at_rest(const MedialBounds& bounds) {
  VecX nodes(3 * static_cast<Index>(bounds.rest().nodes.size()));
  for (size_t i = 0; i < bounds.rest().nodes.size(); ++i) {
    nodes.segment<3>(3 * static_cast<Index>(i)) = bounds.rest().nodes[i];
  }
  MedialCover cover;
  bounds.update(BoundKind::Affine, nodes, cover);
  std::vector<PrimitiveOverlap> overlaps;
  MedialCulling().find_self(bounds.primitives(), cover, overlaps);
  std::vector<IndexPair> pairs;
  for (const PrimitiveOverlap& overlap : overlaps) pairs.push_back({overlap.a, overlap.b});
  return pairs;
}

// A triangle with the ball about it: what is farther away needs no look.
struct FoldTriangle {
  Triangle corners;
  Vec3 center;
  double radius;
};

// Vertices of a primitive behind triangles of another one, into which it reaches; they go back along the way.
struct FoldSearch {
  Index primitive, into;
  Vec3 way;
};

// Two bodies, or one with itself.
struct CoveredPair {
  size_t a, b;
  std::vector<PrimitiveOverlap> overlaps;
};

}  // namespace

Vec3 find_closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto triple = [](const Vec3& v) { return Triple<double>{v.x(), v.y(), v.z()}; };
  const Stencil<double> stencil = {{triple(p), triple(a), triple(b), triple(c)}, {0, 0, 0, 0}};
  const Closest<double> closest =
      find_closest<Taper::None>(PairKind::PointTriangle, make_coefficients(PairKind::PointTriangle, stencil));
  return {closest.rest, closest.u, closest.v};
}

struct MedialMeetings::Parts {
  explicit Parts(const Model& m) : model(m) {}

  Index first_point(size_t i) const {
    return model.kinematics.bodies[static_cast<size_t>(bodies[i].body)].first_point;
  }
  Vec3 find_way_between(size_t a, Index t, size_t b, Index s) const;
  void find_folds_in(const CoveredBody& own, const Points& x, const FoldSearch& search,
                     std::vector<Fold>& folds) const;
  void find_folds_of(const CoveredPair& pair, const Points& x, std::vector<Fold>& folds) const;

  const Model& model;
  std::vector<CoveredBody> bodies;
  std::vector<Index> number_of;  // by body
  std::vector<CoveredPair> pairs;
  MedialCulling culling;
};

MedialMeetings::MedialMeetings(const Model& model, const std::vector<char>& takes_part)
    : parts_(std::make_unique<Parts>(model)) {
  const std::vector<Body>& bodies = model.kinematics.bodies;
  parts_->number_of.assign(bodies.size(), kNone);
  for (const ReducedElements& reduced : model.kinematics.reduced) {
    const auto at = std::find_if(bodies.begin(), bodies.end(),
                                 [&](const Body& body) { return body.first_node == reduced.first_node; });
    if (at == bodies.end() || reduced.medial.points.empty()) continue;
    const auto b = static_cast<size_t>(at - bodies.begin());
    if (takes_part[b] == 0) continue;
    parts_->number_of[b] = static_cast<Index>(parts_->bodies.size());
    MedialBounds bounds(make_rest(*at, reduced));
    Buckets<Index> primitives = list_primitives_of_triangles(bounds);
    std::vector<IndexPair> overlaps = list_overlaps_at_rest(bounds);
    parts_->bodies.push_back(
        {static_cast<Index>(b), std::move(bounds), std::move(primitives), std::move(overlaps), {}});
  }
}

MedialMeetings::~MedialMeetings() = default;
MedialMeetings::MedialMeetings(MedialMeetings&&) noexcept = default;

bool MedialMeetings::covers(Index body) const { return parts_->number_of[body] != kNone; }

void MedialMeetings::update(const VecX& n, const std::function<bool(Index, Index)>& may_meet) {
  const trace::Scope scope("projective.culling");
  Parts& p = *parts_;
  for (CoveredBody& own : p.bodies) {
    const Body& body = p.model.kinematics.bodies[static_cast<size_t>(own.body)];
    own.bounds.update(BoundKind::Affine, n.segment(3 * body.first_node, 3 * body.node_count), own.cover);
    own.box = box_of_cover(own.cover);
  }
  p.pairs.clear();
  for (size_t a = 0; a < p.bodies.size(); ++a) {
    for (size_t b = a; b < p.bodies.size(); ++b) {
      CoveredPair pair = {a, b, {}};
      if (a == b) {
        const CoveredBody& own = p.bodies[a];
        p.culling.find_self(own.bounds.primitives(), own.cover, pair.overlaps, own.at_rest);
      } else if (is_overlapping(p.bodies[a].box, p.bodies[b].box) &&
                 may_meet(p.bodies[a].body, p.bodies[b].body)) {
        p.culling.find(p.bodies[a].cover, p.bodies[b].cover, pair.overlaps);
      }
      if (!pair.overlaps.empty()) p.pairs.push_back(std::move(pair));
    }
  }
}

void MedialMeetings::mark_vertices(std::vector<char>& marks) const {
  marks.assign(static_cast<size_t>(parts_->model.kinematics.point_count), 0);
  const auto mark = [&](size_t i, Index primitive) {
    const Index first = parts_->first_point(i);
    for (const Index t : parts_->bodies[i].bounds.list_triangles(primitive)) {
      for (const Index v : parts_->bodies[i].triangle(t, first)) marks[static_cast<size_t>(v)] = 1;
    }
  };
  for (const CoveredPair& pair : parts_->pairs) {
    if (pair.a == pair.b) continue;
    for (const PrimitiveOverlap& overlap : pair.overlaps) {
      mark(pair.a, overlap.a);
      mark(pair.b, overlap.b);
    }
  }
}

// A triangle may have pieces in several primitives: those that are deepest in each other decide.
Vec3 MedialMeetings::Parts::find_way_between(size_t a, Index t, size_t b, Index s) const {
  Deepest best;
  best.gap = std::numeric_limits<double>::infinity();
  for (const Index i : bodies[a].primitives.of(static_cast<size_t>(t))) {
    for (const Index j : bodies[b].primitives.of(static_cast<size_t>(s))) {
      const Deepest deepest = find_deepest(bodies[a].cover.primitives[static_cast<size_t>(i)],
                                           bodies[b].cover.primitives[static_cast<size_t>(j)]);
      if (deepest.gap < best.gap) best = deepest;
    }
  }
  return best.normal;
}

Vec3 MedialMeetings::find_way(Index body, Index triangle, const Points& x, const Triangle& other) const {
  const CoveredBody& own = parts_->bodies[static_cast<size_t>(parts_->number_of[body])];
  const MedialBalls slab = make_slab(x, other);
  Deepest best;
  best.gap = std::numeric_limits<double>::infinity();
  for (const Index i : own.primitives.of(static_cast<size_t>(triangle))) {
    const Deepest deepest = find_deepest(own.cover.primitives[static_cast<size_t>(i)], slab);
    if (deepest.gap < best.gap) best = deepest;
  }
  return best.normal;
}

void MedialMeetings::find_crossings(const Points& x, std::vector<Crossing>& crossings) const {
  const trace::Scope scope("projective.voxels");
  const Parts& p = *parts_;
  std::vector<Points> surfaces(p.bodies.size());
  const auto surface_of = [&](size_t i) {
    if (surfaces[i].empty()) {
      const auto first = x.begin() + p.first_point(i);
      surfaces[i].assign(
          first, first + static_cast<std::ptrdiff_t>(p.bodies[i].bounds.rest().surface.points.size()));
    }
    return MedialSurface{&p.bodies[i].bounds, &p.bodies[i].cover, &surfaces[i]};
  };
  std::vector<IndexPair> found;
  for (const CoveredPair& pair : p.pairs) {
    const MedialSurface a = surface_of(pair.a), b = surface_of(pair.b);
    find_meeting_triangles(a, b, pair.overlaps, found);
    for (const auto& [t, s] : found) {
      crossings.push_back(
          {p.bodies[pair.a].body, p.bodies[pair.b].body, p.bodies[pair.a].triangle(t, p.first_point(pair.a)),
           p.bodies[pair.b].triangle(s, p.first_point(pair.b)), p.find_way_between(pair.a, t, pair.b, s)});
    }
  }
}

void MedialMeetings::Parts::find_folds_in(const CoveredBody& own, const Points& x, const FoldSearch& search,
                                          std::vector<Fold>& folds) const {
  const Index first = model.kinematics.bodies[static_cast<size_t>(own.body)].first_point;
  const auto at = [&](Index point) -> const Vec3& { return x[static_cast<size_t>(point)]; };
  const auto rest_of = [&](Index point) -> const Vec3& {
    return own.bounds.rest().surface.points[static_cast<size_t>(point - first)];
  };
  const MedialBalls& balls = own.cover.primitives[static_cast<size_t>(search.into)];
  const double reach = std::max({balls.r[0], balls.r[1], balls.r[2]});
  const Aabb box = box_of_balls(balls);
  std::vector<Index> vertices;
  for (const Index t : own.bounds.list_triangles(search.primitive)) {
    for (const Index v : own.triangle(t, first)) {
      if (is_overlapping(box, box_of_ball(at(v), 0))) vertices.push_back(v);
    }
  }
  if (vertices.empty()) return;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  std::vector<FoldTriangle> triangles;
  for (const Index s : own.bounds.list_triangles(search.into)) {
    const Triangle t = own.triangle(s, first);
    const Vec3 center = (at(t[0]) + at(t[1]) + at(t[2])) / 3;
    const double radius =
        std::max({(at(t[0]) - center).norm(), (at(t[1]) - center).norm(), (at(t[2]) - center).norm()});
    triangles.push_back({t, center, radius});
  }
  for (const Index v : vertices) {
    const Vec3& p = at(v);
    Fold best;
    double least = reach;
    bool is_behind = false;
    for (const FoldTriangle& triangle : triangles) {
      const Triangle& t = triangle.corners;
      if (v == t[0] || v == t[1] || v == t[2]) continue;
      const double far = kNotCloser * (least + triangle.radius);
      if ((p - triangle.center).squaredNorm() > far * far) continue;
      const Vec3 &c0 = at(t[0]), &c1 = at(t[1]), &c2 = at(t[2]);
      const Vec3 w = find_closest_weights(p, c0, c1, c2);
      const Vec3 arm = w[0] * c0 + w[1] * c1 + w[2] * c2 - p;
      const double distance = arm.norm();
      if (!(distance < least)) continue;
      least = distance;
      const Vec3 normal = (c1 - c0).cross(c2 - c0);
      const Vec3 at_rest = w[0] * rest_of(t[0]) + w[1] * rest_of(t[1]) + w[2] * rest_of(t[2]) - rest_of(v);
      is_behind = arm.dot(normal) > kThrough * distance * normal.norm() && arm.dot(search.way) > 0 &&
                  at_rest.norm() > kFarther * distance;
      best = {own.body, v, t, w, arm};
    }
    if (is_behind) folds.push_back(best);
  }
}

// For each overlap the vertices of either primitive against the triangles of the other.
void MedialMeetings::Parts::find_folds_of(const CoveredPair& pair, const Points& x,
                                          std::vector<Fold>& folds) const {
  std::vector<FoldSearch> searches;
  for (const PrimitiveOverlap& overlap : pair.overlaps) {
    searches.push_back({overlap.a, overlap.b, overlap.deepest.normal});
    searches.push_back({overlap.b, overlap.a, -overlap.deepest.normal});
  }
  std::vector<std::vector<Fold>> found(searches.size());
  exec::parallel_for("penetrations.folds", searches.size(),
                     [&](size_t i) { find_folds_in(bodies[pair.a], x, searches[i], found[i]); });
  for (const std::vector<Fold>& some : found) folds.insert(folds.end(), some.begin(), some.end());
}

void MedialMeetings::find_folds(const Points& x, std::vector<Fold>& folds) const {
  for (const CoveredPair& pair : parts_->pairs) {
    if (pair.a == pair.b) parts_->find_folds_of(pair, x, folds);
  }
  // A vertex in several parts of its body leaves the one that it leaves soonest.
  std::sort(folds.begin(), folds.end(), [](const Fold& a, const Fold& b) {
    return std::tuple(a.point, a.arm.squaredNorm(), a.triangle) <
           std::tuple(b.point, b.arm.squaredNorm(), b.triangle);
  });
  folds.erase(std::unique(folds.begin(), folds.end(),
                          [](const Fold& a, const Fold& b) { return a.point == b.point; }),
              folds.end());
}

}  // namespace marrow
