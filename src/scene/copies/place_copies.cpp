#include "scene/copies/place_copies.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>

#include "math/rotation.h"

namespace marrow {
namespace {

// Tries per sphere. Equal spheres at random jam at 38 % of the volume; up to 25 % all find a place within
// this many tries. [measured: tests/scene/copies_test.cpp]
constexpr int kMostTries = 20'000;

Variables number_copy(int index, int count) { return {{"i", index}, {"index", index}, {"count", count}}; }

std::vector<Copy> place(const RowCopies& row) {
  std::vector<Copy> copies;
  const Mat3 turn = rotation_from_degrees(row.turn);
  Mat3 turned = Mat3::Identity();
  for (int i = 0; i < row.count; ++i) {
    copies.push_back({number_copy(i, row.count), i * row.step, turned});
    if (!row.turn.isZero(0)) turned = turn * turned;
  }
  return copies;
}

std::vector<Copy> place(const GridCopies& grid) {
  std::vector<Copy> copies;
  const double count = static_cast<double>(grid.count_x) * grid.count_y * grid.count_z;
  for (int i = 0; i < grid.count_x; ++i) {
    for (int j = 0; j < grid.count_y; ++j) {
      for (int k = 0; k < grid.count_z && copies.size() <= kMostCopies; ++k) {
        const auto index = static_cast<double>(copies.size());
        copies.push_back({{{"i", i}, {"j", j}, {"k", k}, {"index", index}, {"count", count}},
                          grid.step.cwiseProduct(Vec3(i, j, k))});
      }
    }
  }
  return copies;
}

std::vector<Copy> place(const RingCopies& ring) {
  std::vector<Copy> copies;
  const Vec3 axis = ring.axis.normalized();
  const Vec3 first = rotation_between(Vec3::UnitY(), axis) * Vec3::UnitX();
  const bool is_closed = std::abs(ring.angle) == 360;
  const double step = ring.angle / std::max(1, is_closed ? ring.count : ring.count - 1);
  for (int i = 0; i < ring.count; ++i) {
    const Mat3 turn = rotation_from_vector(kRadians * (ring.start + i * step) * axis);
    copies.push_back({number_copy(i, ring.count), ring.radius * (turn * first),
                      ring.facing ? turn : Mat3(Mat3::Identity())});
  }
  return copies;
}

std::vector<Copy> place(const ScatterCopies& scatter) {
  std::vector<Copy> copies;
  for (int i = 0; i < scatter.count; ++i)
    copies.push_back({number_copy(i, scatter.count), {}, Mat3::Identity()});
  for (Copy& copy : copies) copy.shift = Vec3::Zero();
  return copies;
}

// SplitMix64: small, and the same everywhere.
class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed * 0x9E3779B97F4A7C15 + stream) { next(); }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // 0 to 1, without 1

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

// Spheres by the cell of their centre: those that a sphere may touch are in neighbouring cells.
class SphereGrid {
 public:
  explicit SphereGrid(double cell) : cell_(cell > 0 ? cell : 1) {}

  void add(const CopySphere& sphere) { cells_[cell_of(sphere.center)].push_back(sphere); }

  bool is_free(const CopySphere& sphere, double gap) const {
    const Cell middle = cell_of(sphere.center);
    for (int n = 0; n < 27; ++n) {
      const int row = n / 3, layer = n / 9;
      const Cell cell = {middle[0] + n % 3 - 1, middle[1] + row % 3 - 1, middle[2] + layer - 1};
      const auto found = cells_.find(cell);
      if (found == cells_.end()) continue;
      for (const CopySphere& other : found->second) {
        if ((other.center - sphere.center).norm() < other.radius + sphere.radius + gap) return false;
      }
    }
    return true;
  }

 private:
  using Cell = std::array<double, 3>;

  Cell cell_of(const Vec3& x) const {
    return {std::floor(x.x() / cell_), std::floor(x.y() / cell_), std::floor(x.z() / cell_)};
  }

  double cell_;
  std::map<Cell, std::vector<CopySphere>> cells_;
};

}  // namespace

std::vector<Copy> list_copies(const Copies& copies) {
  return std::visit([](const auto& pattern) { return place(pattern); }, copies);
}

size_t scatter_spheres(const ScatterCopies& scatter, const Vec3& offset, double gap,
                       std::vector<CopySphere>& spheres, std::vector<CopySphere>& taken) {
  double largest = 0;
  for (const CopySphere& sphere : spheres) largest = std::max(largest, sphere.radius);
  for (const CopySphere& sphere : taken) largest = std::max(largest, sphere.radius);
  SphereGrid grid(2 * largest + gap);
  for (const CopySphere& sphere : taken) grid.add(sphere);
  Random random(static_cast<std::uint64_t>(scatter.seed), 0);
  for (size_t i = 0; i < spheres.size(); ++i) {
    int tries = 0;
    do {
      if (tries++ == kMostTries) return i;
      Vec3 u;
      for (double& c : u) c = random.uniform();
      spheres[i].center = offset + scatter.min + u.cwiseProduct(scatter.max - scatter.min);
    } while (!grid.is_free(spheres[i], gap));
    grid.add(spheres[i]);
    taken.push_back(spheres[i]);
  }
  return spheres.size();
}

Mat3 choose_turn(int seed, int index) {
  // Three uniform numbers give a uniform unit quaternion (Shoemake, Uniform Random Rotations, 1992).
  Random random(static_cast<std::uint64_t>(seed), 1 + static_cast<std::uint64_t>(index));
  const double u = random.uniform();
  const double a = 2 * std::numbers::pi * random.uniform(), b = 2 * std::numbers::pi * random.uniform();
  const double p = std::sqrt(1 - u), q = std::sqrt(u);
  return Eigen::Quaterniond(q * std::cos(b), p * std::sin(a), p * std::cos(a), q * std::sin(b))
      .toRotationMatrix();
}

}  // namespace marrow
