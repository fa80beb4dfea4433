// Random and structured collision queries: the same everywhere for the same seed and index.
//
// Only +, −, ·, / and square roots are used, and a generator of our own, so that every machine makes the same
// bits. Half of the queries are shifted so that the pair surely touches: coordinates, time and parameters of
// the contact are then short binary fractions, so that c(u, v, t) = 0 holds exactly.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/ccd/ccd.h"
#include "geometry/distance/distance.h"

namespace marrow::ccd_families {

// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int below(int count) { return static_cast<int>(bits() % static_cast<std::uint64_t>(count)); }
  bool coin() { return (bits() & 1) != 0; }
  // Nearly normal: the sum of four uniforms.
  double normal() { return std::sqrt(3.0) * (uniform() + uniform() + uniform() + uniform() - 2); }
  double power_of_ten(int low, int high) {
    double value = uniform(1, 10);
    const int exponent = low + below(high - low);
    for (int i = 0; i < exponent; ++i) value *= 10;
    for (int i = 0; i > exponent; --i) value /= 10;
    return value;
  }
  Vec3 box() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Vec3 normal_vector() { return {normal(), normal(), normal()}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = box();
      if (v.norm() > 0.1 && v.norm() <= 1) return v / v.norm();
    }
  }

 private:
  std::uint64_t state_;
};

enum Family : int {
  kGeneric,
  kZeroRadius,
  kTinyRadius,
  kLargeRadius,
  kSteepRadius,
  kParallel,
  kNearlyParallel,
  kCoplanar,
  kCoplanarZeroRadius,
  kGrazing,
  kNearlyTouching,
  kZeroLength,
  kCoincident,
  kRotating,
  kFast,
  kFarAway,
  kScaled,
  kEveryRatio,
  kChangingRadius,
  kSeparation,
  kSlender,
  kExactTouch,
  kFamilyCount
};

inline const char* family_name(int family) {
  static constexpr const char* kNames[kFamilyCount] = {
      "generic",         "zero radius",        "tiny radius", "large radius",    "steep radius",
      "parallel",        "nearly parallel",    "coplanar",    "coplanar, r = 0", "grazing",
      "nearly touching", "zero length",        "coincident",  "rotating",        "fast",
      "offset 1e4",      "scales 1e-6 to 1e6", "every ratio", "changing radius", "min separation",
      "slender",         "exact touch"};
  return kNames[family];
}

struct Sample {
  CcdQuery query;
  double min_separation = 0;
  double size = 1;                                           // a typical length
  double contact = std::numeric_limits<double>::infinity();  // they touch at this time, perhaps before
  int family = 0;
};

inline int front_of(const CcdQuery& query) { return query.kind == PairKind::EdgeEdge ? 2 : 1; }

template <class Change>
void for_each_point(CcdQuery& query, const Change& change) {
  for (int i = 0; i < 4; ++i) {
    change(query.x0[i]);
    change(query.x1[i]);
  }
}

inline void set_radii(CcdQuery& query, Random& random, double low, double high) {
  for (int i = 0; i < 4; ++i) query.r0[i] = query.r1[i] = random.uniform(low, high);
}

// Two primitives of size 1 at a distance of 1.5 to 3.5, flying at each other with some turning.
inline CcdQuery make_base(PairKind kind, Random& random, double largest_radius) {
  CcdQuery query;
  query.kind = kind;
  const Vec3 d = random.direction();
  const double distance = random.uniform(1.5, 3.5);
  const Vec3 velocity = -random.uniform(0, 6) * d + 0.8 * random.normal_vector();
  for (int i = 0; i < 4; ++i) {
    const bool is_front = i < front_of(query);
    query.x0[i] = random.box();
    if (!is_front) query.x0[i] += distance * d;
    query.x1[i] = query.x0[i] + 0.5 * random.normal_vector();
    if (!is_front) query.x1[i] += velocity;
  }
  set_radii(query, random, 0, largest_radius);
  return query;
}

