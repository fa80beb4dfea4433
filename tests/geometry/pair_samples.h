// Random and degenerate pairs of simplices with radii, one family per kind of trouble.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "geometry/distance/distance.h"

namespace marrow::test {

struct PairFamily {
  std::string name;
  std::vector<PairBalls> pairs;
  double scale = 1;
};

class PairSampler {
 public:
  explicit PairSampler(PairKind kind) : kind_(kind), random_(kind == PairKind::EdgeEdge ? 11 : 12) {}

  PairBalls generic(double radius) {
    PairBalls b;
    const Vec3 shift(normal(), normal(), normal());
    for (int i = 0; i < 4; ++i) {
      b.x[i] = Vec3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      if (i >= front()) b.x[i] += shift;
      b.r[i] = uniform(0, radius);
    }
    return b;
  }
  // Radii change about as fast as the centres: f is often not convex.
  PairBalls steep() {
    PairBalls b = generic(1);
    for (const auto& [begin, end] : {std::pair(0, front()), std::pair(front(), 4)}) {
      Vec3 mean = Vec3::Zero();
      for (int i = begin; i < end; ++i) mean += b.x[i] / (end - begin);
      for (int i = begin; i < end; ++i) b.x[i] = mean + 0.4 * (b.x[i] - mean);
    }
    return b;
  }
  // Edges parallel, or the triangle collinear, up to eps.
  PairBalls parallel(double eps, bool has_taper) {
    PairBalls b = generic(0.2);
    const Vec3 d = Vec3(normal(), normal(), normal()).normalized();
    if (front() == 2) b.x[1] = b.x[0] + uniform(0.2, 2) * d;
    for (int i = front() + 1; i < 4; ++i) {
      b.x[i] = b.x[front()] + uniform(-2, 2) * d + eps * Vec3(normal(), normal(), normal());
    }
    if (has_taper) return b;
    for (int i = 0; i < 4; ++i) b.r[i] = i < front() ? b.r[0] : b.r[3];
    return b;
  }
  PairBalls zero_length() {
    PairBalls b = generic(0.3);
    b.x[front() + 1] = b.x[front()];
    if (front() == 2) b.x[1] = b.x[0];
    return b;
  }
  PairBalls coincident() {
    PairBalls b = generic(0);
    b.x[front()] = b.x[0];
    return b;
  }

  std::vector<PairFamily> make_families(int count) {
    std::vector<PairFamily> families;
    const auto add = [&](const std::string& name, double scale, const auto& make) {
      PairFamily family{name, {}, scale};
      for (int k = 0; k < count; ++k) {
        PairBalls b = make();
        for (int i = 0; i < 4; ++i) {
          b.x[i] *= scale;
          b.r[i] *= scale;
        }
        family.pairs.push_back(b);
      }
      families.push_back(family);
    };
    add("generic", 1, [&] { return generic(0.6); });
    add("zero radius", 1, [&] { return generic(0); });
    add("steep", 1, [&] { return steep(); });
    add("parallel, constant radii", 1, [&] { return parallel(0, false); });
    add("parallel, tapered", 1, [&] { return parallel(0, true); });
    for (const double eps : {1e-4, 1e-8, 1e-12}) add("near-parallel", 1, [&] { return parallel(eps, true); });
    add("near-parallel, constant radii", 1, [&] { return parallel(1e-9, false); });
    add("zero length", 1, [&] { return zero_length(); });
    add("coincident", 1, [&] { return coincident(); });
    add("tiny", 1e-6, [&] { return generic(0.6); });
    add("huge", 1e6, [&] { return generic(0.6); });
    return families;
  }

 private:
  int front() const { return front_count(kind_); }
  double uniform(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }
  double normal() { return std::normal_distribution<double>()(random_); }

  PairKind kind_;
  std::mt19937_64 random_;
};

inline const PairKind kPairKinds[] = {PairKind::EdgeEdge, PairKind::PointTriangle};

}  // namespace marrow::test
