// Of the pairs that a search found, only few come near on one path. Those that certainly do not are left out
// by how far their points have moved since their gaps were last bounded.
//
// Pairs of the same two groups of points, or consecutive pairs of other points, form a block. Measuring a
// block at a reference x̄ bounds the gap of each of its pairs from below, by L. Points move from x̄ to x; with
// the displacements d_i = x_i − x̄_i of the points of the one side and d_j of the other,
//
//   g(x) ≥ L − M,      M = max over i, j of |d_i − d_j|
//
// because the points of two simplices move apart by convex combinations of the d_i − d_j. M is bounded from
// the boxes of both sides' displacements, so a common translation does not count. Hence
//
//   a pair with L − M ≥ d̂ is no contact at x                        (L − M over the path: it limits no step)
//   no pair of a block limits a path on which points move by M_p, if M_p ≤ (1 − keep) (L_least − M at its
//   start)
//
// What is left out changes no result: contacts are found among what remains in the same order, and a pair
// that stays beyond d̂ limits no step (contact/kept_gap.h). So when to measure again is a matter of speed
// alone. Rounding: docs/models/contact.md, Rounding.
#pragma once

#include <array>
#include <cstdint>

#include "contact/point_paths.h"
#include "contact/stencils.h"

namespace marrow {

class NearPairs {
 public:
  // activation: the largest gap at which a barrier acts [m]. radii: of all points; empty: all zero. Both
  // spans must outlive this.
  NearPairs(std::span<const Index> group_of_point, double activation, std::span<const double> radii)
      : group_of_point_(group_of_point), activation_(activation), radii_(radii) {}

  // Takes the pairs that a search found.
  void set_pairs(const PairStencils& pairs);

  // The pairs that may be within the activation distance at x; x0 and x1 both are x.
  const PairStencils& find_at(std::span<const Vec3> x) { return select({x, x, radii_}, {}, false); }

  // The pairs that may limit a path. grown: the radii, each with the bow of its point's path; empty: all
  // paths are straight.
  const PairStencils& find_limiting(const MovingPoints& points, std::span<const double> grown = {}) {
    return select(points, grown, true);
  }

 private:
  static constexpr size_t kLists = 4;  // of PairStencils [derived: its members]

  struct Run {
    std::uint32_t begin = 0, end = 0;  // in a list
  };
  struct Block {
    std::array<Run, kLists> runs;
    std::array<std::uint32_t, kLists> near = {};    // the number of near pairs of each run
    std::uint32_t first = 0, second = 0, last = 0;  // the points of the one and the other side
    bool is_measured = false, is_free = false;
    double margin = 0;  // pairs closer than activation + margin are near [m]
    double rest = 0;    // the least L of the others [m]
    double least = 0;   // the least L [m]
    double rounding = 0;

    std::uint32_t pair_count() const;
    std::uint32_t near_count() const;
  };
  // How far the two sides of a block have moved against each other [m].
  struct Motion {
    double at_start = 0;  // from the reference to the start of the path
    double anywhere = 0;  // from the reference to any place on the path
    double on_path = 0;   // from the start of the path
  };

  const PairStencils& select(const MovingPoints& points, std::span<const double> grown, bool is_limit);
  void update(Block& block, const MovingPoints& points, std::span<const double> grown, bool is_limit);
  Motion measure_motion(const Block& block, const MovingPoints& points, std::span<const double> grown) const;
  void measure(Block& block, std::span<const Vec3> x, double margin);
  void add_runs(size_t list, const std::vector<PairStencil>& pairs);
  void list_points(Block& block);

  std::span<const Index> group_of_point_;
  double activation_;
  std::span<const double> radii_;
  const PairStencils* pairs_ = nullptr;
  std::vector<Block> blocks_;
  std::array<std::vector<std::uint32_t>, kLists> order_;  // the blocks of each list, in its order
  std::array<std::vector<std::uint32_t>, kLists> near_;   // numbers of near pairs, at the start of each run
  std::vector<Index> points_;                             // of the blocks
  Points reference_;                                      // their positions when they were measured
  std::vector<std::uint32_t> stamps_;                     // by point
  PairStencils selected_;
};

}  // namespace marrow
