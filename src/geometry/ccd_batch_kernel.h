// The text of the batched advancement, compiled once per instruction set (ccd_batch_*.cpp).
//
// Only plain arrays and templates over the file's own pack type are used here: an inline function shared with
// other files could be taken by the linker from the file with the widest instructions.
#pragma once

#include <cstddef>

#include "geometry/ccd_advancement.h"

namespace marrow::ccd_batch {

enum Status : unsigned char { kFree = 0, kHit = 1, kOpen = 2 };  // open: to be decided one by one

struct Arguments {
  PairKind kind;
  size_t count;
  const int* stencils;  // 4 vertices a query
  const double* x0;     // 3 numbers a vertex
  const double* x1;
  const double* radii;  // one a vertex; null: all zero
  double t_max, separation, tolerance, keep;
  bool has_taper;         // some radii differ
  bool is_shared;         // a hit bounds the time of all later queries
  double* toi;            // out, one a query
  unsigned char* status;  // out, one a query
};

inline constexpr int kMaxEvaluations = 24;

// The coordinates of N queries, transposed: one row per number, one column per query.
template <int N>
struct Rows {
  alignas(64) double x[4][3][N];
  alignas(64) double dx[4][3][N];
  alignas(64) double r[4][N];
};

template <int N>
inline void gather(const Arguments& a, size_t first, Rows<N>& rows) {
  for (int lane = 0; lane < N; ++lane) {
    const size_t query = first + lane < a.count ? first + lane : a.count - 1;
    const int* ids = a.stencils + 4 * query;
    const double* center = a.x0 + 3 * static_cast<size_t>(ids[0]);
    for (int i = 0; i < 4; ++i) {
      const double* start = a.x0 + 3 * static_cast<size_t>(ids[i]);
      const double* end = a.x1 + 3 * static_cast<size_t>(ids[i]);
      for (int k = 0; k < 3; ++k) {
        rows.x[i][k][lane] = start[k] - center[k];
        rows.dx[i][k][lane] = end[k] - start[k];
      }
      rows.r[i][lane] = a.radii == nullptr ? 0.0 : a.radii[ids[i]];
    }
  }
}

template <class T, int N>
inline T load(const double (&row)[N]) {
  typename T::Values values;
  for (int lane = 0; lane < N; ++lane) values[lane] = row[lane];
  return T(values);
}

template <class T, int N>
inline MovingStencil<T> load_stencil(const Rows<N>& rows) {
  MovingStencil<T> q;
  for (int i = 0; i < 4; ++i) {
    q.x[i] = {load<T, N>(rows.x[i][0]), load<T, N>(rows.x[i][1]), load<T, N>(rows.x[i][2])};
    q.dx[i] = {load<T, N>(rows.dx[i][0]), load<T, N>(rows.dx[i][1]), load<T, N>(rows.dx[i][2])};
    q.r[i] = load<T, N>(rows.r[i]);
    q.dr[i] = T(0);
  }
  return q;
}

template <Taper kTaper, int N, class T>
void run_with(const Arguments& a) {
  double t_max = a.t_max;
  Rows<N> rows;
  for (size_t first = 0; first < a.count; first += N) {
    gather<N>(a, first, rows);
    const MovingStencil<T> q = load_stencil<T, N>(rows);
    const T error = detail::compute_error_bound(q);
    const AdvanceOptions<T> options{T(t_max), T(a.separation), T(a.tolerance), T(a.keep)};
    AdvanceState<T> state = start_advance<T>();
    int evaluations = 0;
    do {
      advance_once<kTaper>(a.kind, q, error, options, evaluations == 0, state);
      ++evaluations;
    } while (evaluations < kMaxEvaluations && is_any(!(state.is_hit | state.is_free)));

    // Starts without a certificate and long searches are left open.
    for (int lane = 0; lane < N && first + lane < a.count; ++lane) {
      const double t = state.t[lane];
      const bool is_certified = state.certificate[lane] > 0 || t > 0;
      const Status status = state.is_free[lane] ? kFree : (state.is_hit[lane] && is_certified ? kHit : kOpen);
      a.toi[first + lane] = t;
      a.status[first + lane] = status;
      if (a.is_shared && status == kHit && t < t_max) t_max = t;
    }
  }
}

template <int N, class T>
void run(const Arguments& a) {
  if (a.has_taper) {
    run_with<Taper::Some, N, T>(a);
  } else {
    run_with<Taper::None, N, T>(a);
  }
}

void run_portable(const Arguments& a);
void run_avx2(const Arguments& a);
void run_avx512(const Arguments& a);

}  // namespace marrow::ccd_batch
