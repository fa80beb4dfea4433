#include "preprocess/medial/simplify_medial.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace marrow {
namespace {

// Added to every error, in squared box diagonals: decides among collapses that cost nothing.
constexpr double kLeastError = 1e-5;
// Below this stability one ball of an edge counts as inside the other.
constexpr double kSwallowed = 0.02;
// Weight of planes at borders relative to those of slabs.
constexpr double kBorderWeight = 0.1;

void erase_value(std::vector<Index>& list, Index value) {
  list.erase(std::remove(list.begin(), list.end(), value), list.end());
}

bool contains(const Triangle& t, Index v) { return t[0] == v || t[1] == v || t[2] == v; }

}  // namespace

bool find_slab_normals(const std::array<Vec4, 3>& balls, std::array<Vec3, 2>& normals) {
  const Vec3 e1 = (balls[1] - balls[0]).head<3>(), e2 = (balls[2] - balls[0]).head<3>();
  const double s1 = balls[1][3] - balls[0][3], s2 = balls[2][3] - balls[0][3];
  const double a = e1.squaredNorm(), b = e1.dot(e2), c = e2.squaredNorm(), det = a * c - b * b;
  if (det <= 1e-12 * a * c) return false;
  const double k1 = (c * s1 - b * s2) / det, k2 = (a * s2 - b * s1) / det;  // G⁻¹ s
  const double sigma2 = s1 * k1 + s2 * k2;
  if (sigma2 >= 1) return false;
  const Vec3 in_plane = -(k1 * e1 + k2 * e2);
  const Vec3 across = std::sqrt(1 - sigma2) * e1.cross(e2).normalized();
  normals = {in_plane + across, in_plane - across};
  return true;
}

MedialSimplifier::MedialSimplifier(const Mesh& mesh, double scale, IsInside is_inside)
    : vertices_(mesh.points.size()),
      faces_(mesh.triangles),
      is_face_alive_(mesh.triangles.size(), 1),
      marks_(mesh.points.size(), 0),
      vertex_count_(static_cast<Index>(mesh.points.size())),
      scale_(scale),
      is_inside_(std::move(is_inside)) {
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    vertices_[i].q << mesh.points[i] / scale, mesh.radii[i] / scale;
  }
  for (const Edge& e : mesh.edges) {
    vertices_[e[0]].neighbors.push_back(e[1]);
    vertices_[e[1]].neighbors.push_back(e[0]);
  }
  for (size_t f = 0; f < faces_.size(); ++f) {
    for (const Index v : faces_[f]) vertices_[v].faces.push_back(static_cast<Index>(f));
  }
  add_slab_planes();
  add_border_planes();
  add_tip_planes();
  push_all();
}

void MedialSimplifier::add_plane(Index vertex, const Vec3& n, double weight) {
  Vertex& v = vertices_[vertex];
  Vec4 plane;
  plane << n, 1;
  const double level = plane.dot(v.q);
  v.A += weight * plane * plane.transpose();
  v.b += weight * level * plane;
  v.c += weight * level * level;
}

void MedialSimplifier::add_slab_planes() {
  for (const Triangle& t : faces_) {
    std::array<Vec3, 2> normals;
    if (!find_slab_normals({vertices_[t[0]].q, vertices_[t[1]].q, vertices_[t[2]].q}, normals)) continue;
    for (const Index v : t) {
      for (const Vec3& n : normals) add_plane(v, n, 1);
    }
  }
}

// Along an edge with one slab: the plane that touches both balls on the side away from it. Bare edges: four
// such planes around.
void MedialSimplifier::add_border_planes() {
  for (Index a = 0; a < static_cast<Index>(vertices_.size()); ++a) {
    for (const Index b : vertices_[a].neighbors) {
      if (b < a) continue;
      int face_count = 0;
      Index third = kNone;
      for (const Index f : vertices_[a].faces) {
        if (!contains(faces_[f], b)) continue;
        ++face_count;
        for (const Index v : faces_[f]) third = v != a && v != b ? v : third;
      }
      const double sigma = stability(a, b);
      if (face_count > 1 || sigma <= 0) continue;
      const Vec4 step = vertices_[b].q - vertices_[a].q;
      const double length = step.head<3>().norm(), slope = step[3] / length;
      const Vec3 e = step.head<3>() / length;
      Vec3 away =
          face_count == 1 ? Vec3((vertices_[a].q - vertices_[third].q).head<3>()) : e.unitOrthogonal();
      away = (away - e.dot(away) * e).normalized();
      if (!away.allFinite() || away.norm() < 0.5) continue;
      const int sides = face_count == 1 ? 1 : 4;
      for (int i = 0; i < sides; ++i) {
        const Vec3 n = -slope * e + std::sqrt(1 - slope * slope) * away;
        for (const Index v : {a, b}) add_plane(v, n, kBorderWeight * sigma * sigma);
        away = e.cross(away);
      }
    }
  }
}

