#include "contact/contact_set.h"

#include <algorithm>

#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/ccd/batch.h"
#include "geometry/distance/mollifier.h"

namespace marrow {
namespace {

// Pairs whose distances are computed together. [speed only]
constexpr size_t kPairChunk = 256;

// ŝ: a pair is a contact if its f is below this.
double compute_activation(const PairStencil& vertices, PairShape shape, std::span<const double> radii,
                          double d_hat) {
  return d_hat * (d_hat + 2 * compute_radius_sum(vertices, shape, radii));
}

// Parts of one body may be closer than d̂ at rest: folds, elements smaller than d̂, and thin ends, where the
// barrier reaches farther by ρ_max / ρ. Their ŝ is at most this fraction of their f at rest, so that no force
// acts at rest. [D16]
constexpr double kPartOfRest = 0.5;

// Returns true if the candidate is a contact, and fills it in but for its point, which is known.
bool complete_contact(const ContactPoints& points, double d_hat, Contact& contact) {
  const PairShape shape = contact.shape;
  const PairStencil& vertices = contact.vertices;
  const double squared = contact.squared();
  if (!(squared < contact.s_hat)) return false;
  if (is_one_body(vertices, shape, points)) {
    const PairBalls rest = gather_balls(vertices, shape.count, points.rest, points.radii);
    contact.s_hat = limit_at_rest(contact.s_hat, find_closest(shape, rest).compute_squared());
  } else if (!points.activations.empty()) {
    const double own = find_activation(vertices, shape, points, d_hat);
    contact.s_hat = compute_activation(vertices, shape, points.radii, own);
  }
  if (!(squared < contact.s_hat)) return false;
  if (shape.front == 2) {
    const double threshold =
        compute_mollifier_threshold(gather_balls(vertices, 4, points.rest, points.radii));
    const Mollifier mollifier =
        compute_mollifier(gather_balls(vertices, 4, points.x, points.radii), threshold);
    if (mollifier.value == 0) return false;
    contact.threshold = mollifier.is_ramp ? threshold : 0;
  }
  contact.barrier = compute_barrier_function(squared / contact.s_hat);
  if (contact.threshold == 0) reduce_contact(contact);
  return true;
}

// Only reduced contacts can coincide: vertex–vertex and vertex–edge pairs.
bool is_shared(const Contact& contact) { return contact.shape.count < 4; }

void find_contacts(PairShape shape, std::span<const PairStencil> candidates, const ContactPoints& points,
                   double d_hat, FoundContacts& found) {
  std::array<ClosestPoints, kPairChunk> closest;
  const bool is_batched = shape.count == 4;
  if (is_batched) {
    const PairKind kind = shape.front == 2 ? PairKind::EdgeEdge : PairKind::PointTriangle;
    find_closest_points(kind, candidates, points.x, points.radii,
                        std::span(closest).first(candidates.size()));
  }
  found.single.reserve(candidates.size());
  found.shared.reserve(candidates.size());
  Contact contact;
  for (size_t k = 0; k < candidates.size(); ++k) {
    const PairStencil& vertices = candidates[k];
    const double s_hat = compute_activation(vertices, shape, points.radii, d_hat);
    if (is_batched && !(closest[k].f < s_hat)) continue;
    contact = {};
    contact.vertices = vertices;
    contact.shape = shape;
    contact.s_hat = s_hat;
    contact.point = is_batched
                        ? make_point(shape, vertices, closest[k], points.radii)
                        : find_closest(shape, gather_balls(vertices, shape.count, points.x, points.radii));
    if (!complete_contact(points, d_hat, contact)) continue;
    (is_shared(contact) ? found.shared : found.single).push_back(contact);
  }
}

// The candidates of one shape, in chunks.
void find_contacts(PairShape shape, std::span<const PairStencil> candidates, const ContactPoints& points,
                   double d_hat, std::vector<FoundContacts>& parts) {
  const size_t begin = parts.size(), chunks = (candidates.size() + kPairChunk - 1) / kPairChunk;
  parts.resize(begin + chunks);
  exec::parallel_for(
      "contact.narrow", chunks,
      [&](size_t chunk) {
        const size_t first = chunk * kPairChunk;
        find_contacts(shape, candidates.subspan(first, std::min(kPairChunk, candidates.size() - first)),
                      points, d_hat, parts[begin + chunk]);
      },
      1);
}

// Identifies a reduced contact. The vertices are packed into two integers, which sort fast.
struct MergeKey {
  std::uint64_t low, high;  // first vertex and count; second and third vertex
  double s_hat;
  Index contact;

  friend bool operator<(const MergeKey& a, const MergeKey& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.s_hat < b.s_hat;
  }
};

MergeKey make_key(const Contact& contact, Index number) {
  const auto bits = [](Index i) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)); };
  return {bits(contact.vertices[0]) << 32 | bits(contact.shape.count),
          bits(contact.vertices[1]) << 32 | bits(contact.vertices[2]), contact.s_hat, number};
}

