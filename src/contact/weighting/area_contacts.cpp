#include "contact/weighting/area_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/distance/crossing.h"

namespace marrow {
namespace {

// Pairs whose distances are computed together. [speed only]
constexpr size_t kAreaChunk = 256;

// The contacts of one chunk of candidates.
class AreaSearch {
 public:
  AreaSearch(const ContactPoints& points, double d_hat, const AreaWeights& weights, FoundContacts& found)
      : points_(points), d_hat_(d_hat), weights_(weights), found_(found) {}

  void add_edges(std::span<const PairStencil> candidates) {
    std::array<ClosestPoints, kAreaChunk> closest;
    find_closest_points(PairKind::EdgeEdge, candidates, points_.x, points_.radii,
                        std::span(closest).first(candidates.size()));
    for (size_t k = 0; k < candidates.size(); ++k) add_crossing(candidates[k], closest[k]);
  }

  void add_faces(std::span<const PairStencil> candidates) {
    std::array<ClosestPoints, kAreaChunk> closest;
    find_closest_points(PairKind::PointTriangle, candidates, points_.x, points_.radii,
                        std::span(closest).first(candidates.size()));
    for (size_t k = 0; k < candidates.size(); ++k) {
      const PairStencil& pair = candidates[k];
      const Activation activation = find_reach(pair, kVertexFace);
      if (!(closest[k].f < activation.s_hat)) continue;
      add(pair, kVertexFace, make_point(kVertexFace, pair, closest[k], points_.radii), 1);
      const Triangle triangle = {pair[1], pair[2], pair[3]};
      for (size_t i = 0; i < 3; ++i) {
        const Edge side = {triangle[i], triangle[(i + 1) % 3]};
        add_side({pair[0], side[0], side[1], side[1]}, kVertexEdge,
                 weights_.coefficient(pair[0], side, triangle));
        add_side({pair[0], side[0], side[0], side[0]}, kVertexVertex,
                 weights_.coefficient(pair[0], side[0], triangle));
      }
    }
  }

  void add_wires(std::span<const PairStencil> candidates) {
    for (const PairStencil& pair : candidates) {
      const PairPoint point = find_closest(kVertexEdge, balls_of(pair, kVertexEdge));
      if (!(point.compute_squared() < find_reach(pair, kVertexEdge).s_hat)) continue;
      add(pair, kVertexEdge, point, 1);
      for (const Index end : {pair[1], pair[2]}) {
        add_side({pair[0], end, end, end}, kVertexVertex,
                 weights_.coefficient(pair[0], end, Edge{pair[1], pair[2]}));
      }
    }
  }

  void add_points(std::span<const PairStencil> candidates) {
    for (const PairStencil& pair : candidates) add_side(pair, kVertexVertex, 1);
  }

 private:
  struct Activation {
    double s_hat;
    double d_hat;  // of a gap
  };

  PairBalls balls_of(const PairStencil& vertices, PairShape shape) const {
    return gather_balls(vertices, shape.count, points_.x, points_.radii);
  }

  // Where a pair begins to act. Parts of one body do not act on a vertex at rest: its own limit is the same
  // for all that it is near to, so that their sum stays one barrier.
  Activation find_reach(const PairStencil& vertices, PairShape shape) const {
    const double radii = compute_radius_sum(vertices, shape, points_.radii);
    if (is_one_body(vertices, shape, points_)) {
      const double s_hat = std::min(d_hat_ * (d_hat_ + 2 * radii), weights_.own_limit(vertices[0]));
      return {s_hat, s_hat / (radii + std::sqrt(radii * radii + s_hat))};
    }
    const double d_hat =
        points_.activations.empty() ? d_hat_ : find_activation(vertices, shape, points_, d_hat_);
    return {d_hat * (d_hat + 2 * radii), d_hat};
  }

  void add_side(const PairStencil& vertices, PairShape shape, double coefficient) {
    if (coefficient == 0) return;
    add(vertices, shape, find_closest(shape, balls_of(vertices, shape)), coefficient);
  }

