// Coordinates in which a solid has its centre at the origin and size 1, on a grid.
//
// A box or a cylinder is full of ties: samples on one sphere, collapses of one cost, cells that end at the
// surface. Rounding decides them, so that the same solid twice as large would get other handles. On the grid
// its coordinates are the same bits whatever its size and place, and so are all decisions. The grid is coarse
// beside rounding (2⁻⁵³) and fine beside all that preparation resolves.
#pragma once

#include "mesh/point_box.h"

namespace marrow {

class NormalFrame {
 public:
  explicit NormalFrame(const Points& points) {
    const Eigen::AlignedBox3d box = compute_box(points);
    center_ = box.center();
    const double diagonal = box.diagonal().norm();
    size_ = diagonal > 0 ? diagonal : 1;
  }

  Vec3 enter(const Vec3& x) const {
    return ((enter_exactly(x) / kGrid).array().round() * kGrid + 0.0).matrix();  // no negative zeros
  }
  // Not on the grid: for what decides nothing.
  Vec3 enter_exactly(const Vec3& x) const { return (x - center_) / size_; }
  Vec3 leave(const Vec3& x) const { return center_ + size_ * x; }
  double enter_length(double length) const { return length / size_; }
  double leave_length(double length) const { return size_ * length; }

  Points enter(Points points) const {
    for (Vec3& x : points) x = enter(x);
    return points;
  }
  Points leave(Points points) const {
    for (Vec3& x : points) x = leave(x);
    return points;
  }

 private:
  static constexpr double kGrid = 0x1p-30;

  Vec3 center_;
  double size_;
};

}  // namespace marrow
