// Every method on every family of queries: never a missed contact, never a late time. A short run of
// bench/bench_ccd_campaign, which does the same by the hundred million.
#include <gtest/gtest.h>

#include "core/file.h"
#include "exact/motion.h"
#include "exec/parallel.h"
#include "geometry/ccd_judge.h"

namespace marrow {
namespace {

using namespace ccd_families;

constexpr std::uint64_t kSeed = 2;
constexpr size_t kQueries = 66'000;  // 3000 of each family
constexpr size_t kExactQueries = 11'000;

CcdOptions make_options(const Sample& sample, CcdMethod method) {
  CcdOptions options;
  options.method = method;
  options.tolerance = 1e-6 * sample.size;
  options.min_separation = sample.min_separation;
  if (method == CcdMethod::Additive) options.max_iterations = 300;
  return options;
}

// Queries on which the method errs, by the hundred thousand in parallel.
std::vector<std::uint64_t> find_mistakes(CcdMethod method) {
  std::vector<std::uint8_t> is_wrong(kQueries);
  exec::parallel_for("ccd battery", kQueries, [&](size_t i) {
    const Sample sample = make_sample(kSeed, i);
    const CcdOptions options = make_options(sample, method);
    const CcdResult result = method == CcdMethod::Inclusion ? detect_by_inclusion(sample.query, options)
                                                            : detect_collision(sample.query, options);
    const double overlap = find_overlap(sample, free_until(result, 1), 24);
    is_wrong[i] = judge(sample, result, 1, overlap) != Mistake::None ? 1 : 0;
  });
  std::vector<std::uint64_t> mistakes;
  for (size_t i = 0; i < kQueries; ++i)
    if (is_wrong[i] != 0) mistakes.push_back(i);
  return mistakes;
}

class CcdBattery : public testing::TestWithParam<CcdMethod> {};

TEST_P(CcdBattery, never_misses) {
  for (const std::uint64_t index : find_mistakes(GetParam()))
    ADD_FAILURE() << "query " << index << " of seed " << kSeed << ", "
                  << family_name(static_cast<int>(index / 2 % kFamilyCount));
}

INSTANTIATE_TEST_SUITE_P(All, CcdBattery,
                         testing::Values(CcdMethod::Advancement, CcdMethod::Inclusion, CcdMethod::Additive),
                         [](const auto& test) { return enum_name(test.param); });

// The exact answer without radii, by roots of polynomials with exact coefficients.
std::optional<double> find_exact_meeting(const CcdQuery& query) {
  const Points x0(query.x0.begin(), query.x0.end()), x1(query.x1.begin(), query.x1.end());
  const bool is_edges = query.kind == PairKind::EdgeEdge;
  const exact::Simplex a = is_edges ? exact::make_simplex(0, 1) : exact::make_simplex(0);
  const exact::Simplex b = is_edges ? exact::make_simplex(2, 3) : exact::make_simplex(1, 2, 3);
  return exact::find_meeting({x0, x1}, a, b);
}

TEST(CcdBattery, agrees_with_exact_arithmetic_without_radii) {
  std::vector<int> verdicts(kExactQueries);
  exec::parallel_for("ccd exact", kExactQueries, [&](size_t i) {
    Sample sample = make_sample(kSeed + 1, i);
    sample.query.r0.fill(0);
    sample.query.r1.fill(0);
    sample.min_separation = 0;
    const std::optional<double> meeting = find_exact_meeting(sample.query);
    for (const CcdMethod method : {CcdMethod::Advancement, CcdMethod::Inclusion, CcdMethod::Additive}) {
      const CcdResult result = detect_collision(sample.query, make_options(sample, method));
      const bool is_missed = meeting && !result.is_hit;
      const bool is_late = meeting && result.is_hit && result.toi > *meeting * (1 + 1e-15);
      if (is_missed || is_late) verdicts[i] = 1;
      // What the production method reports beyond that passes within rounding.
      if (method == CcdMethod::Advancement && !meeting && result.is_hit && verdicts[i] == 0) verdicts[i] = -1;
    }
  });
  size_t false_alarms = 0;
  for (size_t i = 0; i < kExactQueries; ++i) {
    EXPECT_NE(verdicts[i], 1) << "query " << i << " of seed " << kSeed + 1;
    false_alarms += verdicts[i] == -1 ? 1 : 0;
  }
  RecordProperty("false_alarms", static_cast<int>(false_alarms));
  EXPECT_LT(false_alarms, kExactQueries / 100);
}

TEST(CcdFamilies, are_the_same_everywhere) {
  std::uint64_t hash = hash_bytes("");
  for (std::uint64_t i = 0; i < 4400; ++i) {
    const Sample sample = make_sample(1, i);
    std::array<double, 32> numbers;
    for (int k = 0; k < 4; ++k) {
      const Vec3 &x0 = sample.query.x0[k], &x1 = sample.query.x1[k];
      const double values[8] = {
          x0[0], x0[1], x0[2], x1[0], x1[1], x1[2], sample.query.r0[k], sample.query.r1[k]};
      std::copy(values, values + 8, numbers.begin() + 8 * k);
    }
    // −0 is 0.
    for (double& number : numbers) number += 0.0;
    hash = hash_bytes({reinterpret_cast<const char*>(numbers.data()), sizeof(numbers)}, hash);
  }
  EXPECT_EQ(hash, 15079326441526798785ULL);
}

// The gap in quad precision.
double compute_quad_gap(const CcdQuery& query, double t) {
  Stencil<Quad> s;
  for (int i = 0; i < 4; ++i) {
    Quad x[3];
    for (int k = 0; k < 3; ++k) x[k] = query.x0[i][k] + Quad(t) * (Quad(query.x1[i][k]) - query.x0[i][k]);
    s.x[i] = {x[0], x[1], x[2]};
    s.r[i] = query.r0[i] + Quad(t) * (Quad(query.r1[i]) - query.r0[i]);
  }
  const PairCoefficients<Quad> k = make_coefficients(query.kind, s);
  const Closest<Quad> p = find_closest(query.kind, k);
  const Triple<Quad> c = relative_center(k, p.u, p.v);
  return static_cast<double>(square_root(dot(c, c)) - (p.u * k.R1 + p.v * k.R2 + k.R3));
}

TEST(CcdFamilies, built_contacts_are_exact) {
  for (std::uint64_t i = 0; i < 44'000; ++i) {
    const Sample sample = make_sample(3, i);
    if (!(sample.contact <= 1)) continue;
    // Interior minima of nearly parallel pairs are left out: they lie at most this much lower.
    const double left_out = sample.family == kNearlyParallel ? 1e-5 : 0;
    const double gap = compute_quad_gap(sample.query, sample.contact) - sample.min_separation;
    ASSERT_LE(gap, gap_rounding(sample.query) + left_out) << i << " " << family_name(sample.family);
  }
}

}  // namespace
}  // namespace marrow
