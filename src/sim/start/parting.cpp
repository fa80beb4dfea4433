#include "sim/start/parting.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "contact/proximity.h"
#include "core/disjoint_sets.h"
#include "kinematics/elements/mass_properties.h"
#include "mesh/surface.h"
#include "potentials/contact/contact_finder.h"
#include "sim/start/meeting_span.h"

namespace marrow {
namespace {

// How parting moves are searched.
struct PartingSearch {
  // Directions made from normals of triangles that meet, beside the axes. [speed only: more find shorter
  // moves of bodies that touch with many faces]
  size_t normals = 6;
  // An axis is taken if its move is at most this many times the shortest one. [speed only: a move to read]
  double axis_preference = 1.02;
  // Moves are made longer by half while less than this part of the gap is left. [speed only: half of d_hat
  // gets no note, check_start.cpp]
  double enough = 0.6;
  int most_tries = 6;
  // A body of which more than this part is inside a closed obstacle is taken to stand in its hollow.
  // [speed only: the move is a proposal]
  double in_hollow = 0.9;
  // Normals whose cosine is above this are one. [speed only: fewer directions]
  double same_normal = 0.999;
  // Sums of normals below this length have no direction. [speed only: nearly opposite normals]
  double least_sum = 0.1;
  // Projections that are this part of the gap apart count as meeting. [speed only: the move is a proposal]
  double near = 1e-6, near_check = 1e-3;
  // Lengths that differ by less than these parts are equal. [derived: some units of rounding]
  double rounding = 1e-12, same_length = 1e-9;
};
constexpr PartingSearch kSearch;

// A place in each triangle that no axis-parallel line through a corner or an edge goes through.
// [derived: no small fractions]
constexpr double kGeneric[3] = {0.3174, 0.2711, 0.4115};

// The rotation into a frame whose third axis is d.
Mat3 make_frame(const Vec3& d) {
  Mat3 frame;
  const Vec3 u = d.unitOrthogonal();
  frame.row(0) = u.transpose();
  frame.row(1) = d.cross(u).transpose();
  frame.row(2) = d.transpose();
  return frame;
}

struct Interval {
  double lo, hi;
};

// The least t ≥ 0 in none of them; they are sorted.
double find_free(std::vector<Interval>& taken) {
  std::sort(taken.begin(), taken.end(), [](const Interval& a, const Interval& b) { return a.lo < b.lo; });
  double t = 0;
  for (const Interval& interval : taken) {
    if (interval.lo > t) break;
    t = std::max(t, interval.hi);
  }
  return t;
}

// t, rounded up to three digits, so that it can be read and written.
double round_up(double t) {
  if (!(t > 0)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(t)) - 2);
  return std::ceil(t / unit * (1 - kSearch.rounding)) * unit;
}

}  // namespace

// What of a body collides. Points are numbered anew.
struct Parting::Surface {
  Points x;
  std::vector<double> radii;
  std::vector<std::array<Index, 3>> simplices;  // corners; kNone where there are fewer than three
  std::vector<Triangle> triangles;
  std::vector<Edge> wires;
  std::vector<Index> loose;
  std::vector<size_t> samples;  // a triangle of each connected part
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
  double radius = 0;  // the largest
  bool is_closed = false;
  bool is_fixed = false;
};

struct Parting::Direction {
  Vec3 d;
  double penalty = 1;  // how much longer its moves count
};

