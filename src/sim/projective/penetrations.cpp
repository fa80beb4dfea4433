#include "sim/projective/penetrations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/bvh/bvh.h"
#include "geometry/distance/closest.h"
#include "kinematics/joined.h"
#include "mesh/surface.h"
#include "mesh/surface_edges.h"
#include "sim/projective/projected_body.h"

namespace marrow {
namespace {

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

Vec3 find_closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto triple = [](const Vec3& v) { return Triple<double>{v.x(), v.y(), v.z()}; };
  const Stencil<double> stencil = {{triple(p), triple(a), triple(b), triple(c)}, {0, 0, 0, 0}};
  const Closest<double> closest =
      find_closest<Taper::None>(PairKind::PointTriangle, make_coefficients(PairKind::PointTriangle, stencil));
  return {closest.rest, closest.u, closest.v};
}

}  // namespace

struct PenetrationFinder::Parts {
  explicit Parts(const Model& m) : model(m) {}

  bool may_meet(Index a, Index b) const;
  void add_planes(const Points& x, std::vector<Penetration>& found) const;
  void find_inside(const Points& x);
  void find_closest(const Points& x, std::vector<Penetration>& found);

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
  std::vector<char> moves;      // by body: projections move it
  std::vector<Index> vertices;  // of all surfaces
  std::vector<Index> point_bodies;
  std::vector<Plane> planes;
  std::vector<Index> open;
  std::vector<Index> triangle_ids, triangle_corners, all_points;  // as the trees want them
  std::vector<Aabb> triangle_boxes, body_boxes, vertex_boxes;
  std::vector<Index> near;  // vertices within the box of another body
  std::vector<Inside> inside;
  Bvh triangle_tree, vertex_tree;
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
      found.push_back({.point = v,
                       .body = plane.body,
                       .corners = {plane.triangle[0], kNone, kNone},
                       .weights = Vec3(1, 0, 0),
                       .normal = normal,
                       .depth = depth});
    }
  }
}

// Vertices inside of closed surfaces.
void PenetrationFinder::Parts::find_inside(const Points& x) {
  inside.clear();
  const size_t bodies = model.kinematics.bodies.size();
  body_boxes.assign(bodies, Aabb{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}});
  double top = -kInfinity;
  triangle_boxes.resize(triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t) {
    Aabb box = box_of_ball(x[static_cast<size_t>(triangles[t][0])], 0);
    for (int k = 1; k < 3; ++k)
      box = merge(box, box_of_ball(x[static_cast<size_t>(triangles[t][static_cast<size_t>(k)])], 0));
    triangle_boxes[t] = box;
    body_boxes[triangle_bodies[t]] = merge(body_boxes[triangle_bodies[t]], box);
    top = std::max(top, box.hi[1]);
  }
  near.clear();
  vertex_boxes.resize(x.size());
  for (const Index v : vertices) {
    const Aabb own = box_of_ball(x[static_cast<size_t>(v)], 0);
    bool is_near = false;
    for (size_t b = 0; b < bodies && !is_near; ++b) {
      is_near = is_overlapping(own, body_boxes[b]) && may_meet(point_bodies[v], static_cast<Index>(b));
    }
    if (!is_near) continue;
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

// The closest point is no farther than the surface above.
void PenetrationFinder::Parts::find_closest(const Points& x, std::vector<Penetration>& found) {
  if (inside.empty()) return;
  std::vector<Index> ids(inside.size());
  std::vector<Aabb> boxes(inside.size());
  std::vector<Index> points;
  for (const Inside& entry : inside) points.push_back(entry.point);
  for (size_t i = 0; i < inside.size(); ++i) {
    ids[i] = static_cast<Index>(i);
    boxes[i] = box_of_ball(x[static_cast<size_t>(inside[i].point)], inside[i].reach);
  }
  Bvh tree;
  tree.build({.ids = ids, .corner_count = 1, .corners = points, .labels = {}}, boxes);
  query.find_cross_pairs(
      tree, triangle_tree, [&](Index i, Index t) { return triangle_bodies[t] == inside[i].body; }, pairs);
  exec::parallel_sort("penetrations.sort", pairs,
                      [](const IndexPair& a, const IndexPair& b) { return a < b; });
  const size_t first = found.size();
  for (const Inside& entry : inside) {
    found.push_back({.point = entry.point,
                     .body = entry.body,
                     .corners = {kNone, kNone, kNone},
                     .weights = Vec3::Zero(),
                     .normal = Vec3::Zero(),
                     .depth = kInfinity});
  }
  for (const IndexPair& pair : pairs) {
    Penetration& own = found[first + static_cast<size_t>(pair[0])];
    const Triangle& t = triangles[pair[1]];
    const Vec3& p = x[static_cast<size_t>(own.point)];
    const Vec3 weights = find_closest_weights(p, x[static_cast<size_t>(t[0])], x[static_cast<size_t>(t[1])],
                                              x[static_cast<size_t>(t[2])]);
    const Vec3 arm = weights[0] * x[static_cast<size_t>(t[0])] + weights[1] * x[static_cast<size_t>(t[1])] +
                     weights[2] * x[static_cast<size_t>(t[2])] - p;
    const double distance = arm.norm();
    if (!(distance < own.depth)) continue;
    own.corners = {t[0], t[1], t[2]};
    own.weights = weights;
    own.depth = distance;
    own.normal = distance > 0 ? Vec3(arm / distance) : Vec3(Vec3::Zero());
  }
  std::erase_if(found, [](const Penetration& p) { return p.depth == kInfinity; });
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
    if (body.is_ground) {
      p.planes.push_back({static_cast<Index>(b), own.at(0)});
    } else if (is_closed(own)) {
      p.triangles.insert(p.triangles.end(), own.begin(), own.end());
      p.triangle_bodies.insert(p.triangle_bodies.end(), own.size(), static_cast<Index>(b));
    } else {
      p.open.push_back(static_cast<Index>(b));
    }
  }
  for (const Triangle& t : p.triangles) p.vertices.insert(p.vertices.end(), t.begin(), t.end());
  std::sort(p.vertices.begin(), p.vertices.end());
  p.vertices.erase(std::unique(p.vertices.begin(), p.vertices.end()), p.vertices.end());
  for (size_t t = 0; t < p.triangles.size(); ++t) p.triangle_ids.push_back(static_cast<Index>(t));
  for (const Triangle& t : p.triangles)
    p.triangle_corners.insert(p.triangle_corners.end(), t.begin(), t.end());
  for (Index i = 0; i < model.kinematics.point_count; ++i) p.all_points.push_back(i);
}

