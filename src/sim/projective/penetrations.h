// What is inside of other bodies, and where it is drawn: the contact of the projective stepper without
// guarantee (docs/models/projective.md).
//
// Vertices: inside is decided for closed surfaces; a line upward from the vertex crosses the surface an odd
// number of times. Planes of a scene are half-spaces. Within a medial body, a vertex of one part is inside of
// another that shares no sphere with it if it lies behind the closest triangle there. A vertex is drawn to
// the closest point of the triangles that it can have come through in this step, and of the whole surface if
// there are none: else what is past the middle of a thin body leaves it on the other side. Medial bodies look
// only where their primitives overlap.
//
// Triangles that meet although no corner of theirs was found: those of medial bodies through culling and
// voxels (medial_meetings.h), others by a tree. They are drawn apart (separation.h).
//
//   depth      d = |q − x|, q the closest point, n = (q − x)/d; of triangles what separates them
//              (of what was inside at the start of the step a fifth, and at least 2 g h²)
//   friction   its sliding u since the start of the step, against q, is undone by min(|u|, µ d)
//
// If the other body moves too, both are drawn half of the way, at the corners of their triangles.
//
// Not seen: open surfaces, soft bodies inside of themselves, what passes in one step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/model.h"
#include "sim/projective/projection.h"

namespace marrow {

// A vertex inside of a body, or two triangles that meet.
struct Penetration {
  std::array<Index, 3> points = {kNone, kNone, kNone};  // what goes out: a vertex, or a triangle
  Vec3 point_weights = Vec3(1, 0, 0);
  Index point_body = kNone;
  Index body = kNone;                                    // that it is in
  std::array<Index, 3> corners = {kNone, kNone, kNone};  // of the triangle there; of a plane only one
  Vec3 weights = Vec3::Zero();                           // of the corners
  Vec3 normal = Vec3::Zero();                            // where it goes
  double depth = 0;                                      // [m]
  bool is_entry = false;                                 // the vertex came in there in this step
  double beyond = 0;  // how far its point goes beyond the other one: 0 for vertices [m]
};

class PenetrationFinder {
 public:
  // The model must outlive this.
  explicit PenetrationFinder(const Model& model);
  ~PenetrationFinder();

  // All of them at these nodes and their points, in an order that does not depend on threads. start: all
  // points at the start of the step; vertices then go back to where they came from. Null: the closest way
  // out.
  void find(const VecX& n, const Points& x, const Points* start, std::vector<Penetration>& found);

  // Where they are drawn at x, if they still are inside; start: all points at the start of the step.
  void draw(const std::vector<Penetration>& found, const Points& start, const Points& x,
            std::vector<GhostTarget>& targets);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
