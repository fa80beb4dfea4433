// The witness: exact arithmetic decides whether surfaces intersect and tets are inverted. It shares no code
// with the solver; the target marrow::witness has it alone.
#pragma once

#include <cstdint>
#include <span>

#include <marrow/types.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  struct WitnessFindings {
    std::int64_t intersections = 0;  // pairs of elements that meet
    std::int64_t undecided = 0;      // pairs that cannot be proven apart
    std::int64_t inversions = 0;     // tets that are inverted or flat
    std::int64_t not_finite = 0;     // points

    bool is_clean() const { return intersections + undecided + inversions + not_finite == 0; }
  };

  // Triangles that share a point may touch there. The boundaries of tets count as surfaces too.
  WitnessFindings find_intersections(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                     std::span<const Tet> tets = {});

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
