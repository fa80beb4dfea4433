#include "contact/contact_set.h"

#include <algorithm>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/mollifier.h"

namespace marrow {
namespace {

constexpr size_t kChunk = 1024;

double compute_activation(const PairBalls& balls, PairShape shape, double d_hat) {
  double front = 0, back = 0;
  for (int i = 0; i < shape.count; ++i)
    (i < shape.front ? front : back) = std::max(i < shape.front ? front : back, balls.r[i]);
  return d_hat * (d_hat + 2 * (front + back));
}

// Keeps the balls of the region only, in canonical order: the smaller simplex in front, ids ascending in
// each.
void reduce(Contact& contact) {
  struct Ball {
    Index vertex;
    double w;
  };
  std::array<std::array<Ball, 4>, 2> side;
  std::array<int, 2> count = {0, 0};
  for (int i = 0; i < contact.shape.count; ++i) {
    if ((contact.point.region >> i & 1) == 0) continue;
    const int k = i < contact.shape.front ? 0 : 1;
    side[k][count[k]++] = {contact.vertices[i], contact.point.w[i]};
  }
  for (int k : {0, 1}) {
    std::sort(side[k].begin(), side[k].begin() + count[k],
              [](Ball a, Ball b) { return a.vertex < b.vertex; });
  }
  const bool is_swapped =
      count[0] > count[1] || (count[0] == count[1] && side[0][0].vertex > side[1][0].vertex);
  if (is_swapped) {
    std::swap(side[0], side[1]);
    std::swap(count[0], count[1]);
    contact.point.c = -contact.point.c;
  }
  contact.vertices = {kNone, kNone, kNone, kNone};
  contact.point.w = {0, 0, 0, 0};
  contact.shape = {count[0], count[0] + count[1]};
  contact.point.region = static_cast<Region>((1 << contact.shape.count) - 1);
  int at = 0;
  for (int k : {0, 1}) {
    for (int i = 0; i < count[k]; ++i, ++at) {
      contact.vertices[at] = side[k][i].vertex;
      contact.point.w[at] = is_swapped ? -side[k][i].w : side[k][i].w;
    }
  }
}

// Whether the candidate is a contact; fills it in.
bool make_contact(PairKind kind, const PairStencil& vertices, const ContactPoints& points, double d_hat,
                  Contact& contact) {
  const PairBalls balls = gather_balls(vertices, 4, points.x, points.radii);
  contact = {};
  contact.vertices = vertices;
  contact.shape = shape_of(kind);
  contact.s_hat = compute_activation(balls, contact.shape, d_hat);
  contact.point = find_closest(kind, balls);
  if (!(contact.squared() < contact.s_hat)) return false;
  if (kind == PairKind::EdgeEdge) {
    const double threshold =
        compute_mollifier_threshold(gather_balls(vertices, 4, points.rest, points.radii));
    const Mollifier mollifier = compute_mollifier(balls, threshold);
    if (mollifier.value == 0) return false;
    contact.threshold = mollifier.is_ramp ? threshold : 0;
  }
  if (contact.threshold == 0) reduce(contact);
  return true;
}

// The contacts among the candidates, in their order.
void append_contacts(PairKind kind, std::span<const PairStencil> candidates, const ContactPoints& points,
                     double d_hat, std::vector<Contact>& contacts) {
  const size_t chunks = (candidates.size() + kChunk - 1) / kChunk;
  std::vector<std::vector<Contact>> found(chunks);
  exec::parallel_for(
      "contact.narrow", chunks,
      [&](size_t chunk) {
        const size_t end = std::min(candidates.size(), (chunk + 1) * kChunk);
        Contact contact;
        for (size_t k = chunk * kChunk; k < end; ++k) {
          if (make_contact(kind, candidates[k], points, d_hat, contact)) found[chunk].push_back(contact);
        }
      },
      1);
  for (const std::vector<Contact>& part : found) contacts.insert(contacts.end(), part.begin(), part.end());
}

// Contacts that may be merged compare equal.
bool is_before(const Contact& a, const Contact& b) {
  if (a.shape.count != b.shape.count) return a.shape.count < b.shape.count;
  if (a.shape.front != b.shape.front) return a.shape.front < b.shape.front;
  if ((a.threshold > 0) != (b.threshold > 0)) return a.threshold > 0;
  if (a.vertices != b.vertices) return a.vertices < b.vertices;
  return a.s_hat < b.s_hat;
}

}  // namespace

PairBalls gather_balls(const PairStencil& vertices, int count, std::span<const Vec3> x,
                       std::span<const double> radii) {
  PairBalls balls;
  for (int i = 0; i < 4; ++i) {
    balls.x[i] = x[vertices[i < count ? i : 0]];
    balls.r[i] = radii.empty() || i >= count ? 0 : radii[vertices[i]];
  }
  return balls;
}

std::vector<Contact> build_contact_set(const ContactPoints& points, std::span<const PairStencil> edge_edge,
                                       std::span<const PairStencil> vertex_face, double d_hat) {
  const trace::Scope scope("contact.set");
  std::vector<Contact> contacts;
  append_contacts(PairKind::EdgeEdge, edge_edge, points, d_hat, contacts);
  append_contacts(PairKind::PointTriangle, vertex_face, points, d_hat, contacts);

  // Sort by index, then merge equal neighbours.
  std::vector<Index> order(contacts.size());
  for (size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
  exec::parallel_sort("contact.sort", order,
                      [&](Index a, Index b) { return is_before(contacts[a], contacts[b]); });
  std::vector<Contact> merged;
  merged.reserve(contacts.size());
  for (const Index k : order) {
    const bool is_same = !merged.empty() && !is_before(merged.back(), contacts[k]);
    if (is_same) {
      merged.back().multiplicity += 1;
    } else {
      merged.push_back(contacts[k]);
    }
  }
  return merged;
}

ContactCounts count_kinds(const std::vector<Contact>& contacts) {
  ContactCounts counts;
  for (const Contact& contact : contacts) {
    if (contact.shape.front == 2) {
      ++counts.edge_edge;
    } else {
      ++(contact.shape.count == 2   ? counts.vertex_vertex
         : contact.shape.count == 3 ? counts.edge_vertex
                                    : counts.face_vertex);
    }
  }
  return counts;
}

}  // namespace marrow
