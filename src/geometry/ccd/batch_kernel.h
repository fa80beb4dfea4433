// The text of the batched advancement, compiled once per instruction set (ccd_batch_*.cpp).
//
// Only plain arrays and templates over the file's own pack type are used here: an inline function shared with
// other files could be taken by the linker from the file with the widest instructions.
#pragma once

#include <cstddef>

#include "geometry/ccd/crossing.h"

namespace marrow::ccd_batch {

enum Status : unsigned char {
  kFree = 0,
  kHit = 1,
  kUnconfirmed = 2,  // a hit that may be a close pass
  kOpen = 3          // to be decided one by one
};

struct Arguments {
  PairKind kind;
  size_t count;
  const int* stencils;  // 4 vertices a query
  const double* x0;     // 3 numbers a vertex
  const double* x1;
  const double* radii;  // one a vertex; null: all zero
  double t_max, separation, tolerance, keep, most_kept;
  bool has_taper;         // some radii differ
  bool is_shared;         // a hit bounds the time of all later queries
  double* toi;            // out, one a query
  double* closest;        // out of find_closest, 7 numbers a query
  unsigned char* status;  // out, one a query
};

inline constexpr int kFirstEvaluations = 2;  // before queries are packed anew
inline constexpr int kMaxEvaluations = 24;
inline constexpr double kInfinity = __builtin_huge_val();

// The coefficients of N queries, transposed: one row per number, one column per query.
template <int N>
struct Rows {
  alignas(64) double start[3][3][N];
  alignas(64) double change[3][3][N];
  alignas(64) double radii[3][N];
};

// Which corners the coefficients are differences of (closest.h, make_coefficients).
inline constexpr int kDifferences[2][3][2] = {{{1, 0}, {2, 3}, {0, 2}}, {{1, 2}, {1, 3}, {0, 1}}};

// kIsMoving: with the change to x1.
template <PairKind kKind, bool kIsMoving, int N>
inline void gather_lane(const Arguments& a, size_t query, int lane, Rows<N>& rows) {
  constexpr auto& kOwn = kDifferences[kKind == PairKind::EdgeEdge ? 0 : 1];
  const int* ids = a.stencils + 4 * query;
  for (int c = 0; c < 3; ++c) {
    const size_t to = 3 * static_cast<size_t>(ids[kOwn[c][0]]);
    const size_t from = 3 * static_cast<size_t>(ids[kOwn[c][1]]);
    for (int k = 0; k < 3; ++k) {
      const double start = a.x0[to + k] - a.x0[from + k];
      rows.start[c][k][lane] = start;
      if constexpr (kIsMoving) rows.change[c][k][lane] = (a.x1[to + k] - a.x1[from + k]) - start;
    }
  }
  if (a.radii == nullptr) return;
  const double r[4] = {a.radii[ids[0]], a.radii[ids[1]], a.radii[ids[2]], a.radii[ids[3]]};
  const bool is_edges = kKind == PairKind::EdgeEdge;
  rows.radii[0][lane] = is_edges ? r[1] - r[0] : r[2] - r[1];
  rows.radii[1][lane] = is_edges ? r[3] - r[2] : r[3] - r[1];
  rows.radii[2][lane] = r[0] + (is_edges ? r[2] : r[1]);
}

template <class T, int N>
inline T load(const double (&row)[N]) {
  typename T::Values values;
  for (int lane = 0; lane < N; ++lane) values[lane] = row[lane];
  return T(values);
}

template <class T, int N>
inline Triple<T> load_triple(const double (&rows)[3][N]) {
  return {load<T, N>(rows[0]), load<T, N>(rows[1]), load<T, N>(rows[2])};
}

template <class T, int N>
inline PairCoefficients<T> load_start(const Rows<N>& rows, bool has_radii) {
  const T zero(0);
  return {load_triple<T, N>(rows.start[0]),
          load_triple<T, N>(rows.start[1]),
          load_triple<T, N>(rows.start[2]),
          has_radii ? load<T, N>(rows.radii[0]) : zero,
          has_radii ? load<T, N>(rows.radii[1]) : zero,
          has_radii ? load<T, N>(rows.radii[2]) : zero};
}

// N queries by their numbers.
template <class T, PairKind kKind, int N>
inline MovingPair<T> load_pairs(const Arguments& a, const size_t (&queries)[N]) {
  Rows<N> rows;
  for (int lane = 0; lane < N; ++lane) gather_lane<kKind, true, N>(a, queries[lane], lane, rows);
  const T zero(0);
  return {load_start<T, N>(rows, a.radii != nullptr),
          {load_triple<T, N>(rows.change[0]), load_triple<T, N>(rows.change[1]),
           load_triple<T, N>(rows.change[2]), zero, zero, zero}};
}

// Queries that wait until there are enough of them for a pack, and how far they have come.
template <int N>
struct Waiting {
  size_t queries[N];
  alignas(64) double t[N], t_n[N], first_certificate[N];
  int count = 0;

