// The advancement for single queries. A hit of the tight manner is looked at twice before it is reported, so
// that pairs that only pass very closely are not: crossings are recognised in double precision, all else is
// followed in twice the precision.
#include "geometry/ccd/advancement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/ccd/ccd.h"
#include "geometry/ccd/crossing.h"

namespace marrow {
namespace {

// Beyond this many evaluations the search over boxes is the better method.
constexpr int kMaxEvaluations = 300;

// A gap of this many error bounds of double precision counts as none: about 1e-24 of the pair's size.
constexpr double kNothing = 1e-10;

// Rounding of a point's place, in units of roundoff of its coordinates, with a wide margin.
constexpr double kPlaceRounding = 64;

// Evaluations spent on telling a very close pass from a contact; after that it is a contact.
constexpr int kMaxConfirmations = 12;

template <class T>
Stencil<T> convert(const std::array<Vec3, 4>& x, const std::array<double, 4>& r) {
  Stencil<T> s;
  for (int i = 0; i < 4; ++i) {
    s.x[i] = {T(x[i][0]), T(x[i][1]), T(x[i][2])};
    s.r[i] = T(r[i]);
  }
  return s;
}

// In twice the precision the differences of doubles are exact.
template <class T>
MovingPair<T> make_moving(const CcdQuery& query) {
  return make_moving_pair(query.kind, convert<T>(query.x0, query.r0), convert<T>(query.x1, query.r1));
}

template <class T>
struct Outcome {
  AdvanceState<T> state;
  int evaluations = 0;
};

template <class T>
bool has_taper(const MovingPair<T>& q) {
  return q.start.R1 != 0 || q.start.R2 != 0 || q.change.R1 != 0 || q.change.R2 != 0;
}

// Runs from time t, up to which the pair is known to be free.
template <Taper kTaper, class T>
Outcome<T> advance_with(PairKind kind, const MovingPair<T>& q, const CcdOptions& options, double t,
                        int max_evaluations) {
  const T error = detail::compute_error_bound(q);
  const AdvanceOptions<T> o{T(options.t_max), T(options.min_separation), T(options.tolerance),
                            T(options.keep), T(options.most_kept)};
  Outcome<T> outcome{start_advance<T>(T(t)), 0};
  while (outcome.evaluations < max_evaluations && !outcome.state.is_hit && !outcome.state.is_free) {
    advance_once<kTaper>(kind, q, error, o, outcome.evaluations == 0, outcome.state);
    ++outcome.evaluations;
  }
  return outcome;
}

template <class T>
Outcome<T> advance(PairKind kind, const MovingPair<T>& q, const CcdOptions& options, double t,
                   int max_evaluations) {
  return has_taper(q) ? advance_with<Taper::Some>(kind, q, options, t, max_evaluations)
                      : advance_with<Taper::None>(kind, q, options, t, max_evaluations);
}

CcdResult make_result(bool is_hit, double t, int evaluations) {
  CcdResult result;
  result.is_hit = is_hit;
  if (is_hit) result.toi = t;
  result.iterations = evaluations;
  return result;
}

CcdResult confirm(PairKind kind, const MovingPair<double>& q, const CcdQuery& query,
                  const CcdOptions& options, double t) {
  const double error = detail::compute_error_bound(q);
  const AdvanceOptions<double> o{options.t_max, options.min_separation, options.tolerance, 0};
  if (has_taper(q) ? is_crossing<Taper::Some>(kind, q, o, t, error)
                   : is_crossing<Taper::None>(kind, q, o, t, error)) {
    return make_result(true, t, 3);
  }
  CcdResult result = confirm_closely(query, options, t);
  result.iterations += 3;
  return result;
}

// Where double precision certifies nothing, at gaps below 1e-8 of the pair's size: its directions are too
// inaccurate there, though the gap is not. What is left of the gap must still be more than the rounding of
// the points where they will be.
CcdResult detect_precisely(const CcdQuery& query, CcdOptions options, int evaluations) {
  double largest = 0;
  for (int i = 0; i < 4; ++i) {
    largest =
        std::max({largest, query.x0[i].lpNorm<Eigen::Infinity>(), query.x1[i].lpNorm<Eigen::Infinity>()});
  }
  options.min_separation += kPlaceRounding * std::numeric_limits<double>::epsilon() * largest;
  const Outcome<DoubleDouble> fine =
      advance(query.kind, make_moving<DoubleDouble>(query), options, 0, kMaxEvaluations);
  const double t = static_cast<double>(fine.state.t) * (1 - 4 * std::numeric_limits<double>::epsilon());
  return make_result(!fine.state.is_free, std::max(t, 0.0), evaluations + fine.evaluations);
}

}  // namespace

CcdResult confirm_closely(const CcdQuery& query, const CcdOptions& options, double t) {
  // Follow the pair down to where double precision ends, then to where nobody cares.
  const MovingPair<double> q = make_moving<double>(query);
  const double error = detail::compute_error_bound(q);
  CcdOptions finer = options;
  finer.keep = 0;
  finer.tolerance = std::min(options.tolerance, kClearlyAboveRounding * error);
  const Outcome<double> close = advance(query.kind, q, finer, t, kMaxConfirmations);
  if (close.state.is_free) return make_result(false, 0, close.evaluations);
  const double reached = std::max(t, close.state.t);
  finer.tolerance = kNothing * error;
  const Outcome<DoubleDouble> fine =
      advance(query.kind, make_moving<DoubleDouble>(query), finer, reached, kMaxConfirmations);
  const int evaluations = close.evaluations + fine.evaluations;
  // Quad precision has the last word on what was next to nothing from the beginning.
  const bool is_certain =
      fine.state.is_free || fine.state.first_certificate > DoubleDouble(10 * finer.tolerance);
  if (is_certain) return make_result(!fine.state.is_free, t, evaluations);
  const Outcome<Quad> last = advance(query.kind, make_moving<Quad>(query), finer, reached, kMaxConfirmations);
  return make_result(!last.state.is_free, t, evaluations + last.evaluations);
}

CcdResult confirm_collision(const CcdQuery& query, const CcdOptions& options, double t) {
  return confirm(query.kind, make_moving<double>(query), query, options, t);
}

CcdResult detect_by_advancement(const CcdQuery& query, const CcdOptions& options) {
  const int limit = std::min(kMaxEvaluations, options.max_iterations);
  const MovingPair<double> q = make_moving<double>(query);
  const Outcome<double> outcome = advance(query.kind, q, options, 0, limit);
  const AdvanceState<double>& state = outcome.state;
  if (state.is_free) return make_result(false, 0, outcome.evaluations);
  if (options.keep > 0 && state.t == 0) return detect_precisely(query, options, outcome.evaluations);
  CcdResult result = make_result(true, state.t, outcome.evaluations);
  if (!state.is_hit && outcome.evaluations < options.max_iterations) {
    // A grazing pair. Both methods give lower bounds of the first contact.
    result = detect_by_inclusion(query, options);
    if (!result.is_hit) return result;
    result.toi = std::max(result.toi, state.t);
    result.iterations += outcome.evaluations;
  }
  if (options.keep > 0 || result.iterations >= options.max_iterations) return result;
  const CcdResult confirmed = confirm(query.kind, q, query, options, result.toi);
  return make_result(confirmed.is_hit, result.toi, result.iterations + confirmed.iterations);
}

}  // namespace marrow
