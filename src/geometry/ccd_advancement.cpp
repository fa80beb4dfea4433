// The advancement for single queries. A hit of the tight manner is looked at twice before it is reported, so
// that pairs that only pass very closely are not: crossings are recognised in double precision, all else is
// followed down to the last bit in quad precision.
#include "geometry/ccd_advancement.h"

#include <algorithm>
#include <cmath>

#include "geometry/ccd.h"

namespace marrow {
namespace {

// Beyond this many evaluations the search over boxes is the better method.
constexpr int kMaxEvaluations = 100;

// A quantity of this many error bounds is not rounding.
constexpr double kClearlyAboveRounding = 16;

// A gap of this many error bounds of double precision counts as none: about 1e-24 of the pair's size.
constexpr double kNothing = 1e-10;

// Evaluations spent on telling a very close pass from a contact; after that it is a contact.
constexpr int kMaxConfirmations = 40;

template <class T>
Triple<T> convert(const Vec3& x) {
  return {T(x[0]), T(x[1]), T(x[2])};
}

// The query near the origin. In quad precision the differences of doubles are exact but for absurd ranges.
template <class T>
MovingStencil<T> make_moving(const CcdQuery& query) {
  MovingStencil<T> q;
  const Triple<T> center = convert<T>(query.x0[0]);
  for (int i = 0; i < 4; ++i) {
    q.x[i] = convert<T>(query.x0[i]) - center;
    q.dx[i] = convert<T>(query.x1[i]) - convert<T>(query.x0[i]);
    q.r[i] = T(query.r0[i]);
    q.dr[i] = T(query.r1[i]) - T(query.r0[i]);
  }
  return q;
}

template <class T>
struct Outcome {
  AdvanceState<T> state;
  T error;
  int evaluations = 0;
};

bool has_taper(const CcdQuery& query) {
  const bool is_edges = query.kind == PairKind::EdgeEdge;
  for (const auto* r : {&query.r0, &query.r1}) {
    if ((*r)[2] != (*r)[3] || (is_edges ? (*r)[0] != (*r)[1] : (*r)[1] != (*r)[2])) return true;
  }
  return false;
}

// Runs from time t, up to which the pair is known to be free.
template <Taper kTaper, class T>
Outcome<T> advance_with(const CcdQuery& query, const CcdOptions& options, double t, int max_evaluations) {
  const MovingStencil<T> q = make_moving<T>(query);
  const T error = detail::compute_error_bound(q);
  const AdvanceOptions<T> o{T(options.t_max), T(options.min_separation), T(options.tolerance),
                            T(options.keep)};
  Outcome<T> outcome{start_advance<T>(), error, 0};
  outcome.state.t = T(t);
  while (outcome.evaluations < max_evaluations && !outcome.state.is_hit && !outcome.state.is_free) {
    advance_once<kTaper>(query.kind, q, error, o, outcome.evaluations == 0, outcome.state);
    ++outcome.evaluations;
  }
  return outcome;
}

template <class T>
Outcome<T> advance(const CcdQuery& query, const CcdOptions& options, double t, int max_evaluations) {
  return has_taper(query) ? advance_with<Taper::Some, T>(query, options, t, max_evaluations)
                          : advance_with<Taper::None, T>(query, options, t, max_evaluations);
}

Stencil<double> place(const MovingStencil<double>& q, double t) {
  Stencil<double> now;
  for (int i = 0; i < 4; ++i) {
    now.x[i] = q.x[i] + t * q.dx[i];
    now.r[i] = q.r[i] + t * q.dr[i];
  }
  return now;
}

// Where the pair stands at a time: the gap and its rate of change, and on which side the one is of the other.
struct Standing {
  double gap;
  double rate;    // of the gap, with the closest points held (envelope theorem)
  double volume;  // C₃·(C₁×C₂): changes its sign when they pass through each other
  bool is_interior;
  Triple<double> c;
};

Standing stand(PairKind kind, const MovingStencil<double>& q, double t, double separation) {
  const PairCoefficients<double> k = make_coefficients(kind, place(q, t));
  const Closest<double> p = find_least_gap(kind, k);
  const Triple<double> c = relative_center(k, p.u, p.v);
  const double rho = p.u * k.R1 + p.v * k.R2 + k.R3 + separation;
  const double norm = std::sqrt(dot(c, c));
  Stencil<double> slopes;
  for (int i = 0; i < 4; ++i) {
    slopes.x[i] = q.dx[i];
    slopes.r[i] = q.dr[i];
  }
  const PairCoefficients<double> dk = make_coefficients(kind, slopes);
  const double drho = p.u * dk.R1 + p.v * dk.R2 + dk.R3;
  const double rate = norm > 0 ? dot(c, relative_center(dk, p.u, p.v)) / norm - drho : 0;
  const Triple<double> normal = {k.C1.y * k.C2.z - k.C1.z * k.C2.y, k.C1.z * k.C2.x - k.C1.x * k.C2.z,
                                 k.C1.x * k.C2.y - k.C1.y * k.C2.x};
  const bool is_rest = kind == PairKind::EdgeEdge || p.rest > 0;
  const bool is_interior = p.u > 0 && p.u < 1 && p.v > 0 && p.v < 1 && is_rest;
  return {norm - rho, rate, dot(k.C3, normal), is_interior, c};
}

// Whether the pair, nearly touching at t, plainly goes on into contact: it overlaps a moment later, or has
// changed sides between interior points. A wrong yes costs a false alarm, never a miss.
bool is_crossing(const CcdQuery& query, const CcdOptions& options, double t, double error) {
  const MovingStencil<double> q = make_moving<double>(query);
  const Standing now = stand(query.kind, q, t, options.min_separation);
  if (!(now.gap > 0) || !(now.rate < 0)) return false;
  // Look a few times as far ahead as the gap takes to close at the present pace.
  for (const double ahead : {2.0, 30.0}) {
    const double after = std::min(t - ahead * now.gap / now.rate, options.t_max);
    const Standing later = stand(query.kind, q, after, options.min_separation);
    if (later.gap < -kClearlyAboveRounding * error) return true;
    const bool has_changed_sides = now.volume * later.volume < 0 && dot(now.c, later.c) < 0;
    const bool is_clear = later.gap > kClearlyAboveRounding * error;
    if (has_changed_sides && now.is_interior && later.is_interior && is_clear) return true;
  }
  return false;
}

CcdResult make_result(bool is_hit, double t, int evaluations) {
  CcdResult result;
  result.is_hit = is_hit;
  if (is_hit) result.toi = t;
  result.iterations = evaluations;
  return result;
}

}  // namespace

CcdResult confirm_collision(const CcdQuery& query, const CcdOptions& options, double t) {
  const double error = detail::compute_error_bound(make_moving<double>(query));
  if (is_crossing(query, options, t, error)) return make_result(true, t, 3);
  // Follow the pair down to where double precision ends, then to where nobody cares.
  CcdOptions finer = options;
  finer.keep = 0;
  finer.tolerance = std::min(options.tolerance, kClearlyAboveRounding * error);
  const Outcome<double> close = advance<double>(query, finer, t, kMaxConfirmations);
  if (close.state.is_free) return make_result(false, 0, 3 + close.evaluations);
  const double reached = std::max(t, close.state.is_hit ? close.state.t : t);
  finer.tolerance = kNothing * error;
  const Outcome<Quad> quad = advance<Quad>(query, finer, reached, kMaxConfirmations);
  return make_result(!quad.state.is_free, t, 3 + close.evaluations + quad.evaluations);
}

CcdResult detect_by_advancement(const CcdQuery& query, const CcdOptions& options) {
  const int limit = std::min(kMaxEvaluations, options.max_iterations);
  const Outcome<double> outcome = advance<double>(query, options, 0, limit);
  const AdvanceState<double>& state = outcome.state;
  if (state.is_free) return make_result(false, 0, outcome.evaluations);
  CcdResult result = make_result(true, state.t, outcome.evaluations);
  if (!state.is_hit && outcome.evaluations < options.max_iterations) {
    // A grazing pair. Both methods give lower bounds of the first contact.
    result = detect_by_inclusion(query, options);
    if (!result.is_hit) return result;
    result.toi = std::max(result.toi, state.t);
    result.iterations += outcome.evaluations;
  }
  const bool is_tight = options.keep == 0 || state.t == 0;
  if (!is_tight || result.iterations >= options.max_iterations) return result;
  const CcdResult confirmed = confirm_collision(query, options, result.toi);
  return make_result(confirmed.is_hit, result.toi, result.iterations + confirmed.iterations);
}

}  // namespace marrow
