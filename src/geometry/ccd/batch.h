// Continuous collision detection of many pairs over one mesh: the batched, vectorised form of the
// advancement.
//
// AVX-512 or AVX2 is chosen when the processor has it; the results are the same bits without.
#pragma once

#include <span>
#include <string>

#include "geometry/ccd/ccd.h"

namespace marrow {

// Four vertices a pair, in the order of closest.h.
using PairStencil = std::array<Index, 4>;

// Vertices that move straight from x0 to x1.
struct MovingPoints {
  std::span<const Vec3> x0, x1;
  std::span<const double> radii;  // one per vertex, constant in time; empty: all zero
};

struct BatchOptions {
  double tolerance = 1e-6;    // [m] as CcdOptions
  double min_separation = 0;  // [m]
  double t_max = 1;
  double keep = 0;  // if positive, also stop at this fraction of the first certified gap (line search),
  double most_kept = std::numeric_limits<double>::infinity();  // [m] but not before it is down to this
};

// The time of impact of every pair: in [0, t_max] for a hit, infinity if free.
void detect_collisions(PairKind kind, std::span<const PairStencil> pairs, const MovingPoints& points,
                       const BatchOptions& options, std::span<double> toi);

// The earliest time of impact over all pairs; infinity if all are free. Cheaper than the minimum of the
// above: a hit bounds the time the others are looked at. The same bits on any number of threads.
double find_earliest_collision(PairKind kind, std::span<const PairStencil> pairs, const MovingPoints& points,
                               const BatchOptions& options);

// A number that is certainly not above f = |c|² − ρ² at the closest points of the pair, neither above the
// exact one nor above what distance.h computes; −∞ if the pair may touch. Less by rounding only, unless radii
// taper or the pair is degenerate. On this thread.
void bound_squared_gaps(PairKind kind, std::span<const PairStencil> pairs, std::span<const Vec3> x,
                        std::span<const double> radii, std::span<double> f);

// The closest points of a pair: the parameters of closest.h, and c and f = |c|² − ρ² there.
struct ClosestPoints {
  Closest<double> at;
  Vec3 c;
  double f;
};

// Of these pairs, the same bits as find_closest of distance.h gives. On this thread.
void find_closest_points(PairKind kind, std::span<const PairStencil> pairs, std::span<const Vec3> x,
                         std::span<const double> radii, std::span<ClosestPoints> closest);

// The instruction sets a batch can run on here, best first: "avx512", "avx2", "portable".
std::vector<std::string> list_batch_targets();

// Forces one of them, for tests and benchmarks; empty: the best.
void set_batch_target(const std::string& name);

}  // namespace marrow