// At the end of a chain of bare edges: the plane across it that touches the last ball.
void MedialSimplifier::add_tip_planes() {
  for (Index a = 0; a < static_cast<Index>(vertices_.size()); ++a) {
    if (vertices_[a].neighbors.size() != 1) continue;
    const Index b = vertices_[a].neighbors[0];
    const double sigma = stability(a, b);
    const Vec3 axis = (vertices_[a].q - vertices_[b].q).head<3>();
    if (sigma > 0) add_plane(a, axis.normalized(), kBorderWeight * sigma * sigma);
  }
}

double MedialSimplifier::stability(Index a, Index b) const {
  const Vec4 step = vertices_[b].q - vertices_[a].q;
  const double length = step.head<3>().norm();
  return length > 0 ? std::max(0.0, length - std::abs(step[3])) / length : 0;
}

double MedialSimplifier::error_at(Index a, Index b, const Vec4& q) const {
  const Vertex &va = vertices_[a], &vb = vertices_[b];
  return std::max(0.0, q.dot((va.A + vb.A) * q) - 2 * (va.b + vb.b).dot(q) + va.c + vb.c);
}

// The best sphere first, if it is well defined and near the edge; then the ends and the middle.
std::array<Vec4, 4> MedialSimplifier::list_targets(Index a, Index b) const {
  const Vec4 &qa = vertices_[a].q, &qb = vertices_[b].q;
  const Vec4 middle = (qa + qb) / 2;
  std::array<Vec4, 4> targets = {middle, qa, qb, middle};
  const Mat4 A = vertices_[a].A + vertices_[b].A;
  const double trace = A.trace();
  if (!(trace > 0)) return targets;
  // A little of the middle keeps directions that no plane constrains in place.
  const double hold = 1e-6 * trace;
  const Vec4 best =
      (A + hold * Mat4::Identity()).inverse() * (vertices_[a].b + vertices_[b].b + hold * middle);
  const double length = (qa - qb).norm();
  if (best.allFinite() && best[3] > 0 && (best - middle).norm() <= 1.5 * length) targets[0] = best;
  return targets;
}

double MedialSimplifier::cheapest_target(Index a, Index b, bool check_folds, Vec4& target) const {
  // A ball that is swallowed by its neighbour's leaves it as it is.
  if (stability(a, b) < kSwallowed) {
    target = vertices_[a].q[3] >= vertices_[b].q[3] ? vertices_[a].q : vertices_[b].q;
    return error_at(a, b, target);
  }
  double least = std::numeric_limits<double>::infinity();
  for (const Vec4& q : list_targets(a, b)) {
    const double error = error_at(a, b, q);
    if (error >= least) continue;
    if (check_folds && (folds(a, b, q) || folds(b, a, q))) continue;
    least = error;
    target = q;
  }
  return least;
}

void MedialSimplifier::push(Index a, Index b) {
  Vec4 target = Vec4::Zero();
  const double error = cheapest_target(a, b, false, target);
  const double sigma = stability(a, b);
  queue_.push({(error + kLeastError) * sigma * sigma, a, b, vertices_[a].version, vertices_[b].version});
}

// Whether a face of the vertex that does not hold the other would turn over if the vertex moved to q.
bool MedialSimplifier::folds(Index vertex, Index other, const Vec4& q) const {
  for (const Index f : vertices_[vertex].faces) {
    const Triangle& t = faces_[f];
    if (contains(t, other)) continue;
    std::array<Vec3, 3> before, after;
    for (int i = 0; i < 3; ++i) {
      before[i] = vertices_[t[i]].q.head<3>();
      after[i] = t[i] == vertex ? Vec3(q.head<3>()) : before[i];
    }
    const Vec3 n0 = (before[1] - before[0]).cross(before[2] - before[0]);
    const Vec3 n1 = (after[1] - after[0]).cross(after[2] - after[0]);
    // Needles turn with every breath of wind.
    const double longest2 =
        std::max((before[1] - before[0]).squaredNorm(), (before[2] - before[0]).squaredNorm());
    if (n0.norm() > 0.05 * longest2 && n0.dot(n1) < -0.2 * n0.norm() * n1.norm()) return true;
  }
  return false;
}

bool MedialSimplifier::is_filled(std::initializer_list<Index> corners) const {
  Vec3 center = Vec3::Zero();
  for (const Index v : corners) center += vertices_[v].q.head<3>() / static_cast<double>(corners.size());
  if (!is_inside_(scale_ * center)) return false;
  for (const Index v : corners) {
    if (!is_inside_(scale_ * (2 * center + vertices_[v].q.head<3>()) / 3)) return false;
  }
  return true;
}