inline void make_parallel(CcdQuery& query, Random& random, double tilt) {
  // Short fractions, so that exactly parallel stays so when rounded.
  const auto shorten = [&](double x) { return tilt == 0 ? std::nearbyint(x * 0x1p6) * 0x1p-6 : x; };
  Vec3 axis = random.direction();
  for (int k = 0; k < 3; ++k) axis[k] = shorten(axis[k]);
  for (int begin = 0; begin < 4; begin = begin == 0 ? front_of(query) : 4) {
    const int end = begin == 0 ? front_of(query) : 4;
    const Vec3 motion = query.x1[begin] - query.x0[begin];
    for (int i = begin; i < end; ++i) {
      if (i > begin)
        query.x0[i] =
            query.x0[begin] + shorten(random.uniform(-1.5, 1.5)) * axis + tilt * random.normal_vector();
      query.x1[i] = query.x0[i] + motion;
      if (tilt > 0) query.x1[i] += tilt * random.normal_vector();
    }
    if (random.coin())
      for (int i = begin; i < end; ++i) query.r0[i] = query.r1[i] = query.r0[begin];
  }
}

inline Vec3 mean_of_back(const CcdQuery& query, const std::array<Vec3, 4>& x) {
  Vec3 sum = Vec3::Zero();
  for (int i = front_of(query); i < 4; ++i) sum += x[i];
  return sum / (4 - front_of(query));
}

// The back primitive turns about its middle; the tangent of half the angle is q.
inline void make_rotating(CcdQuery& query, Random& random) {
  const double q = random.uniform(0.25, 4);
  const double c = (1 - q * q) / (1 + q * q), s = 2 * q / (1 + q * q);
  const Vec3 start = mean_of_back(query, query.x0), end = mean_of_back(query, query.x1);
  for (int i = front_of(query); i < 4; ++i) {
    const Vec3 arm = query.x0[i] - start;
    query.x1[i] = end + Vec3(c * arm[0] - s * arm[1], s * arm[0] + c * arm[1], arm[2]);
  }
}

// The pair at a time: where it is closest, and how close.
inline PairPoint find_closest_at(const CcdQuery& query, double t, PairBalls& balls) {
  for (int i = 0; i < 4; ++i) {
    balls.x[i] =
        (query.x0[i] - query.x0[0]) + t * ((query.x1[i] - query.x1[0]) - (query.x0[i] - query.x0[0]));
    balls.r[i] = query.r0[i] + t * (query.r1[i] - query.r0[i]);
  }
  return find_closest(query.kind, balls);
}

inline double compute_gap(const CcdQuery& query, double t) {
  PairBalls balls;
  return find_closest_at(query, t, balls).compute_gap();
}

// The time in [0, end] with the smallest gap among samples, refined around the best.
inline double find_closest_time(const CcdQuery& query, double end, int samples, int refinements) {
  double best_time = 0, best = compute_gap(query, 0);
  const auto consider = [&](double t) {
    const double gap = compute_gap(query, t);
    if (gap < best) {
      best = gap;
      best_time = t;
    }
  };
  double width = end / samples;
  for (int i = 1; i <= samples; ++i) consider(i == samples ? end : i * width);
  for (int i = 0; i < refinements; ++i) {
    width *= 0.5;
    const double middle = best_time;
    if (middle - width >= 0) consider(middle - width);
    if (middle + width <= end) consider(middle + width);
  }
  return best_time;
}

inline void shift_front(CcdQuery& query, const Vec3& by) {
  for (int i = 0; i < front_of(query); ++i) {
    query.x0[i] += by;
    query.x1[i] += by;
  }
}

// Shifts the front so that the gap at time t is about this.
inline void shift_to_gap(CcdQuery& query, double t, double gap) {
  PairBalls balls;
  const PairPoint point = find_closest_at(query, t, balls);
  const double norm = point.c.norm();
  if (norm > 0) shift_front(query, (gap - point.compute_gap()) / norm * point.c);
}

