#include "sim/projective/penetrations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "core/trace.h"
#include "exact/moving_triangles.h"
#include "exec/parallel.h"
#include "geometry/bvh/bvh.h"
#include "kinematics/joined.h"
#include "mesh/surface.h"
#include "mesh/surface_edges.h"
#include "sim/projective/medial_meetings.h"
#include "sim/projective/projected_body.h"
#include "sim/projective/separation.h"

namespace marrow {
namespace {

// Of what was inside at the start of a step already, this part is drawn out in it: all of it at once would
// leave with the speed depth/h. [D34]
constexpr double kRecovered = 0.2;

// But at least this many times g h², which is what a body at rest sinks in a step: with less it would rest as
// much deeper. It leaves with at most this many times g h. [derived: equilibrium at rest]
constexpr double kRecoveredSinks = 2;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_closed(const std::vector<Triangle>& triangles) {
  bool is_whole = !triangles.empty();
  for_each_surface_edge(
      triangles, [&](const SurfaceEdge& edge) { is_whole = is_whole && edge.forward == edge.backward; });
  return is_whole;
}

// Whether the line upward from p crosses the triangle; the height at which. Sides that two triangles share
// count for one of them: a point is left of a side by the half-open rule.
bool crosses(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, double& height) {
  bool is_inside = false;
  const Vec3* corners[3] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    const Vec3& from = *corners[i];
    const Vec3& to = *corners[(i + 1) % 3];
    if ((from.z() > p.z()) == (to.z() > p.z())) continue;
    // The same bits whichever way the side runs.
    const Vec3& low = from.z() < to.z() ? from : to;
    const Vec3& high = from.z() < to.z() ? to : from;
    const double x = low.x() + (p.z() - low.z()) / (high.z() - low.z()) * (high.x() - low.x());
    if (p.x() < x) is_inside = !is_inside;
  }
  if (!is_inside) return false;
  const Vec3 normal = (b - a).cross(c - a);
  if (normal.y() == 0) return false;
  height = a.y() - (normal.x() * (p.x() - a.x()) + normal.z() * (p.z() - a.z())) / normal.y();
  return height > p.y();
}

// Whether the vertex moves inward through the triangle's plane in this step, from outside of it.
bool came_through(Index v, const Triangle& t, const Vec3& weights, const Points& x, const Points& start) {
  const auto side_of = [&](const Points& at) {
    const Vec3 &a = at[static_cast<size_t>(t[0])], &b = at[static_cast<size_t>(t[1])],
               &c = at[static_cast<size_t>(t[2])];
    const Vec3 place = weights[0] * a + weights[1] * b + weights[2] * c;
    return (b - a).cross(c - a).dot(at[static_cast<size_t>(v)] - place);
  };
  return side_of(start) >= 0 && side_of(x) < 0;
}

}  // namespace

struct PenetrationFinder::Parts {
  explicit Parts(const Model& m) : model(m) {}

  bool may_meet(Index a, Index b) const;
  void add_planes(const Points& x, std::vector<Penetration>& found) const;
  void update_boxes(const Points& x);
  bool is_near_other(const Aabb& box, Index body) const;
  void find_inside(const Points& x);
  void find_closest(const Points& x, const Points* start, std::vector<Penetration>& found);
  void add_folds(const Points& x, std::vector<Penetration>& found) const;
  void find_other_crossings(const Points& x, std::vector<Crossing>& crossings);
  void add_crossings(const Points& x, std::vector<Penetration>& found);

  struct Plane {
    Index body;
    Triangle triangle;
  };
  // A vertex inside of a body, and how far above it the surface is.
  struct Inside {
    Index point;
    Index body;
    double reach;
  };

  const Model& model;
  std::vector<Triangle> triangles;  // of all closed surfaces
  std::vector<Index> triangle_bodies;
  std::vector<Index> first_triangles;  // by body
  std::vector<ItemLabels> triangle_labels;
  std::optional<MedialMeetings> meetings;
  std::vector<char> marks;      // by point: its primitives overlap those of another body
  std::vector<char> moves;      // by body: projections move it
  std::vector<Index> vertices;  // of all surfaces
  std::vector<Index> point_bodies;
  std::vector<Plane> planes;
  std::vector<Index> triangle_ids, triangle_corners, all_points;  // as the trees want them
  std::vector<Aabb> triangle_boxes, body_boxes, vertex_boxes;
  std::vector<Index> near;  // vertices within the box of another body
  std::vector<Inside> inside;
  std::vector<Index> near_triangles;
  Bvh triangle_tree, vertex_tree, near_tree;
  bool is_built = false;
  BvhQuery query;
  std::vector<IndexPair> pairs;
};