namespace {

// A body's simplices in the frame of a direction, with a tree of their boxes.
template <class Body>
std::vector<FlatSimplex> flatten(const Body& body, const Mat3& frame) {
  std::vector<FlatSimplex> flat;
  flat.reserve(body.simplices.size());
  for (const auto& simplex : body.simplices) {
    FlatSimplex& one = flat.emplace_back();
    one.count = 0;
    for (const Index v : simplex) {
      if (v != kNone) one.corners[static_cast<size_t>(one.count++)] = frame * body.x[static_cast<size_t>(v)];
    }
  }
  return flat;
}

// Boxes of simplices while they move by up to `most`.
std::vector<Aabb> make_boxes(const std::vector<FlatSimplex>& flat, double pad, double back, double most) {
  std::vector<Aabb> boxes;
  for (const FlatSimplex& simplex : flat) {
    Aabb box = box_of_ball(simplex.corners[0], pad);
    for (int i = 1; i < simplex.count; ++i) {
      box = merge(box, box_of_ball(simplex.corners[static_cast<size_t>(i)], pad));
    }
    box.lo[2] -= back;
    box.hi[2] += most;
    boxes.push_back(box);
  }
  return boxes;
}

// Pairs (moved, still) whose boxes overlap.
std::vector<IndexPair> find_box_pairs(const std::vector<Aabb>& moved, const std::vector<Aabb>& still) {
  const auto number = [](size_t count, Index first) {
    std::vector<Index> numbers(count);
    for (size_t i = 0; i < count; ++i) numbers[i] = first + static_cast<Index>(i);
    return numbers;
  };
  const std::vector<Index> ids_a = number(moved.size(), 0), ids_b = number(still.size(), 0);
  // No pair shares a corner.
  const std::vector<Index> corners_b = number(still.size(), static_cast<Index>(moved.size()));
  Bvh a, b;
  a.build({ids_a, 1, ids_a, {}}, moved);
  b.build({ids_b, 1, corners_b, {}}, still);
  std::vector<IndexPair> pairs;
  BvhQuery().find_cross_pairs(a, b, {}, pairs);
  return pairs;
}

// The t at which a point, moved by t·sign, crosses a closed surface.
std::vector<double> find_crossings(const Vec3& point, const std::vector<FlatSimplex>& surface) {
  std::vector<double> crossings;
  double height = 0;
  for (const FlatSimplex& simplex : surface) {
    if (find_height(simplex, point, height)) crossings.push_back(height - point.z());
  }
  std::sort(crossings.begin(), crossings.end());
  if (crossings.size() % 2 != 0) crossings.clear();  // through an edge: this sample says nothing
  return crossings;
}

bool is_inside(const Vec3& point, const std::vector<FlatSimplex>& surface) {
  const std::vector<double> crossings = find_crossings(point, surface);
  return std::count_if(crossings.begin(), crossings.end(), [](double t) { return t > 0; }) % 2 == 1;
}

template <class Body>
Vec3 take_sample(const Body& body, size_t triangle) {
  Vec3 x = Vec3::Zero();
  for (size_t k = 0; k < 3; ++k) {
    x += kGeneric[k] * body.x[static_cast<size_t>(body.triangles[triangle][k])];
  }
  return x;
}

template <class Body>
std::vector<size_t> list_samples(const Body& body) {
  DisjointSets parts(body.x.size());
  for (const Triangle& t : body.triangles) {
    parts.join(static_cast<size_t>(t[0]), static_cast<size_t>(t[1]));
    parts.join(static_cast<size_t>(t[0]), static_cast<size_t>(t[2]));
  }
  std::vector<char> is_known(body.x.size(), 0);
  std::vector<size_t> samples;
  for (size_t i = 0; i < body.triangles.size(); ++i) {
    char& known = is_known[parts.find(static_cast<size_t>(body.triangles[i][0]))];
    if (known == 0) samples.push_back(i);
    known = 1;
  }
  return samples;
}

// Whether nearly all of a body is inside a closed one, by some of its triangles.
template <class Body>
bool is_mostly_inside(const Body& body, const std::vector<FlatSimplex>& closed, const Mat3& frame) {
  const size_t count = std::min<size_t>(100, body.triangles.size());
  size_t inside = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t triangle = i * body.triangles.size() / count;
    inside += is_inside(frame * take_sample(body, triangle), closed) ? 1 : 0;
  }
  return static_cast<double>(inside) > kSearch.in_hollow * static_cast<double>(count);
}

// While part of `inner` is inside the closed `outer`: t is that of inner times sign.
template <class Body>
void add_enclosed(const Body& inner, const Body& outer, const std::vector<FlatSimplex>& flat_outer,
                  const Mat3& frame, double sign, double pad, std::vector<Interval>& taken) {
  if (!outer.is_closed || (outer.is_fixed && is_mostly_inside(inner, flat_outer, frame))) return;
  for (const size_t sample : inner.samples) {
    const std::vector<double> t = find_crossings(frame * take_sample(inner, sample), flat_outer);
    for (size_t i = 0; i + 1 < t.size(); i += 2) {
      const auto [lo, hi] = std::minmax({sign * t[i], sign * t[i + 1]});  // by value
      taken.push_back({lo - pad, hi + pad});
    }
  }
}