// Rounds all coordinates to multiples of 2⁻¹⁶ and shifts the front so that points of both coincide exactly at
// the returned time. Coordinates must be below 2²⁰.
inline double make_contact(CcdQuery& query, Random& random) {
  for_each_point(query, [](Vec3& x) {
    for (int k = 0; k < 3; ++k) x[k] = std::nearbyint(x[k] * 0x1p16) * 0x1p-16;
  });
  const double t = (1 + random.below(64)) / 64.0;
  const auto pick = [&] {
    return random.below(3) == 0 ? static_cast<double>(random.below(2)) : random.below(65) / 64.0;
  };
  double u = pick(), v = pick();
  if (query.kind == PairKind::PointTriangle && u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  std::array<double, 4> w = {1 - u, u, -(1 - v), -v};
  if (query.kind == PairKind::PointTriangle) w = {1, -(1 - u - v), -u, -v};
  Vec3 c = Vec3::Zero();
  for (int i = 0; i < 4; ++i) c += w[i] * (query.x0[i] + t * (query.x1[i] - query.x0[i]));
  shift_front(query, -c);
  return t;
}

// Pythagorean touches |c| = ρ, exact in binary (math-checks/check04c): passing by, or arriving at the end.
inline Sample make_exact_touch(PairKind kind, Random& random) {
  static constexpr int kTriples[4][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {7, 24, 25}};
  const int* pqh = kTriples[random.below(4)];
  const double s = std::ldexp(1.0, random.below(12) - 6);
  const Vec3 c = s * Vec3(pqh[0], pqh[1], 0), e = s * Vec3(-pqh[1], pqh[0], 0);
  const int half = pqh[2] / 2;
  const double front = s * half, back = s * pqh[2] - front;
  Sample sample;
  sample.size = s;
  CcdQuery& query = sample.query;
  query.kind = kind;
  for (int i = 0; i < 4; ++i) query.r0[i] = query.r1[i] = i < front_of(query) ? front : back;
  const int shape = random.below(3);
  if (shape == 0) {
    // Balls that pass each other and touch half way.
    const Vec3 d = std::ldexp(1.0, random.below(4)) * e;
    for (int i = 0; i < 4; ++i) query.x0[i] = query.x1[i] = Vec3::Zero();
    for (int i = 0; i < front_of(query); ++i) {
      query.x0[i] = c - d;
      query.x1[i] = c + d;
    }
    sample.contact = 0.5;
    return sample;
  }
  // Arrive in contact at the end: beside an axis along z (and a triangle that contains it), or crossing it.
  sample.contact = 1;
  const Vec3 z(0, 0, s);
  for (int i = 0; i < front_of(query); ++i) {
    query.x1[i] = shape == 1 ? Vec3(c + 4 * i * z) : Vec3(c + (i == 0 ? -3 : 5) * e);
    if (kind == PairKind::PointTriangle) query.x1[i] = c;
    query.x0[i] = query.x1[i] + c;
  }
  const int b = front_of(query);
  query.x0[b] = -8 * z;
  query.x0[b + 1] = 9 * z;
  if (b == 1) query.x0[3] = 3 * z - (shape == 1 ? c : 2 * e);
  for (int i = b; i < 4; ++i) query.x1[i] = query.x0[i];
  return sample;
}

inline void apply_family(Sample& sample, Random& random) {
  CcdQuery& query = sample.query;
  switch (sample.family) {
    case kZeroRadius:
      set_radii(query, random, 0, 0);
      break;
    case kTinyRadius:
      set_radii(query, random, 0, 1e-6);
      break;
    case kLargeRadius:
      set_radii(query, random, 0, 0.9);
      break;
    case kSteepRadius: {
      const Vec3 start = mean_of_back(query, query.x0), end = mean_of_back(query, query.x1);
      for (int i = front_of(query); i < 4; ++i) {
        query.x0[i] = start + 0.3 * (query.x0[i] - start);
        query.x1[i] = end + 0.3 * (query.x1[i] - end);
      }
      set_radii(query, random, 0, 0.9);
      break;
    }
    case kParallel:
      make_parallel(query, random, 0);
      break;
    case kNearlyParallel:
      make_parallel(query, random, random.power_of_ten(-13, -3));
      if (random.coin()) set_radii(query, random, 0, 0);
      break;
    case kCoplanarZeroRadius:
      set_radii(query, random, 0, 0);
      [[fallthrough]];
    case kCoplanar:
      for_each_point(query, [](Vec3& x) { x[2] = 0; });
      break;
    case kZeroLength:
      if (query.kind == PairKind::EdgeEdge && random.coin()) {
        query.x0[1] = query.x0[0];
        query.x1[1] = query.x1[0];
      }
      query.x0[3] = query.x0[2];
      query.x1[3] = query.x1[2];
      if (random.coin()) set_radii(query, random, 0, 0);
      break;
    case kRotating:
      make_rotating(query, random);
      break;
    case kFast:
      for (int i = front_of(query); i < 4; ++i) query.x1[i] = query.x0[i] + 200 * (query.x1[i] - query.x0[i]);
      break;
    case kFarAway:
      for_each_point(query, [](Vec3& x) { x += Vec3(1e4, -1e4, 1e4); });
      break;
    case kEveryRatio:
      for (int i = 0; i < 4; ++i) query.r0[i] = query.r1[i] = random.power_of_ten(-7, 0);
      break;
    case kChangingRadius:
      for (int i = 0; i < 4; ++i) query.r1[i] = random.uniform(0, 0.6);
      break;
    case kSeparation:
      if (random.coin()) set_radii(query, random, 0, 0);
      sample.min_separation = random.power_of_ten(-8, 0);
      break;
    case kSlender: {
      const double length = random.power_of_ten(1, 4);
      const Vec3 axis = random.direction();
      query.x0[3] += length * axis;
      query.x1[3] += length * axis + random.normal_vector();
      if (random.coin()) set_radii(query, random, 0, 0);
      break;
    }
    default:
      break;
  }
}

// What comes after a contact may have been made: none of it moves the contact.
inline void finish_family(Sample& sample, Random& random) {
  CcdQuery& query = sample.query;
  if (sample.family == kScaled) {
    const int exponent = random.below(41) - 20;
    const double scale = std::ldexp(1.0, exponent);
    for_each_point(query, [&](Vec3& x) { x *= scale; });
    for (int i = 0; i < 4; ++i) query.r0[i] = query.r1[i] = scale * query.r0[i];
    sample.size = scale;
  }
  if (sample.family == kGrazing) {
    // Past each other with a gap of this much, to rounding.
    const double gap = (random.coin() ? 1 : -1) * random.power_of_ten(-15, -5);
    for (int i = 0; i < 3; ++i) shift_to_gap(query, find_closest_time(query, 1, 32, 16), gap);
    sample.contact = std::numeric_limits<double>::infinity();
  }
  if (sample.family == kNearlyTouching) {
    shift_to_gap(query, 0, random.power_of_ten(-16, -2));
    sample.contact = std::numeric_limits<double>::infinity();
  }
  if (sample.family == kCoincident) {
    // A vertex of one is on a vertex, an edge or the face of the other at the start.
    const double u = random.below(5) / 4.0;
    const int i = front_of(query);
    shift_front(query, (query.x0[i] + u * (query.x0[i + 1] - query.x0[i])) - query.x0[0]);
    sample.contact = std::numeric_limits<double>::infinity();
    if (u == 0 && query.x0[0] == query.x0[i]) sample.contact = 0;
  }
}

// Query number index of a seed.
inline Sample make_sample(std::uint64_t seed, std::uint64_t index) {
  Random mixer(seed ^ (index * 0xd1342543de82ef95ULL));
  Random random(mixer.bits());
  const PairKind kind = index % 2 == 0 ? PairKind::EdgeEdge : PairKind::PointTriangle;
  const int family = static_cast<int>(index / 2 % kFamilyCount);
  Sample sample;
  if (family == kExactTouch) {
    sample = make_exact_touch(kind, random);
  } else {
    sample.query = make_base(kind, random, 0.3);
  }
  sample.family = family;
  apply_family(sample, random);
  if (family != kExactTouch && random.coin()) sample.contact = make_contact(sample.query, random);
  finish_family(sample, random);
  return sample;
}

}  // namespace marrow::ccd_families