bool PenetrationFinder::Parts::may_meet(Index a, Index b) const {
  if (a == b || !(moves[static_cast<size_t>(a)] || moves[static_cast<size_t>(b)])) return false;
  const IndexPair pair = {std::min(a, b), std::max(a, b)};
  const auto& ignored = model.contact.ignored_bodies;
  return std::find(ignored.begin(), ignored.end(), pair) == ignored.end();
}

void PenetrationFinder::Parts::add_planes(const Points& x, std::vector<Penetration>& found) const {
  for (const Plane& plane : planes) {
    const Vec3& at = x[static_cast<size_t>(plane.triangle[0])];
    const Vec3 normal = (x[static_cast<size_t>(plane.triangle[1])] - at)
                            .cross(x[static_cast<size_t>(plane.triangle[2])] - at)
                            .normalized();
    for (const Index v : vertices) {
      const double depth = normal.dot(at - x[static_cast<size_t>(v)]);
      if (!(depth > 0) || !may_meet(point_bodies[v], plane.body)) continue;
      found.push_back({.points = {v, kNone, kNone},
                       .point_body = point_bodies[v],
                       .body = plane.body,
                       .corners = {plane.triangle[0], kNone, kNone},
                       .weights = Vec3(1, 0, 0),
                       .normal = normal,
                       .depth = depth});
    }
  }
}

void PenetrationFinder::Parts::update_boxes(const Points& x) {
  const size_t bodies = model.kinematics.bodies.size();
  body_boxes.assign(bodies, Aabb{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}});
  triangle_boxes.resize(triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t) {
    Aabb box = box_of_ball(x[static_cast<size_t>(triangles[t][0])], 0);
    for (int k = 1; k < 3; ++k)
      box = merge(box, box_of_ball(x[static_cast<size_t>(triangles[t][static_cast<size_t>(k)])], 0));
    triangle_boxes[t] = box;
    body_boxes[triangle_bodies[t]] = merge(body_boxes[triangle_bodies[t]], box);
  }
}

// Two medial bodies know better by their primitives.
bool PenetrationFinder::Parts::is_near_other(const Aabb& box, Index body) const {
  for (size_t b = 0; b < body_boxes.size(); ++b) {
    const auto other = static_cast<Index>(b);
    if (is_overlapping(box, body_boxes[b]) && may_meet(body, other) &&
        !(meetings->covers(body) && meetings->covers(other))) {
      return true;
    }
  }
  return false;
}

// Vertices inside of closed surfaces.
void PenetrationFinder::Parts::find_inside(const Points& x) {
  inside.clear();
  double top = -kInfinity;
  for (const Aabb& box : body_boxes) top = std::max(top, static_cast<double>(box.hi[1]));
  near.clear();
  vertex_boxes.resize(x.size());
  for (const Index v : vertices) {
    const Aabb own = box_of_ball(x[static_cast<size_t>(v)], 0);
    if (marks[static_cast<size_t>(v)] == 0 && !is_near_other(own, point_bodies[v])) continue;
    near.push_back(v);
    vertex_boxes[v] = own;
    vertex_boxes[v].hi[1] = std::max(top, own.hi[1]);
  }
  if (near.empty()) return;
  if (is_built) {
    triangle_tree.refit(triangle_boxes);
  } else {
    triangle_tree.build({.ids = triangle_ids, .corner_count = 3, .corners = triangle_corners, .labels = {}},
                        triangle_boxes);
  }
  is_built = true;
  vertex_tree.build({.ids = near, .corner_count = 1, .corners = all_points, .labels = {}}, vertex_boxes);
  const auto height_of = [&](Index v, Index t, double& height) {
    const Triangle& corners = triangles[t];
    return crosses(x[static_cast<size_t>(v)], x[static_cast<size_t>(corners[0])],
                   x[static_cast<size_t>(corners[1])], x[static_cast<size_t>(corners[2])], height);
  };
  query.find_cross_pairs(
      vertex_tree, triangle_tree,
      [&](Index v, Index t) {
        double height = 0;
        return may_meet(point_bodies[v], triangle_bodies[t]) && height_of(v, t, height);
      },
      pairs);
  std::sort(pairs.begin(), pairs.end(), [&](const IndexPair& a, const IndexPair& b) {
    return std::tuple(a[0], triangle_bodies[a[1]], a[1]) < std::tuple(b[0], triangle_bodies[b[1]], b[1]);
  });
  for (size_t i = 0; i < pairs.size();) {
    Inside entry = {pairs[i][0], triangle_bodies[pairs[i][1]], kInfinity};
    size_t count = 0;
    for (; i < pairs.size() && pairs[i][0] == entry.point && triangle_bodies[pairs[i][1]] == entry.body;
         ++i) {
      double height = 0;
      height_of(pairs[i][0], pairs[i][1], height);
      entry.reach = std::min(entry.reach, height - x[static_cast<size_t>(entry.point)].y());
      ++count;
    }
    if (count % 2 == 1) inside.push_back(entry);
  }
}

