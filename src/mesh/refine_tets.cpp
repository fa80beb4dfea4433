#include "mesh/refine_tets.h"

#include <algorithm>
#include <map>

namespace marrow {
namespace {

// The middles of edges, each once.
class Middles {
 public:
  explicit Middles(Points& points) : points_(points) {}

  Index between(Index a, Index b) {
    const Edge edge = {std::min(a, b), std::max(a, b)};
    const auto [entry, is_new] = number_.emplace(edge, static_cast<Index>(points_.size()));
    if (is_new) points_.push_back(0.5 * (points_[static_cast<size_t>(a)] + points_[static_cast<size_t>(b)]));
    return entry->second;
  }

 private:
  Points& points_;
  std::map<Edge, Index> number_;
};

}  // namespace

Mesh refine_tets(const Mesh& mesh) {
  Mesh fine;
  fine.points = mesh.points;
  Middles middles(fine.points);
  for (const Tet& t : mesh.tets) {
    const Index m01 = middles.between(t[0], t[1]), m02 = middles.between(t[0], t[2]);
    const Index m03 = middles.between(t[0], t[3]), m12 = middles.between(t[1], t[2]);
    const Index m13 = middles.between(t[1], t[3]), m23 = middles.between(t[2], t[3]);
    // All as positively oriented as t.
    const Tet parts[] = {{t[0], m01, m02, m03}, {m01, t[1], m12, m13}, {m02, m12, t[2], m23},
                         {m03, m13, m23, t[3]}, {m01, m23, m02, m03},  {m01, m23, m12, m02},
                         {m01, m23, m13, m12},  {m01, m23, m03, m13}};
    fine.tets.insert(fine.tets.end(), std::begin(parts), std::end(parts));
  }
  return fine;
}

}  // namespace marrow