PenetrationFinder::~PenetrationFinder() = default;

void PenetrationFinder::find(const Points& x, std::vector<Penetration>& found) {
  const trace::Scope scope("projective.detect");
  found.clear();
  if (!parts_->model.contact.is_enabled) return;
  parts_->add_planes(x, found);
  parts_->find_inside(x);
  parts_->find_closest(x, found);
  std::sort(found.begin(), found.end(), [](const Penetration& a, const Penetration& b) {
    return std::pair(a.point, a.body) < std::pair(b.point, b.body);
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
  for (const Penetration& p : found) {
    Vec3 place = Vec3::Zero(), before = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const Index corner = p.corners[static_cast<size_t>(k)];
      if (corner == kNone) continue;
      place += p.weights[k] * x[static_cast<size_t>(corner)];
      before += p.weights[k] * start[static_cast<size_t>(corner)];
    }
    const Vec3& own = x[static_cast<size_t>(p.point)];
    const double depth = p.normal.dot(place - own);
    if (!(depth > 0)) continue;
    Vec3 slide = (own - start[static_cast<size_t>(p.point)]) - (place - before);
    slide -= p.normal.dot(slide) * p.normal;
    const double mu = model.contact.friction_between(parts_->point_bodies[p.point], p.body);
    const double length = slide.norm();
    Vec3 shift = depth * p.normal;
    if (mu > 0 && length > 0) shift -= std::min(1.0, mu * depth / length) * slide;
    const bool is_mover = parts_->moves[static_cast<size_t>(parts_->point_bodies[p.point])] != 0;
    const bool is_into_mover = parts_->moves[static_cast<size_t>(p.body)] != 0;
    if (is_mover) pulls.push_back({p.point, (is_into_mover ? 0.5 : 1) * shift});
    // So that the closest point moves by the rest.
    const double share = (is_mover ? 0.5 : 1) / p.weights.squaredNorm();
    for (int k = 0; is_into_mover && k < 3; ++k) {
      if (p.weights[k] > 0)
        pulls.push_back({p.corners[static_cast<size_t>(k)], -share * p.weights[k] * shift});
    }
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

const std::vector<Index>& PenetrationFinder::open_bodies() const { return parts_->open; }

}  // namespace marrow
