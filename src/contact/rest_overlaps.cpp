#include "contact/rest_overlaps.h"

#include "contact/candidates.h"
#include "exact/simplices.h"
#include "geometry/distance/gap.h"

namespace marrow {
namespace {

using Corners = std::span<const Index>;

bool share_point(Corners a, Corners b) {
  return std::any_of(a.begin(), a.end(),
                     [&](Index i) { return std::find(b.begin(), b.end(), i) != b.end(); });
}

class OverlapSearch {
 public:
  OverlapSearch(const Mesh& mesh, double margin)
      : points_(mesh.points), radii_(mesh.radii), margin_(margin), mesh_(build_collision_mesh(mesh)) {
    radii_.resize(points_.size(), 0.0);
    list_primitives();
  }

  RestOverlaps run() {
    find_contacts();
    found_.contacts = found_.pairs.size();
    for (const auto& [a, b] : faces_) spread(a, b);
    find_crossings();
    leave_out_unneeded();
    return std::move(found_);
  }

 private:
  // Lists the slabs, the cones that belong to no slab and the spheres that belong to neither, also by point.
  void list_primitives() {
    at_.resize(points_.size());
    const auto add = [&](Corners corners) {
      for (const Index i : corners) at_[static_cast<size_t>(i)].push_back(primitives_.size());
      primitives_.push_back(corners);
    };
    for (const Triangle& t : mesh_.triangles) add(t);
    for (size_t e = mesh_.wire_start; e < mesh_.edges.size(); ++e) add(mesh_.edges[e]);
    for (const Index& i : mesh_.loose) add({&i, 1});
  }

  Aabb box_of(Corners corners) const {
    Aabb box = point_box(corners[0]);
    for (const Index i : corners) box = merge(box, point_box(i));
    return box;
  }
  Aabb point_box(Index i) const {
    const Vec3& x = points_[static_cast<size_t>(i)];
    return box_of_swept_ball(x, x, radii_[static_cast<size_t>(i)] + margin_);
  }

  // A point, edge or triangle has one to three corners; the last one is repeated to fill the stencil.
  double compute_gap(PairKind kind, Corners front, Corners back) const {
    PairBalls balls;
    const auto fronts = static_cast<size_t>(front_count(kind));
    for (size_t i = 0; i < 4; ++i) {
      const Corners side = i < fronts ? front : back;
      const Index point = side[std::min(i < fronts ? i : i - fronts, side.size() - 1)];
      balls.x[i] = points_[static_cast<size_t>(point)];
      balls.r[i] = radii_[static_cast<size_t>(point)];
    }
    return find_gap(kind, balls).compute_gap();
  }

  void look_at(PairKind kind, Corners a, Corners b) {
    if (share_point(a, b) || !is_overlapping(box_of(a), box_of(b)) || compute_gap(kind, a, b) >= margin_)
      return;
    found_.pairs.insert(a, b);
    faces_.push_back({a, b});
  }

  // Examines the pairs that the contact solver examines.
  void find_contacts() {
    const std::vector<Edge>& edges = mesh_.edges;
    for (size_t i = 0; i < edges.size(); ++i) {
      for (size_t j = i + 1; j < edges.size(); ++j) look_at(PairKind::EdgeEdge, edges[i], edges[j]);
    }
    for (const Triangle& t : mesh_.triangles) {
      for (const Index& i : all_points()) look_at(PairKind::PointTriangle, {&i, 1}, t);
    }
    for (size_t e = mesh_.wire_start; e < edges.size(); ++e) {
      for (const Index& i : all_points()) look_at(PairKind::PointTriangle, {&i, 1}, edges[e]);
    }
    for (size_t i = 0; i < mesh_.loose.size(); ++i) {
      for (size_t j = i + 1; j < mesh_.loose.size(); ++j) {
        look_at(PairKind::PointTriangle, {&mesh_.loose[i], 1}, {&mesh_.loose[j], 1});
      }
    }
  }

  const std::vector<Index>& all_points() {
    if (numbers_.empty()) {
      for (size_t i = 0; i < points_.size(); ++i) numbers_.push_back(static_cast<Index>(i));
    }
    return numbers_;
  }

  // The primitives that contain these corners.
  std::vector<size_t> list_around(Corners corners) const {
    std::vector<size_t> around;
    for (const size_t p : at_[static_cast<size_t>(corners[0])]) {
      const Corners own = primitives_[p];
      const bool has_all = std::all_of(corners.begin(), corners.end(), [&](Index i) {
        return std::find(own.begin(), own.end(), i) != own.end();
      });
      if (has_all) around.push_back(p);
    }
    return around;
  }

  // Two primitives overlap if faces of them do.
  void spread(Corners a, Corners b) {
    for (const size_t p : list_around(a)) {
      for (const size_t q : list_around(b)) count_primitives(p, q);
    }
  }

  void count_primitives(size_t p, size_t q) {
    if (p == q || share_point(primitives_[p], primitives_[q])) return;
    if (!counted_.contains(primitives_[p], primitives_[q])) ++found_.primitives;
    counted_.insert(primitives_[p], primitives_[q]);
    found_.pairs.insert(primitives_[p], primitives_[q]);
  }

  // Edges that pierce a triangle overlap it, however thin both are.
  void find_crossings() {
    const exact::PointSigns signs{points_};
    for (const Triangle& t : mesh_.triangles) {
      for (const Edge& e : mesh_.edges) {
        if (share_point(e, t) || !is_overlapping(box_of(e), box_of(t))) continue;
        if (!exact::meet(signs, exact::make_simplex(e[0], e[1]), exact::make_simplex(t[0], t[1], t[2])))
          continue;
        spread(e, t);
      }
    }
  }

  // True if some pair of these primitives is kept apart.
  bool is_needed(const std::vector<size_t>& around_a, const std::vector<size_t>& around_b) const {
    for (const size_t p : around_a) {
      for (const size_t q : around_b) {
        if (!share_point(primitives_[p], primitives_[q]) &&
            !counted_.contains(primitives_[p], primitives_[q])) {
          return true;
        }
      }
    }
    return false;
  }

  // Leaves out the pairs of edges that keep no primitives apart. Edge–edge contact fades when the edges
  // become parallel. Then the pairs of an end with a primitive at the other edge carry the contact, and these
  // exist only if the pair of edges is needed.
  void leave_out_unneeded() {
    const std::vector<Edge>& edges = mesh_.edges;
    std::vector<std::vector<size_t>> around;
    for (const Edge& e : edges) around.push_back(list_around(e));
    for (size_t i = 0; i < edges.size(); ++i) {
      for (size_t j = i + 1; j < edges.size(); ++j) {
        if (!share_point(edges[i], edges[j]) && !is_needed(around[i], around[j]))
          found_.pairs.insert(edges[i], edges[j]);
      }
    }
  }

  const Points& points_;
  std::vector<double> radii_;
  double margin_;
  CollisionMesh mesh_;
  std::vector<Corners> primitives_;
  std::vector<std::vector<size_t>> at_;  // the primitives at each point
  std::vector<Index> numbers_;
  std::vector<std::pair<Corners, Corners>> faces_;
  SimplexPairs counted_;
  RestOverlaps found_;
};

}  // namespace

RestOverlaps find_rest_overlaps(const Mesh& mesh, double margin) { return OverlapSearch(mesh, margin).run(); }

}  // namespace marrow
