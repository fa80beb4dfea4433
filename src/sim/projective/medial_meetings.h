// Where medial bodies meet each other and themselves: culling of their primitives, the triangles of those
// that are left, and the way out (Lan et al. 2020, section 5; docs/models/medial_elastics.md).
//
// Primitives enclose the surface whatever the handles do, so what they do not show does not meet. Within a
// body, pairs that overlap at rest are left out (the paper: those that share a sphere): what folds at a joint
// of the medial mesh is not seen. The way out of a pair is the normal of its deepest penetration.
#pragma once

#include <memory>

#include "geometry/medial/culling.h"
#include "sim/model/model.h"

namespace marrow {

// Two triangles that meet.
struct Crossing {
  Index body_a = kNone, body_b = kNone;
  Triangle a = {kNone, kNone, kNone}, b = {kNone, kNone, kNone};  // points of all bodies
  Vec3 way = Vec3::Zero();  // roughly where a goes to leave b; not of unit length
};

class MedialMeetings {
 public:
  // takes_part: by body. The model must outlive this.
  MedialMeetings(const Model& model, const std::vector<char>& takes_part);
  ~MedialMeetings();
  MedialMeetings(MedialMeetings&&) noexcept;

  bool covers(Index body) const;

  // Primitives at n, and the pairs of them that overlap. may_meet: of two bodies.
  void update(const VecX& n, const std::function<bool(Index, Index)>& may_meet);

  // Vertices in primitives that overlap one of another body, by point: 1.
  void mark_vertices(std::vector<char>& marks) const;

  // Appends the triangles that meet at the points x: of two medial bodies, and of one.
  void find_crossings(const Points& x, std::vector<Crossing>& crossings) const;

  // Vertices of a body inside of another part of it: they lie behind the closest triangle of a primitive that
  // overlaps one of theirs.
  struct Fold {
    Index body = kNone;
    Index point = kNone;
    Triangle triangle = {kNone, kNone, kNone};
    Vec3 weights = Vec3::Zero();  // of the closest point
    Vec3 arm = Vec3::Zero();      // from the vertex to there
  };
  void find_folds(const Points& x, std::vector<Fold>& folds) const;

  // The way out of a triangle of the body from another one.
  Vec3 find_way(Index body, Index triangle, const Points& x, const Triangle& other) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The weights of the point of a triangle that is closest to p.
Vec3 find_closest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace marrow