  // The first fills up.
  void fill_up() {
    for (int lane = count; lane < N; ++lane) {
      queries[lane] = queries[0];
      t[lane] = t[0];
      t_n[lane] = t_n[0];
      first_certificate[lane] = first_certificate[0];
    }
  }
};

// A list of queries, N at a time. Most are free after the first evaluations; those that are not are packed
// anew, so that the others need not wait for them.
template <Taper kTaper, PairKind kKind, int N, class T>
class Batch {
 public:
  explicit Batch(const Arguments& a) : a_(a), t_max_(a.t_max), is_confirmed_(!a.is_shared && a.keep == 0) {}

  void run() {
    size_t queries[N];
    for (size_t first = 0; first < a_.count; first += N) {
      const int count = a_.count - first < N ? static_cast<int>(a_.count - first) : N;
      for (int lane = 0; lane < N; ++lane) queries[lane] = first + (lane < count ? lane : 0);
      AdvanceState<T> state = start_advance<T>(T(0));
      advance(queries, 0, kFirstEvaluations, state);
      for (int lane = 0; lane < count; ++lane) {
        if (state.is_hit[lane] || state.is_free[lane]) {
          record(queries[lane], state, lane);
        } else {
          postpone(queries[lane], state, lane);
        }
      }
    }
    resume();
    confirm();
  }

 private:
  void advance(const size_t (&queries)[N], int begin, int end, AdvanceState<T>& state) const {
    const MovingPair<T> q = load_pairs<T, kKind, N>(a_, queries);
    const T error = detail::compute_error_bound(q);
    const AdvanceOptions<T> options{T(t_max_), T(a_.separation), T(a_.tolerance), T(a_.keep),
                                    T(a_.most_kept)};
    for (int k = begin; k < end && is_any(!(state.is_hit | state.is_free)); ++k)
      advance_once<kTaper>(kKind, q, error, options, k == 0, state);
  }

  // Starts without a certificate and long searches are left open.
  void record(size_t query, const AdvanceState<T>& state, int lane) {
    const double t = state.t[lane];
    const Status status = state.is_free[lane] ? kFree : (state.is_hit[lane] && t > 0 ? kHit : kOpen);
    a_.toi[query] = t;
    a_.status[query] = status;
    if (status != kHit) return;
    if (a_.is_shared && t < t_max_) t_max_ = t;
    if (!is_confirmed_) return;
    hits_.queries[hits_.count] = query;
    hits_.t[hits_.count++] = t;
    if (hits_.count == N) confirm();
  }

  void postpone(size_t query, const AdvanceState<T>& state, int lane) {
    unfinished_.queries[unfinished_.count] = query;
    unfinished_.t[unfinished_.count] = state.t[lane];
    unfinished_.t_n[unfinished_.count] = state.t_n[lane];
    unfinished_.first_certificate[unfinished_.count++] = state.first_certificate[lane];
    if (unfinished_.count == N) resume();
  }