// The closest point is no farther than the surface above, and where the vertex came through no farther than
// its way.
void PenetrationFinder::Parts::find_closest(const Points& x, const Points* start,
                                            std::vector<Penetration>& found) {
  if (inside.empty()) return;
  const auto way_of = [&](Index v) {
    return start == nullptr ? 0.0 : (x[static_cast<size_t>(v)] - (*start)[static_cast<size_t>(v)]).norm();
  };
  std::vector<Index> ids(inside.size());
  std::vector<Aabb> boxes(inside.size());
  std::vector<Index> points;
  for (const Inside& entry : inside) points.push_back(entry.point);
  for (size_t i = 0; i < inside.size(); ++i) {
    ids[i] = static_cast<Index>(i);
    const double reach = std::max(inside[i].reach, way_of(inside[i].point));
    boxes[i] = box_of_ball(x[static_cast<size_t>(inside[i].point)], reach);
  }
  Bvh tree;
  tree.build({.ids = ids, .corner_count = 1, .corners = points, .labels = {}}, boxes);
  query.find_cross_pairs(
      tree, triangle_tree, [&](Index i, Index t) { return triangle_bodies[t] == inside[i].body; }, pairs);
  exec::parallel_sort("penetrations.sort", pairs,
                      [](const IndexPair& a, const IndexPair& b) { return a < b; });
  const size_t first = found.size();
  for (const Inside& entry : inside) {
    found.push_back({.points = {entry.point, kNone, kNone},
                     .point_body = point_bodies[entry.point],
                     .body = entry.body,
                     .depth = kInfinity});
  }
  for (const IndexPair& pair : pairs) {
    Penetration& own = found[first + static_cast<size_t>(pair[0])];
    const Triangle& t = triangles[pair[1]];
    const Vec3& p = x[static_cast<size_t>(own.points[0])];
    const Vec3 weights = find_closest_weights(p, x[static_cast<size_t>(t[0])], x[static_cast<size_t>(t[1])],
                                              x[static_cast<size_t>(t[2])]);
    const Vec3 arm = weights[0] * x[static_cast<size_t>(t[0])] + weights[1] * x[static_cast<size_t>(t[1])] +
                     weights[2] * x[static_cast<size_t>(t[2])] - p;
    const double distance = arm.norm();
    const bool is_entry = start != nullptr && came_through(own.points[0], t, weights, x, *start);
    if (is_entry < own.is_entry || (is_entry == own.is_entry && !(distance < own.depth))) continue;
    own.is_entry = is_entry;
    own.corners = {t[0], t[1], t[2]};
    own.weights = weights;
    own.depth = distance;
    own.normal = distance > 0 ? Vec3(arm / distance) : Vec3(Vec3::Zero());
  }
  std::erase_if(found, [](const Penetration& p) { return p.depth == kInfinity; });
}

void PenetrationFinder::Parts::add_folds(const Points& x, std::vector<Penetration>& found) const {
  std::vector<MedialMeetings::Fold> folds;
  meetings->find_folds(x, folds);
  for (const MedialMeetings::Fold& fold : folds) {
    const double depth = fold.arm.norm();
    if (!(depth > 0)) continue;
    found.push_back({.points = {fold.point, kNone, kNone},
                     .point_body = fold.body,
                     .body = fold.body,
                     .corners = fold.triangle,
                     .weights = fold.weights,
                     .normal = fold.arm / depth,
                     .depth = depth});
  }
}

