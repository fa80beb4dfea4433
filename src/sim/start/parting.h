// Finds the least translation that takes bodies out of others: what moves a start apart that touches or
// overlaps.
//
// Two simplices meet while one of them moves along a direction d by t in [lo, hi]: their projections along d
// overlap, and t is the difference of their heights there, which is linear, so its extremes are at corners
// and crossings of edges. A closed surface also takes the t at which the other body is inside. The least
// t ≥ 0 outside all these intervals, each made longer by the gap, parts the bodies along d. Directions tried:
// the axes, the normals of the triangles that meet, and sums of two of these.
//
// The result is a proposal. Whether a run can start is decided by the witness alone (check_start.h).
#pragma once

#include <optional>
#include <span>

#include "witness/witness.h"

namespace marrow {

struct PartingMove {
  Vec3 move = Vec3::Zero();  // [m]
  double depth = 0;          // how far the bodies must move until they only touch [m]
};

class Parting {
 public:
  // The bodies where they are now; the witness must outlive this.
  Parting(const Witness& witness, Index body_count);
  ~Parting();
  Parting(const Parting&) = delete;
  Parting& operator=(const Parting&) = delete;

  void move(Index body, const Vec3& by);

  // Whether the run keeps these two apart.
  bool is_kept_apart(Index a, Index b) const;

  // Whether two bodies meet, or come closer than this.
  bool is_closer(Index a, Index b, double distance) const;

  // The least move of some bodies, as one, that leaves at least about this gap between them and others. up:
  // preferred if others are hardly shorter. Empty: there is none shorter than the bodies are long.
  std::optional<PartingMove> find_least(std::span<const Index> moved, std::span<const Index> still,
                                        double gap, const Vec3& up) const;

  // Corners of a body's box.
  const Vec3& lower(Index body) const;
  const Vec3& upper(Index body) const;

 private:
  struct Surface;
  struct Direction;
  double measure_distance(std::span<const Index> moved, std::span<const Index> still, const Vec3& shift,
                          double at_most) const;
  std::vector<Direction> list_directions(std::span<const Index> moved, std::span<const Index> still,
                                         double near, const Vec3& up) const;
  std::optional<PartingMove> find_along(const Direction& direction, std::span<const Index> moved,
                                        std::span<const Index> still, double gap, double most) const;

  const Witness& witness_;
  std::vector<Surface> bodies_;
};

}  // namespace marrow