  void resume() {
    if (unfinished_.count == 0) return;
    unfinished_.fill_up();
    AdvanceState<T> state = start_advance<T>(load<T, N>(unfinished_.t));
    state.t_n = load<T, N>(unfinished_.t_n);
    state.first_certificate = load<T, N>(unfinished_.first_certificate);
    advance(unfinished_.queries, kFirstEvaluations, kMaxEvaluations, state);
    for (int lane = 0; lane < unfinished_.count; ++lane) record(unfinished_.queries[lane], state, lane);
    unfinished_.count = 0;
  }

  // Which of the hits are plain crossings; the others are left unconfirmed.
  void confirm() {
    if (hits_.count == 0) return;
    hits_.fill_up();
    const MovingPair<T> q = load_pairs<T, kKind, N>(a_, hits_.queries);
    const AdvanceOptions<T> options{T(a_.t_max), T(a_.separation), T(a_.tolerance), T(a_.keep),
                                    T(a_.most_kept)};
    const auto is_sure =
        is_crossing<kTaper>(kKind, q, options, load<T, N>(hits_.t), detail::compute_error_bound(q));
    for (int lane = 0; lane < hits_.count; ++lane)
      a_.status[hits_.queries[lane]] = is_sure[lane] ? kHit : kUnconfirmed;
    hits_.count = 0;
  }