// Of all bodies but pairs of medial ones.
void PenetrationFinder::Parts::find_other_crossings(const Points& x, std::vector<Crossing>& crossings) {
  near_triangles.clear();
  for (size_t t = 0; t < triangles.size(); ++t) {
    if (is_near_other(triangle_boxes[t], triangle_bodies[t])) near_triangles.push_back(static_cast<Index>(t));
  }
  if (near_triangles.empty()) return;
  near_tree.build(
      {.ids = near_triangles, .corner_count = 3, .corners = triangle_corners, .labels = triangle_labels},
      triangle_boxes);
  query.find_self_pairs(
      near_tree,
      [&](Index t, Index s) {
        const Index a = triangle_bodies[t], b = triangle_bodies[s];
        return may_meet(a, b) && !(meetings->covers(a) && meetings->covers(b)) &&
               triangles_meet(x, triangles[t], triangles[s]);
      },
      pairs);
  std::sort(pairs.begin(), pairs.end());
  std::vector<Crossing> plain;
  for (const auto& [t, s] : pairs) {
    Crossing crossing = {triangle_bodies[t], triangle_bodies[s], triangles[t], triangles[s], Vec3::Zero()};
    if (meetings->covers(crossing.body_a)) {
      crossing.way = meetings->find_way(crossing.body_a, t - first_triangles[crossing.body_a], x, crossing.b);
    } else if (meetings->covers(crossing.body_b)) {
      crossing.way =
          -meetings->find_way(crossing.body_b, s - first_triangles[crossing.body_b], x, crossing.a);
    } else {
      plain.push_back(crossing);
      continue;
    }
    crossings.push_back(crossing);
  }
  find_ways_by_area(x, plain);
  crossings.insert(crossings.end(), plain.begin(), plain.end());
}

// Triangles that meet and have no corner that was found in the other body: edges alone.
void PenetrationFinder::Parts::add_crossings(const Points& x, std::vector<Penetration>& found) {
  std::vector<Crossing> crossings;
  meetings->find_crossings(x, crossings);
  find_other_crossings(x, crossings);
  std::vector<IndexPair> known;  // vertices, and the bodies that they are in
  for (const Penetration& p : found) known.push_back({p.points[0], p.body});
  std::sort(known.begin(), known.end());
  const auto is_known = [&](const Triangle& t, Index body) {
    return std::any_of(t.begin(), t.end(), [&](Index v) {
      return std::binary_search(known.begin(), known.end(), IndexPair{v, body});
    });
  };
  for (const Crossing& crossing : crossings) {
    if (is_known(crossing.a, crossing.body_b) || is_known(crossing.b, crossing.body_a)) continue;
    const Separation apart = find_separation(x, crossing);
    if (!(apart.depth > 0)) continue;
    found.push_back({.points = crossing.a,
                     .point_weights = apart.weights_a,
                     .point_body = crossing.body_a,
                     .body = crossing.body_b,
                     .corners = crossing.b,
                     .weights = apart.weights_b,
                     .normal = apart.direction,
                     .depth = apart.depth,
                     .beyond = apart.depth});
  }
}

PenetrationFinder::PenetrationFinder(const Model& model) : parts_(std::make_unique<Parts>(model)) {
  Parts& p = *parts_;
  p.point_bodies = list_bodies_of_points(model.kinematics);
  for (size_t b = 0; b < model.kinematics.bodies.size(); ++b) {
    const Body& body = model.kinematics.bodies[b];
    std::vector<Triangle> own = extract_surface(body.rest.tets);
    own.insert(own.end(), body.rest.triangles.begin(), body.rest.triangles.end());
    for (Triangle& t : own) t = {t[0] + body.first_point, t[1] + body.first_point, t[2] + body.first_point};
    p.moves.push_back(is_projected(model, b) ? 1 : 0);
    p.first_triangles.push_back(static_cast<Index>(p.triangles.size()));
    if (body.is_ground) {
      p.planes.push_back({static_cast<Index>(b), own.at(0)});
    } else if (is_closed(own)) {
      p.triangles.insert(p.triangles.end(), own.begin(), own.end());
      p.triangle_bodies.insert(p.triangle_bodies.end(), own.size(), static_cast<Index>(b));
    }
  }
  for (const Triangle& t : p.triangles) p.vertices.insert(p.vertices.end(), t.begin(), t.end());
  std::sort(p.vertices.begin(), p.vertices.end());
  p.vertices.erase(std::unique(p.vertices.begin(), p.vertices.end()), p.vertices.end());
  for (size_t t = 0; t < p.triangles.size(); ++t) p.triangle_ids.push_back(static_cast<Index>(t));
  for (const Triangle& t : p.triangles)
    p.triangle_corners.insert(p.triangle_corners.end(), t.begin(), t.end());
  for (Index i = 0; i < model.kinematics.point_count; ++i) p.all_points.push_back(i);
  std::vector<char> takes_part(model.kinematics.bodies.size(), 0);
  for (const Index body : p.triangle_bodies) {
    p.triangle_labels.push_back({body, kNone});
    takes_part[static_cast<size_t>(body)] = 1;
  }
  p.meetings.emplace(model, takes_part);
}