// The t ≤ most at which two bodies are closer than the gap along the direction.
template <class Body>
void add_taken(const Body& moved, const Body& still, const Mat3& frame, double gap, double near, double most,
               std::vector<Interval>& taken) {
  const double radii = moved.radius + still.radius, pad = gap + radii;
  const std::vector<FlatSimplex> a = flatten(moved, frame), b = flatten(still, frame);
  const std::vector<Aabb> boxes_a = make_boxes(a, near + radii, pad, most + pad),
                          boxes_b = make_boxes(b, 0, 0, 0);
  for (const auto& [i, k] : find_box_pairs(boxes_a, boxes_b)) {
    const MeetingSpan span =
        find_meeting_span(a[static_cast<size_t>(i)], b[static_cast<size_t>(k)], near + radii);
    if (!span.is_empty()) taken.push_back({span.lo - pad, span.hi + pad});
  }
  add_enclosed(moved, still, b, frame, 1, pad, taken);
  add_enclosed(still, moved, a, frame, -1, pad, taken);
}

}  // namespace

Parting::Parting(const Witness& witness, Index body_count) : witness_(witness) {
  const SurfaceSet& all = witness.surfaces();
  bodies_.resize(static_cast<size_t>(body_count));
  std::vector<Index> numbers(all.points.size(), kNone);
  const auto body_of = [&](Index v) -> Surface& {
    return bodies_[all.bodies.empty() ? 0 : static_cast<size_t>(all.bodies[static_cast<size_t>(v)])];
  };
  const auto number = [&](Surface& body, Index v) {
    const auto i = static_cast<size_t>(v);
    if (numbers[i] == kNone) {
      numbers[i] = static_cast<Index>(body.x.size());
      body.x.push_back(all.points[i]);
      body.radii.push_back(all.radii.empty() ? 0 : all.radii[i]);
      const std::vector<std::uint8_t>& fixed = witness_.exceptions().fixed;
      if (!fixed.empty() && fixed[i] != 0) body.is_fixed = true;
    }
    return numbers[i];
  };
  for (const Triangle& t : all.triangles) {
    Surface& body = body_of(t[0]);
    body.triangles.push_back({number(body, t[0]), number(body, t[1]), number(body, t[2])});
    body.simplices.push_back(body.triangles.back());
  }
  for (const Edge& e : all.edges) {
    Surface& body = body_of(e[0]);
    body.wires.push_back({number(body, e[0]), number(body, e[1])});
    body.simplices.push_back({body.wires.back()[0], body.wires.back()[1], kNone});
  }
  for (const Index v : all.loose_points) {
    Surface& body = body_of(v);
    body.loose.push_back(number(body, v));
    body.simplices.push_back({body.loose.back(), kNone, kNone});
  }
  for (Surface& body : bodies_) {
    if (body.x.empty()) continue;
    body.is_closed = is_closed_surface(body.triangles);
    body.samples = list_samples(body);
    body.lower = body.upper = body.x[0];
    for (const Vec3& x : body.x) {
      body.lower = body.lower.cwiseMin(x);
      body.upper = body.upper.cwiseMax(x);
    }
    body.radius = *std::max_element(body.radii.begin(), body.radii.end());
  }
}

Parting::~Parting() = default;

void Parting::move(Index body, const Vec3& by) {
  Surface& moved = bodies_[static_cast<size_t>(body)];
  for (Vec3& x : moved.x) x += by;
  moved.lower += by;
  moved.upper += by;
}

const Vec3& Parting::lower(Index body) const { return bodies_[static_cast<size_t>(body)].lower; }
const Vec3& Parting::upper(Index body) const { return bodies_[static_cast<size_t>(body)].upper; }