  const Arguments& a_;
  double t_max_;
  bool is_confirmed_;
  Waiting<N> unfinished_{}, hits_{};
};

template <int N, class T>
void run(const Arguments& a) {
  if (a.kind == PairKind::EdgeEdge) {
    a.has_taper ? Batch<Taper::Some, PairKind::EdgeEdge, N, T>(a).run()
                : Batch<Taper::None, PairKind::EdgeEdge, N, T>(a).run();
  } else {
    a.has_taper ? Batch<Taper::Some, PairKind::PointTriangle, N, T>(a).run()
                : Batch<Taper::None, PairKind::PointTriangle, N, T>(a).run();
  }
}

// Of n·c ∓ ρ, n the direction between the closest points, the least over the corners.
template <Taper kTaper, class T>
inline void find_supports(PairKind kind, const PairCoefficients<T>& k, T& least_difference, T& least_sum) {
  const Closest<T> p = find_closest<kTaper>(kind, k);
  const Triple<T> c = relative_center(k, p.u, p.v);
  const Triple<T> n = compute_direction<kTaper>(kind, k, p, c);
  const T m1 = dot(n, k.C1), m2 = dot(n, k.C2), m3 = dot(n, k.C3);
  const auto find_least = [&](const detail::Supports<T>& supports) {
    T least = supports.s3;
    supports.for_each_corner(kind, [&](int, T s) { least = smaller(least, s); });
    return least;
  };
  least_difference = find_least({m1 - k.R1, m2 - k.R2, m3 - k.R3});
  least_sum = kTaper == Taper::None ? least_difference : find_least({m1 + k.R1, m2 + k.R2, m3 + k.R3});
}

// A lower bound of f = |c|² − ρ² over each pair at x0, rounding included, into toi; −∞ where none is found.
//
//   f ≥ (n·c)² − ρ² = (n·c − ρ) (n·c + ρ) ≥ min_i (n·c_i − ρ_i) · min_i (n·c_i + ρ_i)      over the corners i
//
// if both are positive. Without taper this is an equality at the n of the closest points. Errors: twice that
// of a certificate, half of it for f as a single pair is measured (docs/models/contact.md, Rounding).
template <Taper kTaper, PairKind kKind, int N, class T>
void bound_pairs(const Arguments& a) {
  Rows<N> rows;
  const T zero(0);
  const PairCoefficients<T> still{
      {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, zero, zero, zero};
  for (size_t first = 0; first < a.count; first += N) {
    const int count = a.count - first < N ? static_cast<int>(a.count - first) : N;
    for (int lane = 0; lane < N; ++lane) {
      gather_lane<kKind, false, N>(a, first + (lane < count ? lane : 0), lane, rows);
    }
    const PairCoefficients<T> k = load_start<T, N>(rows, a.radii != nullptr);
    T low, high;
    find_supports<kTaper>(kKind, k, low, high);
    const T error = T(2) * detail::compute_error_bound(MovingPair<T>{k, still}) + T(1e-290);
    low = low - error;
    high = high - error;
    const T product = (T(1) - T(16) * detail::unit_roundoff<T>()) * (low * high);
    const T f = select((low > zero) & (high > zero), product, T(-kInfinity));
    for (int lane = 0; lane < count; ++lane) a.toi[first + lane] = f[lane];
  }
}

template <int N, class T>
void bound(const Arguments& a) {
  if (a.kind == PairKind::EdgeEdge) {
    a.has_taper ? bound_pairs<Taper::Some, PairKind::EdgeEdge, N, T>(a)
                : bound_pairs<Taper::None, PairKind::EdgeEdge, N, T>(a);
  } else {
    a.has_taper ? bound_pairs<Taper::Some, PairKind::PointTriangle, N, T>(a)
                : bound_pairs<Taper::None, PairKind::PointTriangle, N, T>(a);
  }
}

// The closest points of N pairs at x0, with the operations of distance.h in their order: coordinates relative
// to the first ball, weights, c = Σ w_i (x_i − x_0). Per pair: u, v, rest, c, f.
template <PairKind kKind, int N, class T>
void find_closest_of_pairs(const Arguments& a) {
  alignas(64) double x[4][3][N], r[4][N], out[7][N];
  for (size_t first = 0; first < a.count; first += N) {
    const int count = a.count - first < N ? static_cast<int>(a.count - first) : N;
    for (int lane = 0; lane < N; ++lane) {
      const int* ids = a.stencils + 4 * (first + static_cast<size_t>(lane < count ? lane : 0));
      const size_t base = 3 * static_cast<size_t>(ids[0]);
      for (int i = 0; i < 4; ++i) {
        const size_t at = 3 * static_cast<size_t>(ids[i]);
        for (size_t k = 0; k < 3; ++k) x[i][k][lane] = a.x0[at + k] - a.x0[base + k];
        r[i][lane] = a.radii == nullptr ? 0 : a.radii[ids[i]];
      }
    }
    Stencil<T> s;
    for (int i = 0; i < 4; ++i) {
      s.x[i] = load_triple<T, N>(x[i]);
      s.r[i] = load<T, N>(r[i]);
    }
    const Closest<T> p = find_closest<Taper::Some>(kKind, make_coefficients(kKind, s));
    const T one(1);
    const bool is_edges = kKind == PairKind::EdgeEdge;
    const T w[4] = {is_edges ? one - p.u : one, is_edges ? p.u : -p.rest, is_edges ? -(one - p.v) : -p.u,
                    -p.v};
    Triple<T> c = T(0) * s.x[0];
    for (int i = 0; i < 4; ++i) c = c + w[i] * s.x[i];
    const int front = is_edges ? 2 : 1;
    T rho(0);
    for (int i = 0; i < 4; ++i) rho = rho + (i < front ? w[i] : -w[i]) * s.r[i];
    const T norm = square_root(dot(c, c));
    const T f = (norm - rho) * (norm + rho);
    const T results[7] = {p.u, p.v, p.rest, c.x, c.y, c.z, f};
    for (int k = 0; k < 7; ++k) {
      for (int lane = 0; lane < N; ++lane) out[k][lane] = results[k][lane];
    }
    for (int lane = 0; lane < count; ++lane) {
      for (int k = 0; k < 7; ++k)
        a.closest[7 * (first + static_cast<size_t>(lane)) + static_cast<size_t>(k)] = out[k][lane];
    }
  }
}

template <int N, class T>
void find_closest_points(const Arguments& a) {
  a.kind == PairKind::EdgeEdge ? find_closest_of_pairs<PairKind::EdgeEdge, N, T>(a)
                               : find_closest_of_pairs<PairKind::PointTriangle, N, T>(a);
}

void run_portable(const Arguments& a);
void run_avx2(const Arguments& a);
void run_avx512(const Arguments& a);
void bound_portable(const Arguments& a);
void bound_avx2(const Arguments& a);
void bound_avx512(const Arguments& a);
void closest_portable(const Arguments& a);
void closest_avx2(const Arguments& a);
void closest_avx512(const Arguments& a);

}  // namespace marrow::ccd_batch