  void add(const PairStencil& vertices, PairShape shape, const PairPoint& point, double coefficient) {
    const Activation activation = find_reach(vertices, shape);
    const double squared = point.compute_squared();
    if (!(squared < activation.s_hat)) return;
    Contact contact;
    contact.vertices = vertices;
    contact.shape = shape;
    contact.point = point;
    contact.s_hat = activation.s_hat;
    contact.barrier = compute_barrier_function(squared / activation.s_hat);
    contact.multiplicity = coefficient;
    contact.weight = activation.d_hat * weights_.vertex_area(vertices[0], vertices[1]);
    reduce_contact(contact, true);
    (contact.shape.count < 4 ? found_.shared : found_.single).push_back(contact);
  }

  void add_crossing(const PairStencil& vertices, const ClosestPoints& closest) {
    const double radii = compute_radius_sum(vertices, kEdgeEdge, points_.radii);
    Contact contact;
    contact.s_hat = d_hat_ * (d_hat_ + 2 * radii);
    if (!(closest.f < contact.s_hat)) return;
    contact.vertices = vertices;
    contact.shape = kEdgeEdge;
    contact.point = make_point(kEdgeEdge, vertices, closest, points_.radii);
    if (contact.point.region != 0b1111) return;
    double d_hat = d_hat_;
    const PairBalls rest = gather_balls(vertices, 4, points_.rest, points_.radii);
    if (is_one_body(vertices, kEdgeEdge, points_)) {
      contact.s_hat = limit_at_rest(contact.s_hat, find_closest(kEdgeEdge, rest).compute_squared());
      d_hat = contact.s_hat / (radii + std::sqrt(radii * radii + contact.s_hat));
    } else if (!points_.activations.empty()) {
      d_hat = find_activation(vertices, kEdgeEdge, points_, d_hat_);
      contact.s_hat = d_hat * (d_hat + 2 * radii);
    }
    const double squared = contact.squared();
    if (!(squared < contact.s_hat)) return;
    contact.threshold = compute_mollifier_threshold(rest);
    contact.is_crossing = true;
    if (!(compute_crossing(balls_of(vertices, kEdgeEdge), contact.threshold) > 0)) return;
    contact.barrier = compute_barrier_function(squared / contact.s_hat);
    contact.weight = d_hat * weights_.crossing_area({vertices[0], vertices[1]}, {vertices[2], vertices[3]});
    if (contact.weight > 0) found_.single.push_back(contact);
  }

  const ContactPoints& points_;
  double d_hat_;
  const AreaWeights& weights_;
  FoundContacts& found_;
};

}  // namespace

std::vector<Contact> build_area_contacts(const ContactPoints& points, const PairStencils& candidates,
                                         double d_hat, const AreaWeights& weights) {
  const trace::Scope scope("contact.set");
  std::vector<FoundContacts> parts;
  const auto find = [&](const std::vector<PairStencil>& pairs, auto add) {
    const size_t begin = parts.size(), chunks = (pairs.size() + kAreaChunk - 1) / kAreaChunk;
    parts.resize(begin + chunks);
    exec::parallel_for(
        "contact.narrow", chunks,
        [&](size_t chunk) {
          const size_t first = chunk * kAreaChunk;
          AreaSearch search(points, d_hat, weights, parts[begin + chunk]);
          (search.*add)(std::span(pairs).subspan(first, std::min(kAreaChunk, pairs.size() - first)));
        },
        1);
  };
  find(candidates.edge_edge, &AreaSearch::add_edges);
  find(candidates.vertex_face, &AreaSearch::add_faces);
  find(candidates.vertex_edge, &AreaSearch::add_wires);
  find(candidates.vertex_vertex, &AreaSearch::add_points);
  std::vector<Contact> contacts = merge_contacts(parts);
  std::erase_if(contacts, [](const Contact& contact) { return contact.multiplicity == 0; });
  for (Contact& contact : contacts) contact.multiplicity *= contact.weight;
  return contacts;
}

}  // namespace marrow