bool Parting::is_kept_apart(Index a, Index b) const {
  const Surface &one = bodies_[static_cast<size_t>(a)], &other = bodies_[static_cast<size_t>(b)];
  if (a == b || one.x.empty() || other.x.empty() || (one.is_fixed && other.is_fixed)) return false;
  const auto& ignored = witness_.exceptions().ignored_bodies;
  const std::array<Index, 2> pair = {std::min(a, b), std::max(a, b)};
  return std::find(ignored.begin(), ignored.end(), pair) == ignored.end();
}

double Parting::measure_distance(std::span<const Index> moved, std::span<const Index> still,
                                 const Vec3& shift, double at_most) const {
  Points x;
  CollisionMesh mesh;
  CandidateFilter filter;
  const auto add = [&](Index b, const Vec3& by) {
    const Surface& body = bodies_[static_cast<size_t>(b)];
    const auto first = static_cast<Index>(x.size());
    for (const Vec3& p : body.x) x.push_back(p + by);
    mesh.radii.insert(mesh.radii.end(), body.radii.begin(), body.radii.end());
    mesh.bodies.insert(mesh.bodies.end(), body.x.size(), b);
    for (const Triangle& t : body.triangles)
      mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    for (const Edge& e : unique_edges(body.triangles)) mesh.edges.push_back({e[0] + first, e[1] + first});
    for (const Index v : body.loose) mesh.loose.push_back(v + first);
    return first;
  };
  std::vector<IndexPair> wires;
  const auto add_all = [&](std::span<const Index> list, const Vec3& by) {
    for (const Index b : list) {
      const Index first = add(b, by);
      for (const Edge& e : bodies_[static_cast<size_t>(b)].wires)
        wires.push_back({e[0] + first, e[1] + first});
      for (const Index c : list) {
        if (b <= c) filter.ignored_bodies.push_back({b, c});
      }
    }
  };
  add_all(moved, shift);
  add_all(still, Vec3::Zero());
  mesh.wire_start = mesh.edges.size();
  for (const IndexPair& wire : wires) mesh.edges.push_back({wire[0], wire[1]});
  mesh.point_count = static_cast<Index>(x.size());
  for (const Index a : moved) {
    for (const Index b : still) {
      if (!is_kept_apart(a, b)) filter.ignored_bodies.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(filter.ignored_bodies.begin(), filter.ignored_bodies.end());
  Proximity proximity(std::move(mesh), std::move(filter), at_most);
  const PairStencils& pairs = proximity.find_pairs({x, x, {}, {}});
  const std::vector<Contact> contacts =
      build_contact_set(ContactPoints{x, x, proximity.mesh().radii}, pairs, at_most);
  return contacts.empty() ? at_most : compute_smallest_gap(contacts);
}

bool Parting::is_closer(Index a, Index b, double distance) const {
  if (!is_kept_apart(a, b)) return false;
  const Surface &one = bodies_[static_cast<size_t>(a)], &other = bodies_[static_cast<size_t>(b)];
  const double reach = distance + one.radius + other.radius;
  if (((one.lower.array() - reach) > other.upper.array()).any()) return false;
  if (((other.lower.array() - reach) > one.upper.array()).any()) return false;
  std::vector<Interval> taken;
  add_taken(one, other, make_frame(Vec3::UnitY()), 0, kSearch.near_check * distance, 0, taken);
  for (const Interval& interval : taken) {
    if (interval.lo <= 0 && interval.hi >= 0) return true;
  }
  const std::array<Index, 1> first = {a}, second = {b};
  return measure_distance(first, second, Vec3::Zero(), distance) < distance;
}

// Axes, and the normals of triangles that meet or nearly meet: the still ones as they are, the moved ones
// reversed.
std::vector<Parting::Direction> Parting::list_directions(std::span<const Index> moved,
                                                         std::span<const Index> still, double near,
                                                         const Vec3& up) const {
  const double by_normal = kSearch.axis_preference;
  std::vector<Direction> directions = {{up, 1}};
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) directions.push_back({sign * Vec3::Unit(k), 1});
  }
  // Normals by area.
  std::vector<std::pair<double, Vec3>> normals;
  const Mat3 frame = make_frame(up);
  const auto add_normal = [&](const Surface& body, size_t i, double sign) {
    if (i >= body.triangles.size()) return;
    const auto at = [&](size_t k) -> const Vec3& {
      return body.x[static_cast<size_t>(body.triangles[i][k])];
    };
    const Vec3 normal = sign * (at(1) - at(0)).cross(at(2) - at(0));
    if (!(normal.norm() > 0)) return;
    for (auto& [area, known] : normals) {
      if (known.dot(normal) < kSearch.same_normal * normal.norm()) continue;
      area += normal.norm();
      return;
    }
    normals.emplace_back(normal.norm(), normal.normalized());
  };
  for (const Index m : moved) {
    for (const Index s : still) {
      if (!is_kept_apart(m, s)) continue;
      const Surface &a = bodies_[static_cast<size_t>(m)], &b = bodies_[static_cast<size_t>(s)];
      const double reach = near + a.radius + b.radius;
      const std::vector<FlatSimplex> flat_a = flatten(a, frame), flat_b = flatten(b, frame);
      const std::vector<Aabb> boxes_a = make_boxes(flat_a, reach, 0, 0),
                              boxes_b = make_boxes(flat_b, 0, 0, 0);
      for (const auto& [i, k] : find_box_pairs(boxes_a, boxes_b)) {
        const MeetingSpan span =
            find_meeting_span(flat_a[static_cast<size_t>(i)], flat_b[static_cast<size_t>(k)], reach);
        if (span.is_empty() || span.lo > reach || span.hi < -reach) continue;
        add_normal(a, static_cast<size_t>(i), -1);
        add_normal(b, static_cast<size_t>(k), 1);
      }
    }
  }
  std::stable_sort(normals.begin(), normals.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  normals.resize(std::min(normals.size(), kSearch.normals));
  for (size_t i = 0; i < normals.size(); ++i) {
    directions.push_back({normals[i].second, by_normal});
    directions.push_back({-normals[i].second, by_normal});  // thin sheets: either side
    for (size_t k = 0; k < i; ++k) {
      const Vec3 sum = normals[i].second + normals[k].second;
      if (sum.norm() > kSearch.least_sum) directions.push_back({sum.normalized(), by_normal});
    }
  }
  return directions;
}

std::optional<PartingMove> Parting::find_along(const Direction& direction, std::span<const Index> moved,
                                               std::span<const Index> still, double gap, double most) const {
  const Mat3 frame = make_frame(direction.d);
  double pad = gap;
  for (int i = 0; i < kSearch.most_tries; ++i, pad *= 1.5) {
    std::vector<Interval> taken;
    for (const Index m : moved) {
      for (const Index s : still) {
        if (!is_kept_apart(m, s)) continue;
        add_taken(bodies_[static_cast<size_t>(m)], bodies_[static_cast<size_t>(s)], frame, pad,
                  kSearch.near * gap, most, taken);
      }
    }
    const double t = round_up(find_free(taken));
    if (t > most) return std::nullopt;
    if (measure_distance(moved, still, t * direction.d, gap) < kSearch.enough * gap) continue;
    for (Interval& interval : taken) interval = {interval.lo + pad, interval.hi - pad};
    return PartingMove{t * direction.d, find_free(taken)};
  }
  return std::nullopt;
}

std::optional<PartingMove> Parting::find_least(std::span<const Index> moved, std::span<const Index> still,
                                               double gap, const Vec3& up) const {
  Vec3 low = lower(moved[0]), high = upper(moved[0]);
  for (const Index b : moved) {
    low = low.cwiseMin(lower(b));
    high = high.cwiseMax(upper(b));
  }
  const double size = (high - low).norm() + 4 * gap;
  const std::vector<Direction> directions = list_directions(moved, still, 2 * gap, up);
  // Short moves first: they look at fewer pairs.
  for (double most = std::min(size, 8 * gap);; most = std::min(size, 8 * most)) {
    std::optional<PartingMove> best;
    double least = most;
    for (const Direction& direction : directions) {
      const std::optional<PartingMove> found =
          find_along(direction, moved, still, gap, least / direction.penalty);
      if (!found) continue;
      const double length = found->move.norm() * direction.penalty;
      if (best && length >= least * (1 - kSearch.same_length)) continue;
      best = found;
      least = std::min(least, length);
    }
    if (best || most >= size) return best;
  }
}

}  // namespace marrow
