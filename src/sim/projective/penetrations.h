// Vertices that are inside of other bodies, and where they are drawn: the contact of the projective stepper
// without guarantee (docs/models/projective.md).
//
// Inside is decided for vertices and closed surfaces: a line upward from the vertex crosses the surface an
// odd number of times. Planes of a scene are half-spaces. A vertex is drawn to the closest point of the
// surface that it is in. If that body moves too, both are drawn half of the way, the other one at the corners
// of the triangle there.
//
//   depth      d = |q − x|, q the closest point, n = (q − x)/d
//   friction   its sliding u since the start of the step, against q, is undone by min(|u|, µ d)
//
// Not seen: edges that cross without a vertex inside, open surfaces, bodies inside of themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/model.h"
#include "sim/projective/projection.h"

namespace marrow {

// A vertex inside of a body.
struct Penetration {
  Index point = kNone;
  Index body = kNone;  // that it is in
  std::array<Index, 3> corners = {kNone, kNone,
                                  kNone};  // of the triangle with the closest point; none: a plane
  Vec3 weights = Vec3::Zero();             // of the corners
  Vec3 normal = Vec3::Zero();              // from the vertex to the closest point
  double depth = 0;                        // [m]
};

class PenetrationFinder {
 public:
  // The model must outlive this.
  explicit PenetrationFinder(const Model& model);
  ~PenetrationFinder();

  // All vertices inside of others at these points, by point and body.
  void find(const Points& x, std::vector<Penetration>& found);

  // Where found vertices are drawn at x, if they still are inside: start: all points at the start of the
  // step.
  void draw(const std::vector<Penetration>& found, const Points& start, const Points& x,
            std::vector<GhostTarget>& targets);

  // Bodies whose surfaces are open: nothing is found inside of them.
  const std::vector<Index>& open_bodies() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