PenetrationFinder::~PenetrationFinder() = default;

void PenetrationFinder::find(const VecX& n, const Points& x, const Points* start,
                             std::vector<Penetration>& found) {
  const trace::Scope scope("projective.detect");
  found.clear();
  Parts& p = *parts_;
  if (!p.model.contact.is_enabled) return;
  p.add_planes(x, found);
  p.meetings->update(n, [&](Index a, Index b) { return p.may_meet(a, b); });
  p.meetings->mark_vertices(p.marks);
  p.update_boxes(x);
  p.find_inside(x);
  p.find_closest(x, start, found);
  p.add_folds(x, found);
  p.add_crossings(x, found);
  std::sort(found.begin(), found.end(), [](const Penetration& a, const Penetration& b) {
    return std::tuple(a.points, a.body, a.corners) < std::tuple(b.points, b.body, b.corners);
  });
}

void PenetrationFinder::draw(const std::vector<Penetration>& found, const Points& start, const Points& x,
                             std::vector<GhostTarget>& targets) {
  struct Pull {
    Index point;
    Vec3 shift;
  };
  std::vector<Pull> pulls;
  const Model& model = parts_->model;
  const auto place_of = [](const std::array<Index, 3>& points, const Vec3& weights, const Points& at) {
    Vec3 place = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Index point = points[static_cast<size_t>(k)];
      if (point != kNone) place += weights[k] * at[static_cast<size_t>(point)];
    }
    return place;
  };
  // So that their weighted sum moves by the shift.
  const auto add_pulls = [&](const std::array<Index, 3>& points, const Vec3& weights, const Vec3& shift) {
    const double share = 1 / weights.squaredNorm();
    for (int k = 0; k < 3; ++k) {
      if (weights[k] > 0) pulls.push_back({points[static_cast<size_t>(k)], share * weights[k] * shift});
    }
  };
  const double sink = kRecoveredSinks * model.gravity.norm() * model.time.step * model.time.step;
  for (const Penetration& p : found) {
    const Vec3 own = place_of(p.points, p.point_weights, x);
    const Vec3 place = place_of(p.corners, p.weights, x);
    const Vec3 own_start = place_of(p.points, p.point_weights, start);
    const Vec3 place_start = place_of(p.corners, p.weights, start);
    const double before = std::max(0.0, p.beyond + p.normal.dot(place_start - own_start));
    const double kept = std::max(0.0, before - std::max(kRecovered * before, sink));
    const double depth = p.beyond + p.normal.dot(place - own) - kept;
    if (!(depth > 0)) continue;
    Vec3 slide = (own - own_start) - (place - place_start);
    slide -= p.normal.dot(slide) * p.normal;
    const double mu = model.contact.friction_between(p.point_body, p.body);
    const double length = slide.norm();
    Vec3 shift = depth * p.normal;
    if (mu > 0 && length > 0) shift -= std::min(1.0, mu * depth / length) * slide;
    const bool is_mover = parts_->moves[static_cast<size_t>(p.point_body)] != 0;
    const bool is_into_mover = parts_->moves[static_cast<size_t>(p.body)] != 0;
    const double half = is_mover && is_into_mover ? 0.5 : 1;
    if (is_mover) add_pulls(p.points, p.point_weights, half * shift);
    if (is_into_mover) add_pulls(p.corners, p.weights, -half * shift);
  }
  // A vertex that several draw goes to the mean.
  std::stable_sort(pulls.begin(), pulls.end(),
                   [](const Pull& a, const Pull& b) { return a.point < b.point; });
  for (size_t i = 0; i < pulls.size();) {
    Vec3 sum = Vec3::Zero();
    const size_t first = i;
    for (; i < pulls.size() && pulls[i].point == pulls[first].point; ++i) sum += pulls[i].shift;
    targets.push_back({pulls[first].point, sum / static_cast<double>(i - first)});
  }
}

}  // namespace marrow