bool MedialSimplifier::keeps_topology(Index a, Index b) {
  // The third corners of common faces.
  ++mark_;
  for (const Index f : vertices_[a].faces) {
    if (!contains(faces_[f], b)) continue;
    for (const Index v : faces_[f]) marks_[v] = mark_;
  }
  // Any other common neighbour closes a loop with a and b.
  for (const Index v : vertices_[b].neighbors) {
    if (marks_[v] == mark_) continue;
    const std::vector<Index>& list = vertices_[a].neighbors;
    if (std::find(list.begin(), list.end(), v) != list.end() && !is_filled({a, b, v})) return false;
  }
  // An edge opposite to both in a face: the faces become one, and what they enclose is gone.
  ++mark_;
  for (const Index v : vertices_[b].neighbors) marks_[v] = mark_;
  for (const Index f : vertices_[a].faces) {
    if (contains(faces_[f], b)) continue;
    std::array<Index, 2> opposite = {kNone, kNone};
    for (const Index v : faces_[f]) {
      if (v != a) opposite[opposite[0] == kNone ? 0 : 1] = v;
    }
    const auto [x, y] = opposite;
    if (marks_[x] != mark_ || marks_[y] != mark_) continue;
    const bool closes = std::any_of(vertices_[b].faces.begin(), vertices_[b].faces.end(), [&](Index g) {
      return contains(faces_[g], opposite[0]) && contains(faces_[g], opposite[1]);
    });
    if (closes && !is_filled({a, b, x, y})) return false;
  }
  return true;
}

void MedialSimplifier::remove_face(Index f) {
  is_face_alive_[f] = 0;
  for (const Index v : faces_[f]) erase_value(vertices_[v].faces, f);
}

void MedialSimplifier::move_faces(Index from, Index to) {
  const std::vector<Index> moved = vertices_[from].faces;
  for (const Index f : moved) {
    if (contains(faces_[f], to)) {
      remove_face(f);
      continue;
    }
    Triangle target = faces_[f];
    for (Index& v : target) v = v == from ? to : v;
    const std::vector<Index>& there = vertices_[to].faces;
    const bool is_duplicate = std::any_of(there.begin(), there.end(), [&](Index g) {
      return contains(faces_[g], target[0]) && contains(faces_[g], target[1]) &&
             contains(faces_[g], target[2]);
    });
    if (is_duplicate) {
      remove_face(f);
      continue;
    }
    faces_[f] = target;
    vertices_[to].faces.push_back(f);
  }
  vertices_[from].faces.clear();
}

void MedialSimplifier::move_edges(Index from, Index to) {
  erase_value(vertices_[to].neighbors, from);
  for (const Index v : vertices_[from].neighbors) {
    if (v == to) continue;
    std::vector<Index>& list = vertices_[v].neighbors;
    if (std::find(list.begin(), list.end(), to) == list.end()) {
      *std::find(list.begin(), list.end(), from) = to;
      vertices_[to].neighbors.push_back(v);
    } else {
      erase_value(list, from);
    }
  }
  vertices_[from].neighbors.clear();
}

bool MedialSimplifier::try_collapse(const Candidate& candidate) {
  const Index a = candidate.a, b = candidate.b;
  Vertex &va = vertices_[a], &vb = vertices_[b];
  if (!va.is_alive || !vb.is_alive || va.version != candidate.version_a ||
      vb.version != candidate.version_b) {
    return false;
  }
  if (!keeps_topology(a, b)) return false;
  Vec4 target = Vec4::Zero();
  if (!std::isfinite(cheapest_target(a, b, true, target))) return false;
  move_faces(b, a);
  move_edges(b, a);
  va.q = target;
  va.A += vb.A;
  va.b += vb.b;
  va.c += vb.c;
  vb.is_alive = false;
  ++va.version;
  --vertex_count_;
  for (const Index v : va.neighbors) push(a, v);
  return true;
}

void MedialSimplifier::collapse_to(Index vertex_count) {
  bool has_progress = true;
  while (vertex_count_ > vertex_count) {
    if (queue_.empty()) {
      // What was refused may have become possible.
      if (!has_progress) return;
      has_progress = false;
      push_all();
      if (queue_.empty()) return;  // no edge is left
    }
    const Candidate candidate = queue_.top();
    queue_.pop();
    has_progress |= try_collapse(candidate);
  }
}

void MedialSimplifier::push_all() {
  for (Index a = 0; a < static_cast<Index>(vertices_.size()); ++a) {
    for (const Index b : vertices_[a].neighbors) {
      if (a < b) push(a, b);
    }
  }
}

Mesh MedialSimplifier::take_mesh() const {
  Mesh mesh;
  std::vector<Index> numbers(vertices_.size(), kNone);
  for (size_t i = 0; i < vertices_.size(); ++i) {
    if (!vertices_[i].is_alive) continue;
    numbers[i] = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(scale_ * vertices_[i].q.head<3>());
    mesh.radii.push_back(scale_ * vertices_[i].q[3]);
  }
  for (size_t i = 0; i < vertices_.size(); ++i) {
    for (const Index v : vertices_[i].neighbors) {
      if (numbers[i] < numbers[v]) mesh.edges.push_back({numbers[i], numbers[v]});
    }
  }
  for (size_t f = 0; f < faces_.size(); ++f) {
    if (is_face_alive_[f] == 0) continue;
    mesh.triangles.push_back({numbers[faces_[f][0]], numbers[faces_[f][1]], numbers[faces_[f][2]]});
  }
  std::sort(mesh.edges.begin(), mesh.edges.end());
  return mesh;
}

}  // namespace marrow
