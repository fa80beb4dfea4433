// The contact geometry as functors for a device: closest points and derivatives, gaps, mollifier, barrier,
// advancement.
#pragma once

#include "geometry/ccd/crossing.h"
#include "geometry/ccd/inclusion.h"
#include "geometry/distance/distance.h"
#include "geometry/distance/gap.h"
#include "geometry/distance/mollifier.h"
#include "math/barrier_function.h"

namespace marrow {

struct PairInput {
  PairKind kind;
  PairBalls balls;

  double size() const {
    double largest = 0;
    for (const Vec3& x : balls.x) largest = std::max(largest, (x - balls.x[0]).cwiseAbs().maxCoeff());
    for (const double r : balls.r) largest = std::max(largest, r);
    return largest;
  }
};

// The squared distance, its weights, and the vectors of its Hessian.
struct SquaredDistanceKernel {
  using Input = PairInput;
  using Result = Eigen::Matrix<double, 32, 1>;
  static constexpr const char* name = "find_closest, derivatives";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD Result operator()(const PairInput& in) const {
    const PairPoint p = find_closest(in.kind, in.balls);
    const SchurFactor schur = compute_schur_factor(p, make_directions(shape_of(in.kind), in.balls, p.region));
    Result result = Result::Zero();
    result[0] = p.compute_squared();
    result.segment<3>(1) = p.c;
    for (int i = 0; i < 4; ++i) {
      result[4 + i] = p.w[i];
      for (int k = 0; k < schur.count; ++k) result.segment<3>(8 + 12 * k + 3 * i) = schur.q[k][i];
    }
    return result;
  }
  double term_size(const PairInput& in) const { return in.size() * (1 + in.size()); }
};

struct GapKernel {
  using Input = PairInput;
  using Result = double;
  static constexpr const char* name = "find_gap";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD double operator()(const PairInput& in) const { return find_gap(in.kind, in.balls).compute_gap(); }
  double term_size(const PairInput& in) const { return in.size(); }
};

struct MollifierKernel {
  using Input = PairInput;
  using Result = double;
  static constexpr const char* name = "compute_mollifier";
  static constexpr double kTolerance = 1e-13;
  MARROW_HD double operator()(const PairInput& in) const { return compute_mollifier(in.balls, 1e-2).value; }
  double term_size(const PairInput&) const { return 1; }
};

struct BarrierKernel {
  using Input = double;
  using Result = Vec3;
  static constexpr const char* name = "compute_barrier_function";
  static constexpr double kTolerance = 1e-14;
  MARROW_HD Vec3 operator()(double x) const {
    const BarrierFunction b = compute_barrier_function(x);
    return {b.value, b.first, b.second};
  }
  double term_size(double x) const { return 4 / (x * x); }
};

struct MotionInput {
  PairKind kind;
  Stencil<double> start, end;
};

// The whole search for the first contact: time reached, hit or not, evaluations.
struct AdvanceKernel {
  using Input = MotionInput;
  using Result = Vec3;
  static constexpr const char* name = "advance_once, repeated";
  static constexpr double kTolerance = 1e-12;
  MARROW_HD Vec3 operator()(const MotionInput& in) const {
    const MovingPair<double> q = make_moving_pair(in.kind, in.start, in.end);
    const double error = detail::compute_error_bound(q);
    const AdvanceOptions<double> options{1, 0, 1e-6, 0};
    AdvanceState<double> state = start_advance<double>(0);
    int k = 0;
    for (; k < 50 && !state.is_hit && !state.is_free; ++k) {
      advance_once<Taper::Some>(in.kind, q, error, options, k == 0, state);
    }
    const bool is_sure = state.is_hit && is_crossing<Taper::Some>(in.kind, q, options, state.t, error);
    return {state.t, (state.is_hit ? 1.0 : 0.0) + (is_sure ? 1.0 : 0.0), static_cast<double>(k)};
  }
  double term_size(const MotionInput&) const { return 1; }
};

// The first certificate in twice the precision: what is left of it beyond double precision counts.
struct DoubleDoubleKernel {
  using Input = MotionInput;
  using Result = Vec3;
  static constexpr const char* name = "advance_once, double-double";
  static constexpr double kTolerance = 1e-12;
  MARROW_HD static Stencil<DoubleDouble> convert(const Stencil<double>& s) {
    Stencil<DoubleDouble> t;
    for (int i = 0; i < 4; ++i) {
      t.x[i] = {s.x[i].x, s.x[i].y, s.x[i].z};
      t.r[i] = s.r[i];
    }
    return t;
  }
  MARROW_HD Vec3 operator()(const MotionInput& in) const {
    const auto q = make_moving_pair(in.kind, convert(in.start), convert(in.end));
    const AdvanceOptions<DoubleDouble> options{1, 0, 1e-6, 0};
    auto state = start_advance<DoubleDouble>(0);
    advance_once<Taper::Some>(in.kind, q, detail::compute_error_bound(q), options, true, state);
    return {state.t.high, state.first_certificate.high, 0x1p53 * state.first_certificate.low};
  }
  double term_size(const MotionInput&) const { return 1e3; }
};

// Verdict over the whole cell and over half of it.
struct InclusionKernel {
  using Input = MotionInput;
  using Result = Vec4;
  static constexpr const char* name = "judge_cell, cut_cell";
  static constexpr double kTolerance = 1e-12;
  MARROW_HD Vec4 operator()(const MotionInput& in) const {
    CcdQuery query;
    query.kind = in.kind;
    for (int i = 0; i < 4; ++i) {
      query.x0[i] = {in.start.x[i].x, in.start.x[i].y, in.start.x[i].z};
      query.x1[i] = {in.end.x[i].x, in.end.x[i].y, in.end.x[i].z};
      query.r0[i] = in.start.r[i];
      query.r1[i] = in.end.r[i];
    }
    const InclusionMotion motion = make_inclusion_motion(query, 0);
    const InclusionCell whole = {0, 1, {0, 1, 0}, {0, 0, 1}};
    const InclusionVerdict verdict = judge_cell(motion, whole, 1e-6);
    InclusionCell halves[2];
    cut_cell(in.kind, whole, verdict.cut, halves);
    const InclusionVerdict half = judge_cell(motion, halves[0], 1e-6);
    const double gap = compute_gap_at(motion, 0.5);
    return {verdict.is_free ? 2.0 : verdict.first_time, half.is_free ? 2.0 : half.first_time, half.spread,
            gap};
  }
  double term_size(const MotionInput& in) const {
    double largest = 1;
    for (int i = 0; i < 4; ++i) largest = std::max(largest, largest_coordinate(in.start.x[i]));
    return largest;
  }
};

}  // namespace marrow
