// Continuous collision detection of one pair of simplices with radii: when do they first touch?
//
// Every method is conservative: the returned time is never later than the first contact, and a contact is
// never missed. What is left is how early a time is, how many pairs that only come close are reported, and
// the cost.
//
//   Advancement  production: a separating direction certifies a whole stretch of time (advancement.h)
//   Inclusion    oracle and fallback: best-first search over boxes of time and parameters (inclusion.h)
//   Additive     for comparison: steps of gap over speed (additive.h)
#pragma once

#include <array>
#include <limits>

#include "core/options.h"
#include "core/types.h"
#include "geometry/distance/closest.h"

namespace marrow {

enum class CcdMethod { Advancement, Inclusion, Additive };

template <>
struct EnumNames<CcdMethod> {
  static constexpr const char* names[] = {"advancement", "inclusion", "additive"};
};

// Four balls (closest.h gives their order) that move straight from x0 to x1, with radii from r0 to r1.
struct CcdQuery {
  PairKind kind = PairKind::EdgeEdge;
  std::array<Vec3, 4> x0, x1;
  std::array<double, 4> r0 = {0, 0, 0, 0}, r1 = {0, 0, 0, 0};
};

struct CcdOptions {
  CcdMethod method = CcdMethod::Advancement;
  double tolerance = 1e-6;    // [m] a certified gap below this counts as contact
  double min_separation = 0;  // [m] contact means a gap of this much
  double t_max = 1;           // contacts later than this do not matter
  double keep = 0;            // if positive, also stop at this fraction of the first certified gap,
  double most_kept = std::numeric_limits<double>::infinity();  // [m] but not before it is down to this
  // After this many the time reached is returned as a contact, which is still conservative.
  int max_iterations = 1000000;
};

struct CcdResult {
  bool is_hit = false;
  double toi = std::numeric_limits<double>::infinity();  // time of impact in [0, t_max] if hit
  int iterations = 0;
};

// Squares of larger coordinates overflow; such queries are reported as hits.
inline constexpr double kHuge = 1e150;  // [m] [derived: its square is below the largest double]

CcdResult detect_collision(const CcdQuery& query, const CcdOptions& options);

CcdResult detect_by_advancement(const CcdQuery& query, const CcdOptions& options);
CcdResult detect_by_inclusion(const CcdQuery& query, const CcdOptions& options);
CcdResult detect_by_additive(const CcdQuery& query, const CcdOptions& options);

// Looks again at a pair that is certified free up to t and nearly touching there: does it really touch? A
// plain crossing is seen in double precision; all else is followed in twice the precision.
CcdResult confirm_collision(const CcdQuery& query, const CcdOptions& options, double t);

// The same for a pair that is known not to cross plainly.
CcdResult confirm_closely(const CcdQuery& query, const CcdOptions& options, double t);

}  // namespace marrow