// Appends every distinct contact once, with its multiplicity.
void merge_contacts(const std::vector<const Contact*>& shared, std::vector<Contact>& contacts) {
  std::vector<MergeKey> keys;
  keys.reserve(shared.size());
  for (size_t k = 0; k < shared.size(); ++k) keys.push_back(make_key(*shared[k], static_cast<Index>(k)));
  exec::parallel_sort("contact.sort", keys, [](const MergeKey& a, const MergeKey& b) { return a < b; });
  for (size_t k = 0; k < keys.size(); ++k) {
    if (k > 0 && !(keys[k - 1] < keys[k])) {
      contacts.back().multiplicity += shared[keys[k].contact]->multiplicity;
    } else {
      contacts.push_back(*shared[keys[k].contact]);
    }
  }
}

}  // namespace

double compute_radius_sum(const PairStencil& vertices, PairShape shape, std::span<const double> radii) {
  double front = 0, back = 0;
  if (radii.empty()) return 0;
  for (int i = 0; i < shape.count; ++i) {
    (i < shape.front ? front : back) = std::max(i < shape.front ? front : back, radii[vertices[i]]);
  }
  return front + back;
}

double limit_at_rest(double s_hat, double squared_at_rest) {
  return std::min(s_hat, kPartOfRest * squared_at_rest);
}

bool is_one_body(const PairStencil& vertices, PairShape shape, const ContactPoints& points) {
  return !points.bodies.empty() && points.bodies[vertices[0]] == points.bodies[vertices[shape.front]];
}

double find_activation(const PairStencil& vertices, PairShape shape, const ContactPoints& points,
                       double d_hat) {
  const auto [a, b] = std::minmax(points.bodies[vertices[0]], points.bodies[vertices[shape.front]]);
  const auto found = std::lower_bound(
      points.activations.begin(), points.activations.end(), std::pair(a, b),
      [](const PairActivation& pair, const auto& key) { return std::pair(pair.a, pair.b) < key; });
  const bool is_found = found != points.activations.end() && found->a == a && found->b == b;
  return is_found ? found->d_hat : d_hat;
}

void reduce_contact(Contact& contact, bool keeps_sides) {
  struct Ball {
    Index vertex;
    double w;
  };
  std::array<std::array<Ball, 4>, 2> side;
  std::array<int, 2> count = {0, 0};
  for (int i = 0; i < contact.shape.count; ++i) {
    if ((contact.point.region >> i & 1) == 0) continue;
    const int k = i < contact.shape.front ? 0 : 1;
    // Insert in ascending order.
    int at = count[k]++;
    for (; at > 0 && side[k][at - 1].vertex > contact.vertices[i]; --at) side[k][at] = side[k][at - 1];
    side[k][at] = {contact.vertices[i], contact.point.w[i]};
  }
  const bool is_swapped = !keeps_sides && (count[0] > count[1] ||
                                           (count[0] == count[1] && side[0][0].vertex > side[1][0].vertex));
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

PairPoint make_point(PairShape shape, const PairStencil& vertices, const ClosestPoints& closest,
                     std::span<const double> radii) {
  PairPoint point;
  point.w = make_weights(shape.front == 2 ? PairKind::EdgeEdge : PairKind::PointTriangle, closest.at);
  point.c = closest.c;
  for (int i = 0; i < 4; ++i) {
    if (point.w[i] == 0) continue;
    point.region = static_cast<Region>(point.region | (1 << i));
    if (!radii.empty()) point.rho += (i < shape.front ? point.w[i] : -point.w[i]) * radii[vertices[i]];
  }
  return point;
}

PairBalls gather_balls(const PairStencil& vertices, int count, std::span<const Vec3> x,
                       std::span<const double> radii) {
  PairBalls balls;
  for (int i = 0; i < 4; ++i) {
    balls.x[i] = x[vertices[i < count ? i : 0]];
    balls.r[i] = radii.empty() || i >= count ? 0 : radii[vertices[i]];
  }
  return balls;
}

std::vector<Contact> build_contact_set(const ContactPoints& points, const PairStencils& candidates,
                                       double d_hat) {
  const trace::Scope scope("contact.set");
  std::vector<FoundContacts> parts;
  find_contacts(kEdgeEdge, candidates.edge_edge, points, d_hat, parts);
  find_contacts(kVertexFace, candidates.vertex_face, points, d_hat, parts);
  find_contacts(kVertexEdge, candidates.vertex_edge, points, d_hat, parts);
  find_contacts(kVertexVertex, candidates.vertex_vertex, points, d_hat, parts);
  return merge_contacts(parts);
}

std::vector<Contact> merge_contacts(const std::vector<FoundContacts>& parts) {
  std::vector<const Contact*> shared;
  size_t single_count = 0;
  for (const FoundContacts& part : parts) {
    single_count += part.single.size();
    for (const Contact& contact : part.shared) shared.push_back(&contact);
  }
  std::vector<Contact> contacts;
  contacts.reserve(single_count + shared.size());
  for (const FoundContacts& part : parts)
    contacts.insert(contacts.end(), part.single.begin(), part.single.end());
  merge_contacts(shared, contacts);
  return contacts;
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
